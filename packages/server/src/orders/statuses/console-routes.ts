import { asUuid } from '../../db/uuid.ts';
import type { ConsoleHandlersAt } from '../../http/bind.ts';
import type { Services } from '../../services.ts';
import { countOrders, type Move } from './move-orders.ts';
import {
  changeOrderStatus,
  createOrderStatus,
  fallbackForOrderStatus,
  listOrderStatuses,
  sortOrderStatuses,
} from './order-statuses.ts';
import {
  changePaymentStatus,
  createPaymentStatus,
  fallbackForPaymentStatus,
  listPaymentStatuses,
  sortPaymentStatuses,
} from './payment-statuses.ts';

type StatusRoutes = ConsoleHandlersAt<'/stores/{storeId}/order-statuses' | '/stores/{storeId}/payment-statuses'>;

export function statusConsoleRoutes({ db }: Services): StatusRoutes {
  async function ordersToMove(
    storeId: string,
    field: Move['field'],
    statusId: string,
    fallback: typeof fallbackForOrderStatus | typeof fallbackForPaymentStatus,
  ) {
    const from = asUuid(statusId) ?? '';
    const { id, code, name } = await fallback(db, storeId, from);
    return { body: { ...(await countOrders(db, { storeId, field, from })), to: { id, code, name } } };
  }

  return {
    'GET /stores/{storeId}/order-statuses': async ({ store }) => ({ body: await listOrderStatuses(db, store.id) }),
    'POST /stores/{storeId}/order-statuses': async ({ store, actor, body, now }) => ({
      body: await createOrderStatus(db, store.id, body, actor, now),
    }),
    'PUT /stores/{storeId}/order-statuses': async ({ store, body: { group, ids } }) => ({
      body: await sortOrderStatuses(db, store.id, group, ids),
    }),
    'PATCH /stores/{storeId}/order-statuses/{statusId}': async ({ store, actor, params, body, now }) => ({
      body: await changeOrderStatus(db, { storeId: store.id, id: params.statusId, fields: body, actor, now }),
    }),
    'GET /stores/{storeId}/order-statuses/{statusId}/orders': ({ store, params }) =>
      ordersToMove(store.id, 'status', params.statusId, fallbackForOrderStatus),

    'GET /stores/{storeId}/payment-statuses': async ({ store }) => ({ body: await listPaymentStatuses(db, store.id) }),
    'POST /stores/{storeId}/payment-statuses': async ({ store, actor, body, now }) => ({
      body: await createPaymentStatus(db, store.id, body, actor, now),
    }),
    'PUT /stores/{storeId}/payment-statuses': async ({ store, body }) => ({
      body: await sortPaymentStatuses(db, store.id, body.ids),
    }),
    'PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}': async ({ store, actor, params, body, now }) => ({
      body: await changePaymentStatus(db, { storeId: store.id, id: params.paymentStatusId, fields: body, actor, now }),
    }),
    'GET /stores/{storeId}/payment-statuses/{paymentStatusId}/orders': ({ store, params }) =>
      ordersToMove(store.id, 'paymentStatus', params.paymentStatusId, fallbackForPaymentStatus),
  };
}
