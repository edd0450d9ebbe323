import { asUuid } from '../../db/uuid.ts';
import type { ConsoleHandlersAt } from '../../http/bind.ts';
import { versioned } from '../../http/if-match.ts';
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
import type { StatusChange } from './statuses.ts';

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
    'GET /stores/{storeId}/order-statuses': async ({ store }) => ({
      body: (await listOrderStatuses(db, store.id)).map(versioned),
    }),
    'POST /stores/{storeId}/order-statuses': async ({ store, actor, body, now }) => ({
      body: versioned(await createOrderStatus(db, store.id, body, actor, now)),
    }),
    'PUT /stores/{storeId}/order-statuses': async ({ store, body: { group, ids } }) => ({
      body: (await sortOrderStatuses(db, store.id, group, ids)).map(versioned),
    }),
    'PATCH /stores/{storeId}/order-statuses/{statusId}': async ({ store, params, body, ...call }) => ({
      body: versioned(await changeOrderStatus(db, changeOf(store.id, params.statusId, body, call))),
    }),
    'GET /stores/{storeId}/order-statuses/{statusId}/orders': ({ store, params }) =>
      ordersToMove(store.id, 'status', params.statusId, fallbackForOrderStatus),

    'GET /stores/{storeId}/payment-statuses': async ({ store }) => ({
      body: (await listPaymentStatuses(db, store.id)).map(versioned),
    }),
    'POST /stores/{storeId}/payment-statuses': async ({ store, actor, body, now }) => ({
      body: versioned(await createPaymentStatus(db, store.id, body, actor, now)),
    }),
    'PUT /stores/{storeId}/payment-statuses': async ({ store, body }) => ({
      body: (await sortPaymentStatuses(db, store.id, body.ids)).map(versioned),
    }),
    'PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}': async ({ store, params, body, ...call }) => ({
      body: versioned(await changePaymentStatus(db, changeOf(store.id, params.paymentStatusId, body, call))),
    }),
    'GET /stores/{storeId}/payment-statuses/{paymentStatusId}/orders': ({ store, params }) =>
      ordersToMove(store.id, 'paymentStatus', params.paymentStatusId, fallbackForPaymentStatus),
  };
}

const changeOf = <Fields>(
  storeId: string,
  id: string,
  fields: Fields,
  { actor, now, ifMatch }: Pick<StatusChange<Fields>, 'actor' | 'now' | 'ifMatch'>,
): StatusChange<Fields> => ({ storeId, id, fields, actor, now, ifMatch });
