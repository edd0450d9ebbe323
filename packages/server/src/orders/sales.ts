import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { lastRepair } from './repair-clock.ts';
import * as queries from './sales.queries.ts';
import { lastDays, type StoreDay } from './store-days.ts';

/** With more changed orders than this, all cached days are dropped instead of the affected ones. */
const MOST_CHANGED = 5000;
/** Maximum day × status sums per statement, so that one statement does not block others for long. */
const SUMS_AT_ONCE = 120;
const MOST_STORES = 100;
const MOST_DAYS = 400;
/** Smaller stores are summed on demand. */
const MANY_ORDERS = 50_000;
/** A day may be longer than 24 hours when DST ends or the time zone changes. */
const LONGEST_DAY = 26 * 3_600_000;
const SAVE_MS = 5 * 60_000;
/** An order may be committed this long after its day ended, by a slow transaction or a node whose clock is behind. */
const LATE_COMMIT_MS = 10 * 60_000;

export interface SalesStore {
  id: string;
  timezone: string;
}

export interface DaySums extends StoreDay {
  byStatus: queries.StatusSum[];
}

interface Kept {
  clock: { seq: number; ts: number };
  days: Map<number, queries.StatusSum[]>;
  products: Map<number, queries.ProductSum[]>;
  savedAt: number;
}

/**
 * Cache of sales by day that is never stale: only the days whose orders changed since (by change number) are summed
 * again. 180 days of a million orders then read a few thousand rows instead of 500,000. Finished days are also saved to
 * the database from time to time, for other processes. Updating a summary with every order change instead would slow
 * down every order.
 */
export function salesCache(db: Database, onError: (error: unknown) => void) {
  const stores = new Map<string, Kept>();

  /** Cached days of a store, without the outdated ones. */
  async function current(storeId: string): Promise<Kept> {
    // Read first: later changes are picked up by the next call.
    const clock = (await queries.clockOf(db, storeId)) ?? { seq: 0, ts: 0, repairs: null };
    let kept = stores.get(storeId) ?? (await restored(storeId));
    // Repairing a store's clock moves orders to other days and gives them earlier timestamps.
    if (kept && lastRepair(clock.repairs) > kept.clock.seq) kept = undefined;
    stores.delete(storeId);
    if (kept && clock.seq !== kept.clock.seq) {
      const changed = await queries.changedSince(db, storeId, kept.clock, MOST_CHANGED);
      if (changed.length === MOST_CHANGED) kept.days.clear();
      for (const from of kept.days.keys())
        if (changed.some(({ created_at: at }) => at >= from && at < from + LONGEST_DAY)) kept.days.delete(from);
    }
    kept = kept ? { ...kept, clock } : { clock, days: new Map(), products: new Map(), savedAt: 0 };
    if (stores.size >= MOST_STORES) stores.delete(stores.keys().next().value as string);
    stores.set(storeId, kept);
    for (const days of [kept.days, kept.products]) if (days.size > MOST_DAYS) days.clear();
    return kept;
  }

  /** Days saved by an earlier process or another node. */
  async function restored(storeId: string): Promise<Kept | undefined> {
    const rows = await queries.keptDays(db, storeId);
    const read = <Sum>(kind: queries.KeptDay['kind']) =>
      new Map(rows.filter((row) => row.kind === kind).map((row) => [row.day_at, JSON.parse(row.sums) as Sum[]]));
    const [oldest] = rows.filter(({ kind }) => kind === 'statuses').sort((a, b) => a.seq - b.seq);
    const [days, products] = [read<queries.StatusSum>('statuses'), read<queries.ProductSum>('products')];
    return oldest && { clock: oldest, days, products, savedAt: 0 };
  }

  /** Saves finished days, at most every `SAVE_MS`. If that fails, they are summed again. */
  function save(storeId: string, kept: Kept, now: number) {
    if (stores.get(storeId) !== kept || now - kept.savedAt < SAVE_MS) return;
    kept.savedAt = now;
    const { seq, ts } = kept.clock;
    const rows = (kind: queries.KeptDay['kind'], days: ReadonlyMap<number, unknown[]>) =>
      [...days]
        .filter(([from]) => from < now - LONGEST_DAY)
        .map(([from, sums]) => ({ kind, day_at: from, seq, ts, sums: JSON.stringify(sums) }));
    const over = [...rows('statuses', kept.days), ...rows('products', kept.products)];
    const written = db.transaction(
      async (tx) => {
        await queries.keepDays(tx, storeId, over);
        await queries.forgetDays(tx, storeId, now - MOST_DAYS * LONGEST_DAY);
      },
      { isLazy: true },
    );
    written.catch(onError);
  }

  const book = {
    /** Sums of the last days by status, today last. */
    async days({ id, timezone }: SalesStore, statusIds: readonly string[], count: number, now: number) {
      const kept = await current(id);
      const wanted = lastDays(now, timezone, count);
      const found = new Map<number, queries.StatusSum[]>();
      const missing: StoreDay[] = [];
      for (const day of wanted) {
        const known = kept.days.get(day.from);
        found.set(day.from, known ?? []);
        if (!known) missing.push(day);
      }
      const atOnce = Math.max(1, Math.floor(SUMS_AT_ONCE / statusIds.length));
      while (missing.length) {
        const some = missing.splice(0, atOnce);
        const ranges = some.flatMap(({ from, to }) => statusIds.map((status_id) => ({ status_id, from, to })));
        for (let start = 0; start < ranges.length; start += SUMS_AT_ONCE) {
          const sums = await queries.sumDays(db, id, ranges.slice(start, start + SUMS_AT_ONCE));
          for (const { day_at: from, ...sum } of sums) if (sum.orders) found.get(from)?.push(sum);
          await othersFirst();
        }
        // If another request has replaced the cache entry, these sums may be outdated.
        if (stores.get(id) === kept)
          for (const { from } of some) kept.days.set(from, found.get(from) as queries.StatusSum[]);
      }
      save(id, kept, now);
      return wanted.map((day): DaySums => ({ ...day, byStatus: found.get(day.from) as queries.StatusSum[] }));
    },

    /** Products with the highest revenue in the last days. Lines never change, so a finished day is read once. */
    async bestProducts({ id, timezone }: SalesStore, count: number, limit: number, now: number) {
      const kept = await current(id);
      const { products } = kept;
      const sums = new Map<string, { quantity: number; revenue: number }>();
      for (const { from, to } of lastDays(now, timezone, count)) {
        let rows = products.get(from);
        if (!rows) {
          rows = await queries.sumProducts(db, id, idAt(from), idAt(to));
          if (to <= now - LATE_COMMIT_MS) products.set(from, rows);
          await othersFirst();
        }
        for (const { product_id: productId, quantity, revenue } of rows) {
          const sum = sums.get(productId) ?? { quantity: 0, revenue: 0 };
          sums.set(productId, {
            quantity: sum.quantity + Number(quantity),
            revenue: sum.revenue + Number(revenue),
          });
        }
      }
      save(id, kept, now);
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
    async lookAhead(count: number, now: number, isStopped: () => boolean, atLeast = MANY_ORDERS) {
      for (const place of await queries.largeStores(db, atLeast, MOST_STORES)) {
        if (isStopped()) return;
        const statuses = await queries.statusIds(db, place.id);
        await book.days(
          place,
          statuses.map(({ id }) => id),
          count * 2,
          now,
        );
        await book.bestProducts(place, count, 0, now);
      }
    },
  };
  return book;
}

export type SalesCache = ReturnType<typeof salesCache>;

/** The smallest id an order created at this instant can have. */
function idAt(instant: number): string {
  const hex = instant.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
