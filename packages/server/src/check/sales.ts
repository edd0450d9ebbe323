import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { lastDays, type StoreDay } from '../time/store-days.ts';
import type { Found, RowRule } from './rows.ts';

interface SavedDay {
  store_id: string;
  id: string;
  kind: string;
  day_at: number;
  /** The change number of the store when the day was summed. */
  seq: number;
  /** As JSON. */
  sums: string;
  timezone: string;
}

interface Sum {
  id: string;
  count: number;
  revenue: number;
}

/** The saved sums of a day are those of its orders, if none of these has changed since. */
export const salesDays: RowRule<SavedDay> = {
  table: 'sales_days',
  key: ['kind', 'day_at'],
  columns: () =>
    sql`t.store_id, t.store_id as id, t.kind, t.day_at, t.seq, t.sums,
        (select s.timezone from stores s where s.id = t.store_id) as timezone`,
  *problems() {},
  async problemsOfBatch(db, storeId, rows) {
    const found: Found[] = [];
    for (const row of rows) {
      const kind = kinds[row.kind];
      const [day] = lastDays(row.day_at, row.timezone, 1) as [StoreDay];
      // Saved by an earlier version, or before the time zone was changed.
      if (!kind || day.from !== row.day_at) continue;
      const sums = await kind.sum(db, storeId, day);
      // Read last: what has changed meanwhile has a higher number.
      if ((await lastChange(db, storeId, day)) > row.seq) continue;
      if (savedIn(row, kind) !== textOf(sums))
        found.push({
          id: storeId,
          kind: 'sales_of_day',
          message: `the sums of ${day.date} by ${kind.by} are not those of its orders`,
        });
    }
    return found;
  },
};

function savedIn({ sums }: SavedDay, { saved }: Kind): string | undefined {
  try {
    return textOf((JSON.parse(sums) as Record<string, unknown>[]).map(saved));
  } catch {
    return undefined;
  }
}

const textOf = (sums: readonly Sum[]) =>
  sums
    .map(({ id, count, revenue }) => `${id} ${count} ${exact(revenue)}`)
    .sort()
    .join();

/** Larger sums depend on the order of their addends. */
const exact = (sum: number) => (Number.isSafeInteger(sum) ? sum : sum.toPrecision(10));

interface Kind {
  by: string;
  saved(sum: Record<string, unknown>): Sum;
  sum(db: Queryable, storeId: string, day: StoreDay): Promise<Sum[]>;
}

const kinds: Record<string, Kind> = {
  statuses: {
    by: 'status',
    saved: ({ status_id, orders, revenue }) => sumOf(status_id, orders, revenue),
    async sum(db, storeId, { from, to }) {
      const rows = await db.all<{ status_id: string; orders: number; revenue: number }>(
        sql`select status_id, count(*) as orders, sum(cast(total_amount as double precision)) as revenue from orders
            where store_id = ${storeId} and created_at >= ${from} and created_at < ${to} group by status_id`,
      );
      return rows.map(({ status_id, orders, revenue }) => sumOf(status_id, orders, revenue));
    },
  },
  sold: {
    by: 'product',
    saved: ({ product_id, quantity, revenue }) => sumOf(product_id, quantity, revenue),
    async sum(db, storeId, { from, to }) {
      const rows = await db.all<{ product_id: string; quantity: number; revenue: number }>(
        sql`select l.product_id, sum(l.quantity) as quantity, sum(cast(l.line_total as double precision)) as revenue
            from orders o
            join order_statuses s on s.store_id = o.store_id and s.id = o.status_id
              and s.status_group not in ('cancelled', 'returned')
            join order_lines l on l.store_id = o.store_id and l.order_id = o.id
            where o.store_id = ${storeId} and o.created_at >= ${from} and o.created_at < ${to} group by l.product_id`,
      );
      return rows.map(({ product_id, quantity, revenue }) => sumOf(product_id, quantity, revenue));
    },
  },
};

const sumOf = (id: unknown, count: unknown, revenue: unknown): Sum => ({
  id: String(id),
  count: Number(count),
  revenue: Number(revenue),
});

const lastChange = async (db: Queryable, storeId: string, { from, to }: StoreDay) =>
  Number(
    (
      await db.one<{ seq: number | null }>(
        sql`select max(seq) as seq from orders
            where store_id = ${storeId} and created_at >= ${from} and created_at < ${to}`,
      )
    )?.seq,
  );
