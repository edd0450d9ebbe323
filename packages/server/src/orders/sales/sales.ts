import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database, Queryable } from '../../db/database.ts';
import { HOUR } from '../../time/duration.ts';
import { lastDays, type StoreDay } from '../../time/store-days.ts';
import * as queries from './sales.queries.ts';

/** With more changed orders than this, all cached days are dropped instead of the affected ones. */
const MAX_CHANGED_ORDERS = 5000;
/** Maximum day × status sums per statement, so that one statement does not block others for long. */
const MAX_SUMS_PER_STATEMENT = 120;
const MAX_STORES = 100;
const MAX_DAYS = 400;
/** Smaller stores are summed on demand. */
const LARGE_STORE_ORDERS = 50_000;
/** A day may be longer than 24 hours when DST ends or the time zone changes. */
const MAX_DAY_MS = 26 * HOUR;
/** Groups of statuses whose orders do not count as sales. */
const excludedGroups: readonly string[] = ['cancelled', 'returned'];

export interface SalesStore {
  id: string;
  timezone: string;
}

/** Revenue is the total of all orders but cancelled and returned ones, paid or not. */
export const countsAsSale = ({ group }: { group: string }) => !excludedGroups.includes(group);

/** Whether the store has ever had an order. */
export const hasOrders = async (db: Queryable, storeId: string) =>
  ((await queries.clockOf(db, storeId))?.last_number ?? 0) > 0;

/** Counting stops here, so that the time does not grow with the store. */
const MAX_DUE = 10_000;

/** What the orders of a store still cost. */
export async function dueOf(db: Queryable, storeId: string) {
  const { seen, count, sum } = await queries.sumDue(db, storeId, MAX_DUE + 1);
  return { orders: count, amount: sum, isMore: seen > MAX_DUE };
}

export interface DaySums extends StoreDay {
  byStatus: queries.StatusSum[];
}

interface CachedSales {
  clock: { seq: number; ts: number };
  days: Map<number, queries.StatusSum[]>;
  products: Map<number, queries.ProductSum[]>;
}

/**
 * Cache of sales by day that is never stale: only the days whose orders changed since (by change number) are summed
 * again. 180 days of a million orders then read a few thousand rows instead of 500,000. Updating a summary with every order
 * change instead would slow down every order.
 */
export function salesCache(db: Database) {
  const stores = new LRUCache<string, CachedSales>({ max: MAX_STORES });

  /** Cached days of a store, without the outdated ones. */
  async function current(storeId: string): Promise<CachedSales> {
    // Read first: later changes are picked up by the next call.
    const clock = (await queries.clockOf(db, storeId)) ?? { seq: 0, ts: 0, last_number: 0 };
    let cached = stores.get(storeId);
    if (cached && clock.seq !== cached.clock.seq) {
      const changed = await queries.changedSince(db, storeId, cached.clock, MAX_CHANGED_ORDERS);
      for (const days of [cached.days, cached.products]) {
        if (changed.length === MAX_CHANGED_ORDERS) days.clear();
        for (const from of days.keys())
          if (changed.some(({ created_at: at }) => at >= from && at < from + MAX_DAY_MS)) days.delete(from);
      }
    }
    cached = { days: new Map(), products: new Map(), ...cached, clock };
    stores.set(storeId, cached);
    for (const days of [cached.days, cached.products]) if (days.size > MAX_DAYS) days.clear();
    return cached;
  }

  const cache = {
    /** Sums of the last days by status, today last. */
    async days({ id, timezone }: SalesStore, statusIds: readonly string[], count: number, now: number) {
      const cached = await current(id);
      const days = lastDays(now, timezone, count);
      const found = new Map<number, queries.StatusSum[]>();
      const missing: StoreDay[] = [];
      for (const day of days) {
        const known = cached.days.get(day.from);
        found.set(day.from, known ?? []);
        if (!known) missing.push(day);
      }
      const daysPerStatement = Math.max(1, Math.floor(MAX_SUMS_PER_STATEMENT / statusIds.length));
      while (missing.length) {
        const some = missing.splice(0, daysPerStatement);
        const ranges = some.flatMap(({ from, to }) => statusIds.map((status_id) => ({ status_id, from, to })));
        for (let start = 0; start < ranges.length; start += MAX_SUMS_PER_STATEMENT) {
          const sums = await queries.sumDays(db, id, ranges.slice(start, start + MAX_SUMS_PER_STATEMENT));
          for (const { day_at: from, ...sum } of sums) if (sum.orders) found.get(from)?.push(sum);
          await yieldToEventLoop();
        }
        // If another request has replaced the cache entry, these sums may be outdated.
        if (stores.get(id) === cached)
          for (const { from } of some) cached.days.set(from, found.get(from) as queries.StatusSum[]);
      }
      return days.map((day): DaySums => ({ ...day, byStatus: found.get(day.from) as queries.StatusSum[] }));
    },

    /** Products with the highest revenue in the last days. */
    async bestProducts(
      { id, timezone }: SalesStore,
      statuses: readonly { id: string; group: string }[],
      count: number,
      limit: number,
      now: number,
    ) {
      const cached = await current(id);
      const excluded = statuses.filter((status) => !countsAsSale(status)).map((status) => status.id);
      const sums = new Map<string, { quantity: number; revenue: number }>();
      for (const day of lastDays(now, timezone, count)) {
        let rows = cached.products.get(day.from);
        if (!rows) {
          const orderIds = { from: idAt(day.from), to: idAt(day.to) };
          rows = await queries.sumProducts(db, id, day, orderIds, excluded);
          // If another request has replaced the cache entry, these sums may be outdated.
          if (stores.get(id) === cached) cached.products.set(day.from, rows);
          await yieldToEventLoop();
        }
        for (const { product_id: productId, quantity, revenue } of rows) {
          const sum = sums.get(productId) ?? { quantity: 0, revenue: 0 };
          sums.set(productId, {
            quantity: sum.quantity + Number(quantity),
            revenue: sum.revenue + Number(revenue),
          });
        }
      }
      const best = [...sums].sort(([, a], [, b]) => b.revenue - a.revenue).slice(0, limit);
      const names = await queries.productNames(
        db,
        id,
        best.map(([productId]) => productId),
      );
      return best.map(([productId, sum]) => {
        const { name = '', sku = '' } = names.find((product) => product.id === productId) ?? {};
        return { id: productId, name, sku: sku ?? '', ...sum };
      });
    },

    /** Warms the cache for large stores: with a million orders, the first request would take half a second or more. */
    async warmUp(count: number, now: number, isStopped: () => boolean, atLeast = LARGE_STORE_ORDERS) {
      for (const store of await queries.largeStores(db, atLeast, MAX_STORES)) {
        if (isStopped()) return;
        const statuses = await queries.statusesOf(db, store.id);
        await cache.days(
          store,
          statuses.map(({ id }) => id),
          count * 2,
          now,
        );
        await cache.bestProducts(store, statuses, count, 0, now);
      }
    },
  };
  return cache;
}

export type SalesCache = ReturnType<typeof salesCache>;

/** The smallest id an order created at this instant can have. */
function idAt(instant: number): string {
  const hex = instant.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
