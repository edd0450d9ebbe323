import { OrderStatusChange, OrderStatusCreate, PaymentStatusChange, PaymentStatusCreate } from '@store-sales/contract';
import { ArrangeOrderStatuses, ArrangePaymentStatuses, type OrdersToMove } from '@store-sales/contract/console';
import type { TObject } from 'typebox';
import { asUuid } from '../db/uuid.ts';
import { countOrders } from '../orders/count-orders.ts';
import { moving } from '../orders/move-orders.ts';
import {
  arrangeOrderStatuses,
  changeOrderStatus,
  createOrderStatus,
  fallbackForOrderStatus,
  listOrderStatuses,
} from '../references/order-statuses.ts';
import {
  arrangePaymentStatuses,
  changePaymentStatus,
  createPaymentStatus,
  fallbackForPaymentStatus,
  listPaymentStatuses,
} from '../references/payment-statuses.ts';
import type { Services } from '../services.ts';
import { actorOf, type Call, type Route, route } from './api.ts';
import { typeRoutes } from './reference-types.ts';

/** Order and payment statuses, with the rules of the API; types and warehouses are in reference-types.ts. */
export const referenceRoutes = (services: Services): Route[] => [
  ...orderStatusRoutes(services),
  ...paymentStatusRoutes(services),
  ...typeRoutes(services),
];

const statuses = '/stores/:storeId/order-statuses';

const orderStatusRoutes = ({ db }: Services): Route[] => [
  route({
    method: 'GET',
    path: statuses,
    who: 'store',
    handle: ({ store }) => listOrderStatuses(db, store.id),
  }),
  route({
    method: 'POST',
    path: statuses,
    who: 'store',
    body: OrderStatusCreate,
    async handle({ store, session, body, reply, now }) {
      const created = await createOrderStatus(db, store.id, body, actorOf(session), now);
      reply.code(201);
      return created;
    },
  }),
  route({
    method: 'PUT',
    path: statuses,
    who: 'store',
    body: ArrangeOrderStatuses,
    handle: ({ store, body: { group, ids } }) => arrangeOrderStatuses(db, store.id, group, ids),
  }),
  route({
    method: 'PATCH',
    path: `${statuses}/:statusId`,
    who: 'store',
    body: OrderStatusChange,
    handle: (call) => changeOrderStatus(db, moving, changeIn(call, call.params.statusId as string)),
  }),
  route({
    method: 'GET',
    path: `${statuses}/:statusId/orders`,
    who: 'store',
    async handle({ store, params }): Promise<OrdersToMove> {
      const from = asUuid(params.statusId as string) ?? '';
      const { id, code, name } = await fallbackForOrderStatus(db, store.id, from);
      return { ...(await countOrders(db, { storeId: store.id, field: 'status', from })), to: { id, code, name } };
    },
  }),
];

const payments = '/stores/:storeId/payment-statuses';

const paymentStatusRoutes = ({ db }: Services): Route[] => [
  route({
    method: 'GET',
    path: payments,
    who: 'store',
    handle: ({ store }) => listPaymentStatuses(db, store.id),
  }),
  route({
    method: 'POST',
    path: payments,
    who: 'store',
    body: PaymentStatusCreate,
    async handle({ store, session, body, reply, now }) {
      const created = await createPaymentStatus(db, store.id, body, actorOf(session), now);
      reply.code(201);
      return created;
    },
  }),
  route({
    method: 'PUT',
    path: payments,
    who: 'store',
    body: ArrangePaymentStatuses,
    handle: ({ store, body }) => arrangePaymentStatuses(db, store.id, body.ids),
  }),
  route({
    method: 'PATCH',
    path: `${payments}/:paymentStatusId`,
    who: 'store',
    body: PaymentStatusChange,
    handle: (call) => changePaymentStatus(db, moving, changeIn(call, call.params.paymentStatusId as string)),
  }),
  route({
    method: 'GET',
    path: `${payments}/:paymentStatusId/orders`,
    who: 'store',
    async handle({ store, params }): Promise<OrdersToMove> {
      const from = asUuid(params.paymentStatusId as string) ?? '';
      const { id, code, name } = await fallbackForPaymentStatus(db, store.id, from);
      return {
        ...(await countOrders(db, { storeId: store.id, field: 'paymentStatus', from })),
        to: { id, code, name },
      };
    },
  }),
];

/** A status change by the signed-in owner. */
function changeIn<Schema extends TObject>({ store, session, body, now }: Call<'store', Schema, TObject>, id: string) {
  return { storeId: store.id, id, fields: body, actor: actorOf(session), now };
}
