import { API_PREFIX, type endpoints, type Order, type OrderQuery, type OrderSummary } from '@store-sales/contract';
import { afterRepair } from '../db/after-repair.ts';
import { asUuid } from '../db/uuid.ts';
import type { Call, Handlers } from '../http/bind.ts';
import type { Caller } from '../keys/authenticate.ts';
import { notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { Kind } from '../store-limit.ts';
import { changeOrder } from './change-order.ts';
import { createOrder } from './create-order.ts';
import { listOrders } from './list-orders.ts';
import { readOrder, versioned } from './read-order.ts';

type OrderHandlers = Pick<Handlers, 'listOrders' | 'createOrder' | 'readOrder' | 'changeOrder'>;

/** Larger pages occupy their connection and the event loop long enough to delay other stores. */
const LARGE_PAGE_BYTES = 256 * 1024;
/** How long a store is expected to have large pages after one was seen. */
const LARGE_PAGE_TTL_MS = 10 * 60_000;
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
  const largeUntil = new Map<string, number>();

  function kindOf(name: string, query: OrderQuery, now: number): Kind {
    const until = largeUntil.get(name);
    // Unknown counts as large: the first burst of a store may consist of its largest pages.
    if (until === undefined || until > now) return 'largeRead';
    if (isBoundedSearch(query)) return 'slowRead';
    return query.with === 'items' ? 'itemsRead' : 'fastRead';
  }

  /** Slow pages use a pool connection, limited per store, and never the connections shared by all requests. */
  async function page({ caller, query, now, isGone }: Call<(typeof endpoints)['listOrders']>) {
    const { store_id: storeId } = caller;
    const name = `${storeId} ${query.with ?? ''}`;
    const kind = kindOf(name, query, now);
    const source = kind === 'largeRead' || kind === 'slowRead' ? db : db.fastReads;
    const read = () => listOrders(source, services, storeId, afterRepair(services.cursors, 'orders', caller, query));
    // Large pages count as slow too.
    const work = kind === 'largeRead' ? () => limit('slowRead', storeId, read) : read;
    const body = await limit(kind, storeId, work, { isGone });
    if (largeUntil.size >= MAX_REMEMBERED) largeUntil.clear();
    if (body.length >= LARGE_PAGE_BYTES) largeUntil.set(name, now + LARGE_PAGE_TTL_MS);
    else if (!largeUntil.has(name)) largeUntil.set(name, now);
    return body;
  }

  const respond = ({ body, etag }: { body: Buffer; etag: string }) => ({
    body,
    headers: { ETag: etag } as Record<string, string>,
  });
  /** A key that may not read orders gets only the order's ids and, for `If-Match`, its version. */
  const permitted = ({ rightSet }: Caller, shown: { body: Buffer; etag: string }) =>
    respond(rightSet.has('orders:read') ? shown : { ...shown, body: summaryOf(shown.body) });

  return {
    listOrders: async (call) => ({ body: await page(call), cacheableBySeq: true }),

    readOrder: async ({ caller, id }) => ({
      ...respond(await readOrder(db.fastReads, caller.store_id, id)),
      cacheableBySeq: true,
    }),

    async createOrder({ caller, body, now }) {
      const created = await createOrder(
        db,
        {
          storeId: caller.store_id,
          currency: caller.currency,
          source: 'api',
          actor: { kind: 'key', id: caller.id },
          order: body,
        },
        now,
      );
      const shown = versioned(created.shown);
      if (created.replayed) {
        const { headers, ...rest } = permitted(caller, shown);
        return { ...rest, status: 200, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
      }
      const { headers, ...rest } = respond(shown);
      return { ...rest, status: 201, headers: { ...headers, Location: `${API_PREFIX}/orders/${created.id}` } };
    },

    async changeOrder({ caller, id, body, ifMatch, now }) {
      const wanted = asUuid(id);
      if (!wanted) throw notFound('order');
      const actor = { kind: 'key', id: caller.id } as const;
      const shown = await changeOrder(db, { storeId: caller.store_id, id: wanted, change: body, actor, ifMatch }, now);
      return permitted(caller, versioned(shown));
    },
  };
}

function summaryOf(body: Buffer): Buffer {
  const { id, number, externalId, createdAt } = (JSON.parse(body.toString()) as { data: Order }).data;
  const data: OrderSummary = { id, number, externalId, createdAt };
  return Buffer.from(JSON.stringify({ data }));
}
