import type { OrderDetails } from '@store-sales/contract/console';
import { readProduct } from '../catalog/products.ts';
import { noticesOf } from '../customer-mail/notices.ts';
import { readCustomer } from '../customers/customers.ts';
import type { Database } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import type { ConsoleHandlers, ConsoleHandlersAt } from '../http/bind.ts';
import { LongResponse } from '../http/long-work.ts';
import { UTF8_BOM } from '../imports/csv-cells.ts';
import { listDeliveryTypes } from '../references/delivery-types.ts';
import { listPaymentTypes } from '../references/payment-types.ts';
import type { Services } from '../services.ts';
import { countOrders } from './read/count-orders.ts';
import { findAnything } from './read/find-anything.ts';
import { boardColumn, exportFound, findOrders, ordersOfCustomer } from './read/find-orders.ts';
import { movementsWithOrders } from './read/product-movements.ts';
import { readOrderWithPromo } from './read/read-order.ts';
import { shortagesOf } from './read/shortages.ts';
import { timelineOf } from './read/timeline.ts';
import { customerSales } from './sales/customer-sales.ts';
import { listOrderStatuses } from './statuses/order-statuses.ts';
import { listPaymentStatuses } from './statuses/payment-statuses.ts';
import { changeOrder } from './write/change-order.ts';
import { changeOrders } from './write/change-orders.ts';
import { createOrder } from './write/create-order.ts';
import { mailCustomer } from './write/mail-customer.ts';
import { mergeCustomers } from './write/merge-customers.ts';
import { trackOrders } from './write/track-orders.ts';

type OrderRoutes = Omit<
  ConsoleHandlersAt<'/stores/{storeId}/orders'>,
  keyof ConsoleHandlersAt<
    '/stores/{storeId}/orders/products' | '/stores/{storeId}/orders/promo-code' | '/stores/{storeId}/orders/deliveries'
  >
> &
  Pick<
    ConsoleHandlers,
    | 'GET /stores/{storeId}/customers/{customerId}/orders'
    | 'GET /stores/{storeId}/customers/{customerId}/sales'
    | 'POST /stores/{storeId}/customers/{customerId}/merge'
    | 'GET /stores/{storeId}/search'
    | 'GET /stores/{storeId}/products/{productId}/movements'
  >;

export function orderConsoleRoutes(services: Services, publicUrl: () => string): OrderRoutes {
  const { db } = services;
  const notices = noticesOf(services.config, publicUrl);

  async function details(storeId: string, id: string, at = db): Promise<OrderDetails> {
    const { body, etag, promo } = await readOrderWithPromo(at, storeId, id);
    const { data } = JSON.parse(body.toString());
    const timeline = await timelineOf({ ...services, db: at }, storeId, data.id);
    return { order: data, promo, etag, timeline, shortages: await shortagesOf(at, storeId, data.id) };
  }

  return {
    'GET /stores/{storeId}/search': async ({ store, query }) => ({
      body: await findAnything(db, services, store, query.q),
    }),
    'GET /stores/{storeId}/orders': async ({ store, query }) => ({
      body: await findOrders(db, services, store, query),
    }),
    async 'GET /stores/{storeId}/orders/export'({ store, query, work }) {
      const pieces = exportFound(db, services, store, query);
      // Read the first chunk before the response starts, so that an invalid filter still gets an error response.
      const opening = [await pieces.next(), await pieces.next()];
      async function* file() {
        yield UTF8_BOM;
        for (const { done, value } of opening) if (!done) yield value;
        yield* pieces;
      }
      return {
        body: new LongResponse(work, file()),
        headers: { 'Content-Disposition': 'attachment; filename="orders.csv"' },
      };
    },
    async 'GET /stores/{storeId}/products/{productId}/movements'({ store, params, query }) {
      const { id } = await readProduct(db, { storeId: store.id, currency: store.currency }, params.productId);
      return { body: await movementsWithOrders(services, store.id, id, query.cursor) };
    },
    'GET /stores/{storeId}/orders/board': async ({ store, query }) => ({
      body: await boardColumn(db, services, store, query),
    }),
    'GET /stores/{storeId}/orders/counts': async ({ store, query }) => ({
      body: await countOrders(db, store, query),
    }),
    'POST /stores/{storeId}/orders/bulk': async ({ store, actor, body, now }) => ({
      body: { results: await changeOrders(db, { storeId: store.id, actor, notices, ...body }, now) },
    }),
    'POST /stores/{storeId}/orders/tracking': async ({ store, actor, body, now }) => ({
      body: { results: await trackOrders(db, { storeId: store.id, actor, ...body, now }) },
    }),
    async 'GET /stores/{storeId}/orders/choices'({ store }) {
      const scope = { ownerId: store.owner_id, storeId: store.id };
      return {
        body: {
          statuses: await listOrderStatuses(db, store.id),
          paymentStatuses: await listPaymentStatuses(db, store.id),
          deliveryTypes: await listDeliveryTypes(db, scope),
          paymentTypes: await listPaymentTypes(db, scope),
        },
      };
    },
    async 'POST /stores/{storeId}/orders'({ store, actor, body, now, write }) {
      const { id: storeId, currency } = store;
      const plan = createOrder({ storeId, currency, source: 'manual', actor, order: body, now });
      const create = async (at: Database) => {
        const { id, replayed } = await at.write(plan);
        return { status: replayed ? 200 : 201, body: await details(store.id, id, at) };
      };
      // With an externalId the creation can be repeated anyway, and gets the current order.
      return body.externalId === undefined ? write(create) : create(db);
    },
    'GET /stores/{storeId}/orders/{orderId}': async ({ store, params }) => ({
      body: await details(store.id, params.orderId),
    }),
    async 'PATCH /stores/{storeId}/orders/{orderId}'({ store, actor, params, body, ifMatch, now }) {
      const id = asUuid(params.orderId);
      if (!id) throw notFound('order');
      const request = { storeId: store.id, id, change: body, appliesPromo: true, actor, notices, ifMatch, now };
      await db.write(changeOrder(request));
      return { body: await details(store.id, id) };
    },
    async 'POST /stores/{storeId}/orders/{orderId}/mails'({ store, actor, params, body, now }) {
      const id = asUuid(params.orderId);
      if (!id) throw notFound('order');
      await db.write(mailCustomer(notices, { storeId: store.id, id, text: body.text, actor, now }));
      return { body: await details(store.id, id) };
    },
    async 'GET /stores/{storeId}/customers/{customerId}/orders'({ store, params, query }) {
      const { id } = await readCustomer(db, store.id, params.customerId);
      return { body: await ordersOfCustomer(db, services, store.id, id, query.cursor) };
    },
    async 'GET /stores/{storeId}/customers/{customerId}/sales'({ store, params }) {
      const { id } = await readCustomer(db, store.id, params.customerId);
      return { body: await customerSales(db, store.id, id) };
    },
    async 'POST /stores/{storeId}/customers/{customerId}/merge'({ store, actor, params, body, now }) {
      const { customerId: keptId } = params;
      await mergeCustomers(db, { storeId: store.id, keptId, mergedId: body.otherId, actor, now });
      return { body: await readCustomer(db, store.id, keptId) };
    },
  };
}
