import { API_PREFIX, type Order, type OrderSummary } from '@store-sales/contract';
import { noticesOf } from '../customer-mail/notices.ts';
import type { Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import type { ApiCall, ApiHandlers } from '../http/bind.ts';
import type { KeyCaller } from '../http/callers.ts';
import { isKnown } from '../http/if-none-match.ts';
import { readPage } from '../http/read-page.ts';
import type { Result } from '../http/result.ts';
import type { Services } from '../services.ts';
import { listOrders } from './read/list-orders.ts';
import { isRareSearch } from './read/rare-filters.ts';
import { readOrder, versioned } from './read/read-order.ts';
import { changeOrder } from './write/change-order.ts';
import { type Created, createOrder } from './write/create-order.ts';

type OrderHandlers = Pick<ApiHandlers, 'listOrders' | 'createOrder' | 'readOrder' | 'changeOrder'>;

export function orderRoutes(services: Services, publicUrl: () => string): OrderHandlers {
  const { db } = services;
  const notices = noticesOf(services.config, publicUrl);

  const page = (call: ApiCall<'listOrders'>) => {
    const { caller, query } = call;
    const read = (source: Queryable) => listOrders(source, services, caller.store_id, query);
    return readPage(services, call, read, { isLarge: query.with === 'items', isSearch: isRareSearch(query) });
  };

  const respond = ({ body, etag }: { body: Buffer; etag: string }) => ({
    body,
    headers: { ETag: etag } as Record<string, string>,
  });
  /** A key that may not read orders gets only the order's ids and, for `If-Match`, its version. */
  const permitted = <Shown extends { body: Buffer }>({ rightSet }: KeyCaller, response: Shown): Shown =>
    rightSet.has('orders:read') ? response : { ...response, body: summaryOf(response.body) };

  return {
    async listOrders(call) {
      const headers = { ETag: storeTag(call.caller) };
      if (isKnown(call.request, headers.ETag)) return { headers, body: Buffer.of() };
      return { headers, body: await page(call), cacheableBySeq: true };
    },

    readOrder: async ({ caller, params }) => ({
      ...respond(await readOrder(db.fastReads, caller.store_id, params.id)),
      cacheableBySeq: true,
    }),

    async createOrder({ caller, actor, body, now, write }) {
      const { store_id: storeId, currency } = caller;
      const plan = createOrder({ storeId, currency, source: 'api', actor, order: body, now });
      const created = (order: Created): Result<never> => {
        const { headers, ...rest } = respond(versioned(order));
        if (order.replayed)
          return permitted(caller, { ...rest, status: 200, headers: { ...headers, 'Idempotent-Replayed': 'true' } });
        return { ...rest, status: 201, headers: { ...headers, Location: `${API_PREFIX}/orders/${order.id}` } };
      };
      // With an externalId the creation can be repeated anyway, and gets the current order.
      if (body.externalId !== undefined) return created(await db.write(plan));
      return write.plan(plan, created, (kept) => permitted(caller, kept));
    },

    async changeOrder({ caller, actor, params, body, ifMatch, now }) {
      const id = asUuid(params.id);
      if (!id) throw notFound('order');
      const { store_id: storeId } = caller;
      const request = { storeId, id, change: body, appliesPromo: false, actor, notices, ifMatch, now };
      return permitted(caller, respond(versioned(await db.write(changeOrder(request)))));
    },
  };
}

/** The version of every list of orders: each change of the store makes a new one, so no row is read to compare it. */
const storeTag = ({ seq, ts }: KeyCaller) => `"${seq}-${ts}"`;

function summaryOf(body: Buffer): Buffer {
  const { id, number, externalId, createdAt } = (JSON.parse(body.toString()) as { data: Order }).data;
  const data: OrderSummary = { id, number, externalId, createdAt };
  return Buffer.from(JSON.stringify({ data }));
}
