import { API_PREFIX, type Order, type OrderQuery, type OrderSummary } from '@store-sales/contract';
import { LRUCache } from 'lru-cache';
import { afterRepair } from '../db/after-repair.ts';
import type { Database } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import { MINUTE } from '../duration.ts';
import type { ApiCall, ApiHandlers } from '../http/bind.ts';
import type { KeyCaller } from '../http/callers.ts';
import type { Result } from '../http/result.ts';
import type { Services } from '../services.ts';
import type { Kind } from '../store-limit.ts';
import { changeOrder } from './change-order.ts';
import { createOrder } from './create-order.ts';
import { listOrders } from './list-orders.ts';
import { readOrder, versioned } from './read-order.ts';

type OrderHandlers = Pick<ApiHandlers, 'listOrders' | 'createOrder' | 'readOrder' | 'changeOrder'>;

/** Larger pages occupy their connection and the event loop long enough to delay other stores. */
const LARGE_PAGE_BYTES = 256 * 1024;
/** How long a store is expected to have large pages after one was seen. */
const LARGE_PAGE_TTL_MS = 10 * MINUTE;
/** Maximum number of stores whose page sizes are remembered. */
const MAX_REMEMBERED = 10_000;

/** A filter by the time that is not the sort key: thousands of rows may be scanned (`SEARCH_LIMIT`). */
const isBoundedSearch = (query: OrderQuery) => {
  const other = query.order?.startsWith('updatedAt') ? 'createdAt' : 'updatedAt';
  return query[`filter[${other}][from]`] !== undefined || query[`filter[${other}][to]`] !== undefined;
};

export function orderRoutes(services: Services): OrderHandlers {
  const { db, limit } = services;
  /** Until when a store's pages, with or without items, are expected to be large. */
  const largeUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  function kindOf(name: string, query: OrderQuery, now: number): Kind {
    const until = largeUntil.get(name);
    // Unknown counts as large: the first burst of a store may consist of its largest pages.
    if (until === undefined || until > now) return 'largeRead';
    if (isBoundedSearch(query)) return 'slowRead';
    return query.with === 'items' ? 'itemsRead' : 'fastRead';
  }

  /** Slow pages use a pool connection, limited per store, and never the connections shared by all requests. */
  async function page({ caller, query, now, isGone }: ApiCall<'listOrders'>) {
    const { store_id: storeId } = caller;
    const name = `${storeId} ${query.with ?? ''}`;
    const kind = kindOf(name, query, now);
    const source = kind === 'largeRead' || kind === 'slowRead' ? db : db.fastReads;
    const read = () => listOrders(source, services, storeId, afterRepair(services.cursors, 'orders', caller, query));
    // Large pages count as slow too.
    const work = kind === 'largeRead' ? () => limit('slowRead', storeId, read) : read;
    const body = await limit(kind, storeId, work, { isGone });
    if (body.length >= LARGE_PAGE_BYTES) largeUntil.set(name, now + LARGE_PAGE_TTL_MS);
    else if (!largeUntil.has(name)) largeUntil.set(name, now);
    return body;
  }

  const respond = ({ body, etag }: { body: Buffer; etag: string }) => ({
    body,
    headers: { ETag: etag } as Record<string, string>,
  });
  /** A key that may not read orders gets only the order's ids and, for `If-Match`, its version. */
  const permitted = <Shown extends { body: Buffer }>({ rightSet }: KeyCaller, response: Shown): Shown =>
    rightSet.has('orders:read') ? response : { ...response, body: summaryOf(response.body) };

  return {
    listOrders: async (call) => ({ body: await page(call), cacheableBySeq: true }),

    readOrder: async ({ caller, params }) => ({
      ...respond(await readOrder(db.fastReads, caller.store_id, params.id)),
      cacheableBySeq: true,
    }),

    async createOrder({ caller, actor, body, now, write }) {
      const { store_id: storeId, currency } = caller;
      const create = async (at: Database): Promise<Result<never>> => {
        const created = await createOrder(at, { storeId, currency, source: 'api', actor, order: body }, now);
        const { headers, ...rest } = respond(versioned(created.response));
        if (created.replayed)
          return permitted(caller, { ...rest, status: 200, headers: { ...headers, 'Idempotent-Replayed': 'true' } });
        return { ...rest, status: 201, headers: { ...headers, Location: `${API_PREFIX}/orders/${created.id}` } };
      };
      // With an externalId the creation can be repeated anyway, and gets the current order.
      if (body.externalId !== undefined) return create(db);
      return write(create, (kept) => permitted(caller, kept), {});
    },

    async changeOrder({ caller, actor, params, body, ifMatch, now }) {
      const validId = asUuid(params.id);
      if (!validId) throw notFound('order');
      const response = await changeOrder(
        db,
        { storeId: caller.store_id, id: validId, change: body, actor, ifMatch },
        now,
      );
      return permitted(caller, respond(versioned(response)));
    },
  };
}

function summaryOf(body: Buffer): Buffer {
  const { id, number, externalId, createdAt } = (JSON.parse(body.toString()) as { data: Order }).data;
  const data: OrderSummary = { id, number, externalId, createdAt };
  return Buffer.from(JSON.stringify({ data }));
}
