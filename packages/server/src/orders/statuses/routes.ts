import { type ApiHandlers, onePage } from '../../http/bind.ts';
import type { Services } from '../../services.ts';
import { changeOrderStatus, createOrderStatus, listOrderStatuses } from './order-statuses.ts';
import { changePaymentStatus, createPaymentStatus, listPaymentStatuses } from './payment-statuses.ts';

type StatusHandlers = Pick<
  ApiHandlers,
  | 'listOrderStatuses'
  | 'createOrderStatus'
  | 'changeOrderStatusRecord'
  | 'listPaymentStatuses'
  | 'createPaymentStatus'
  | 'changePaymentStatusRecord'
>;

export const statusRoutes = ({ db }: Services): StatusHandlers => ({
  listOrderStatuses: async ({ caller }) => onePage(await listOrderStatuses(db, caller.store_id)),
  createOrderStatus: ({ caller, actor, body, now, write }) =>
    write(async (at) => ({ body: { data: await createOrderStatus(at, caller.store_id, body, actor, now) } })),
  changeOrderStatusRecord: async ({ caller, actor, params, body, now }) => ({
    body: {
      data: await changeOrderStatus(db, { storeId: caller.store_id, id: params.id, fields: body, actor, now }),
    },
  }),

  listPaymentStatuses: async ({ caller }) => onePage(await listPaymentStatuses(db, caller.store_id)),
  createPaymentStatus: ({ caller, actor, body, now, write }) =>
    write(async (at) => ({ body: { data: await createPaymentStatus(at, caller.store_id, body, actor, now) } })),
  changePaymentStatusRecord: async ({ caller, actor, params, body, now }) => ({
    body: {
      data: await changePaymentStatus(db, { storeId: caller.store_id, id: params.id, fields: body, actor, now }),
    },
  }),
});
