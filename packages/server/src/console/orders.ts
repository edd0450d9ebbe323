import { Readable } from 'node:stream';
import { OrderChange, OrderCreate } from '@store-sales/contract';
import {
  BoardQuery,
  type OrderChoices,
  type OrderDetails,
  OrderPageQuery,
  OrderView,
  ProductSearch,
} from '@store-sales/contract/console';
import { searchProducts } from '../catalog/search-products.ts';
import { asUuid } from '../db/uuid.ts';
import { changeOrder } from '../orders/change-order.ts';
import { createOrder } from '../orders/create-order.ts';
import { boardColumn, exportFound, findOrders } from '../orders/find-orders.ts';
import { readOrder } from '../orders/read-order.ts';
import { timelineOf } from '../orders/timeline.ts';
import { listDeliveryTypes } from '../references/delivery-types.ts';
import { listOrderStatuses } from '../references/order-statuses.ts';
import { listPaymentStatuses } from '../references/payment-statuses.ts';
import { listPaymentTypes } from '../references/payment-types.ts';
import { notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { resendDelivery } from '../webhooks/endpoints/endpoints.ts';
import { actorOf, type Route, route } from './api.ts';

/** Excel needs a BOM to detect UTF-8. */
const UTF8_MARK = Buffer.from('\uFEFF');

/** Orders of a store. */
export function orderRoutes(services: Services): Route[] {
  const { db, limit } = services;

  async function paper(storeId: string, id: string): Promise<OrderDetails> {
    const { body, etag } = await readOrder(db, storeId, id);
    const { data } = JSON.parse(body.toString());
    return { order: data, etag, timeline: await timelineOf(services, storeId, data.id) };
  }

  return [
    route({
      method: 'GET',
      path: '/stores/:storeId/orders',
      who: 'store',
      query: OrderPageQuery,
      handle: ({ store, query }) => findOrders(db, services, store, query),
    }),
    route({
      method: 'GET',
      path: '/stores/:storeId/orders/export',
      who: 'store',
      query: OrderView,
      async handle({ session, store, query, reply }) {
        reply.type('text/csv; charset=utf-8').header('Content-Disposition', 'attachment; filename="orders.csv"');
        const pieces = exportFound(db, services, store, query, 'csv');
        // Read the first chunk before the response starts, so that an invalid filter still gets an error response.
        const opening = [await pieces.next(), await pieces.next()];
        return Readable.from(
          (async function* () {
            yield UTF8_MARK;
            for (const { done, value } of opening) if (!done) yield value;
            for (;;) {
              const { done, value } = await limit('consoleRead', session.owner.id, () => pieces.next(), {
                isStreaming: true,
              });
              if (done) return;
              yield value;
            }
          })(),
          { objectMode: false },
        );
      },
    }),
    route({
      method: 'GET',
      path: '/stores/:storeId/orders/board',
      who: 'store',
      query: BoardQuery,
      handle: ({ store, query }) => boardColumn(db, services, store, query.group, query.cursor),
    }),
    route({
      method: 'GET',
      path: '/stores/:storeId/orders/choices',
      who: 'store',
      async handle({ store }): Promise<OrderChoices> {
        const scope = { ownerId: store.owner_id, storeId: store.id };
        return {
          statuses: await listOrderStatuses(db, store.id),
          paymentStatuses: await listPaymentStatuses(db, store.id),
          deliveryTypes: await listDeliveryTypes(db, scope),
          paymentTypes: await listPaymentTypes(db, scope),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/stores/:storeId/orders/products',
      who: 'store',
      query: ProductSearch,
      handle: ({ store, query }) => searchProducts(db, store.id, query.q ?? ''),
    }),
    route({
      method: 'POST',
      path: '/stores/:storeId/orders',
      who: 'store',
      body: OrderCreate,
      async handle({ session, store, body, reply, now }): Promise<OrderDetails> {
        const actor = { kind: 'owner', id: session.owner.id } as const;
        const request = { storeId: store.id, currency: store.currency, source: 'manual', actor, order: body } as const;
        const { id, replayed } = await createOrder(db, request, now);
        reply.code(replayed ? 200 : 201);
        return paper(store.id, id);
      },
    }),
    route({
      method: 'GET',
      path: '/stores/:storeId/orders/:orderId',
      who: 'store',
      handle: ({ store, params }) => paper(store.id, params.orderId as string),
    }),
    route({
      method: 'PATCH',
      path: '/stores/:storeId/orders/:orderId',
      who: 'store',
      body: OrderChange,
      async handle({ session, store, params, body, request, now }): Promise<OrderDetails> {
        const id = asUuid(params.orderId as string);
        if (!id) throw notFound('order');
        const actor = { kind: 'owner', id: session.owner.id } as const;
        const ifMatch = request.headers['if-match'];
        await changeOrder(db, { storeId: store.id, id, change: body, actor, ifMatch }, now);
        return paper(store.id, id);
      },
    }),
    route({
      method: 'POST',
      path: '/stores/:storeId/orders/deliveries/:deliveryId/resend',
      who: 'store',
      handle: ({ session, store, params }) =>
        resendDelivery(services, params.deliveryId as string, store.id, actorOf(session)),
    }),
  ];
}
