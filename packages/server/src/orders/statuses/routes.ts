import { type ApiHandlers, onePage } from '../../http/bind.ts';
import type { Services } from '../../services.ts';
import { changeOrderStatus, createOrderStatus, listOrderStatuses } from './order-statuses.ts';
import { changePaymentStatus, createPaymentStatus, listPaymentStatuses } from './payment-statuses.ts';

type StatusHandlers = Pick<
  ApiHandlers,
  | 'listOrderStatuses'
  | 'createOrderStatus'
  | 'changeOrderStatus'
  | 'listPaymentStatuses'
  | 'createPaymentStatus'
  | 'changePaymentStatus'
>;

export const statusRoutes = ({ db }: Services): StatusHandlers => ({
  listOrderStatuses: async ({ caller }) => onePage(await listOrderStatuses(db, caller.store_id)),
  createOrderStatus: ({ caller, actor, body, now, write }) =>
    write(async (at) => ({ body: { data: await createOrderStatus(at, caller.store_id, body, actor, now) } })),
  changeOrderStatus: async ({ caller, actor, params, body, now }) => ({
    body: {
      data: await changeOrderStatus(db, { storeId: caller.store_id, id: params.id, fields: body, actor, now }),
    },
  }),

  listPaymentStatuses: async ({ caller }) => onePage(await listPaymentStatuses(db, caller.store_id)),
  createPaymentStatus: ({ caller, actor, body, now, write }) =>
    write(async (at) => ({ body: { data: await createPaymentStatus(at, caller.store_id, body, actor, now) } })),
  changePaymentStatus: async ({ caller, actor, params, body, now }) => ({
    body: {
      data: await changePaymentStatus(db, { storeId: caller.store_id, id: params.id, fields: body, actor, now }),
    },
  }),
});
