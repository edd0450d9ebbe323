import type { Queryable } from '../db/database.ts';
import { empty, join, raw, type Sql, sql } from '../db/sql.ts';
import type { Problem, Scope } from './rule.ts';

/** A promise that needs more than SQL: each row is read with what belongs to it, and checked. */
export interface RowRule<Row extends { store_id: string; id: string }> {
  table: string;
  /** Columns that are unique in a store together; rows are read in their order. */
  key: readonly (keyof Row & string)[];
  /** The columns to read from the table, whose alias is `t`, with what belongs to a row in one snapshot. */
  columns(db: Queryable): Sql;
  problems(row: Row, scope: Scope): Iterable<[kind: string, message: string]>;
  /** What further statements tell of a batch of rows. */
  problemsOfBatch?(db: Queryable, storeId: string, rows: readonly Row[]): Promise<Found[]>;
}

export type Found = Omit<Problem, 'store'>;

/** Rows in memory at a time. */
const BATCH_SIZE = 500;

/** Checks all rows and returns how many there were. */
export async function checkRows<Row extends { store_id: string; id: string }>(
  db: Queryable,
  scope: Scope,
  { table, key, columns, problems, problemsOfBatch }: RowRule<Row>,
  report: (problem: Problem) => void,
  onRows: (count: number) => void,
): Promise<number> {
  const { storeId } = scope;
  // A store without a change has no such rows.
  const stores = await db.all<{ store_id: string }>(
    sql`select store_id from store_clocks where seq > 0 ${storeId ? sql`and store_id = ${storeId}` : empty} order by store_id`,
  );
  const by = raw(key.map((column) => `t.${column}`).join(', '));
  let checked = 0;
  for (const { store_id: store } of stores)
    for (let last: Row | undefined; ; ) {
      const after = last
        ? sql`and (${by}) > (${join(
            key.map((column) => sql`${last?.[column]}`),
            ', ',
          )})`
        : empty;
      const rows = await db.all<Row>(
        sql`select ${columns(db)} from ${raw(table)} t where t.store_id = ${store} ${after} order by ${by} limit ${BATCH_SIZE}`,
      );
      for (const row of rows)
        try {
          for (const [kind, message] of problems(row, scope)) report({ store, kind, id: row.id ?? store, message });
        } catch (error) {
          const message = `a record of ${table} cannot be read: ${(error as Error).message}`;
          report({ store, kind: 'unreadable', id: row.id, message });
        }
      for (const found of (await problemsOfBatch?.(db, store, rows)) ?? []) report({ store, ...found });
      checked += rows.length;
      onRows(rows.length);
      if (rows.length < BATCH_SIZE) break;
      last = rows.at(-1);
    }
  return checked;
}
