import { DatabaseUnavailable, type Queryable } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { empty, raw, type Sql, sql } from '../sql.ts';

/** Rows for one statement. */
export interface StoreRows<Row> {
  rows: readonly Row[];
  /** See `Dialect.atStore`. */
  at(column: string): Sql;
}

/**
 * Rows of several stores as one part; in a distributed database, where a statement on the rows of several servers is slow
 * or not possible, as one part for each store.
 */
export function byStore<Row extends { store_id: string }>(dialect: Dialect, rows: readonly Row[]): StoreRows<Row>[] {
  if (!rows.length) return [];
  if (!dialect.isDistributed) return [{ rows, at: () => empty }];
  // Sorted, so that two nodes lock the rows of stores in the same order.
  const stores = [...new Set(rows.map(({ store_id }) => store_id))].sort();
  return stores.map((id) => ({
    rows: rows.filter(({ store_id }) => store_id === id),
    at: (column) => dialect.atStore(column, id),
  }));
}

/** `Dialect.atStore` for the store of these rows: in a distributed database, a transaction has the rows of one. */
export function atStoreOf(dialect: Dialect, column: string, [first, ...others]: readonly { store_id: string }[]): Sql {
  if (!first || !dialect.isDistributed) return empty;
  if (others.some(({ store_id }) => store_id !== first.store_id)) throw new Error('rows of several stores');
  return dialect.atStore(column, first.store_id);
}

/** How many stores use the database at once, so that connections are left for requests. */
const MAX_AT_ONCE = 4;

/** What could be done, and why not the rest. */
export interface PartialResult<Result> {
  results: Result[];
  error?: unknown;
}

/** The results of all parts that did not fail: while a server of a distributed database is lost, those of the others. */
export async function forEachStore<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Promise<Result[]>,
): Promise<PartialResult<Result>> {
  const left = [...parts];
  const results: Result[] = [];
  let error: unknown;
  const workers = Array.from({ length: MAX_AT_ONCE }, async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift())
      try {
        results.push(...(await work(part)));
      } catch (reason) {
        error ??= reason;
      }
  });
  await Promise.all(workers);
  return { results, error };
}

/**
 * Rows of all stores. While a server of a distributed database is lost, such a statement fails; the stores on the other
 * servers are asked one by one then, if they have rows for which `condition` is true.
 */
export async function ofAllStores<Row>(
  db: Queryable,
  read: (onlyIn: (column: string) => Sql) => Promise<Row[]>,
  { table, condition }: { table: string; condition: string },
): Promise<PartialResult<Row>> {
  try {
    return { results: await read(() => empty) };
  } catch (error) {
    if (!db.dialect.isDistributed || !(error instanceof DatabaseUnavailable)) throw error;
    const stores = await reachableStores(db, table, condition);
    const { results } = await forEachStore(stores, (id) => read((column) => db.dialect.atStore(column, id)));
    return { results, error };
  }
}

/** Citus opens a connection for each shard here, so it is not the usual way. */
async function reachableStores(db: Queryable, table: string, condition: string): Promise<string[]> {
  const command = `select coalesce(json_agg(distinct store_id), '[]') from %s where ${condition}`;
  const shards = await db.all<{ success: boolean; result: string }>(
    sql`select success, result from run_command_on_shards(${raw(`'${table}'`)}, ${command})`,
  );
  return shards.flatMap(({ success, result }) => (success ? (JSON.parse(result) as string[]) : []));
}

/**
 * Works on one part after the other until the time is over. A failure of one does not keep the others from being done;
 * the first is thrown at the end.
 */
export async function oneByOne<Part>(
  parts: readonly Part[],
  work: (part: Part) => Promise<unknown>,
  isOver: () => boolean,
) {
  let error: unknown;
  for (const part of parts) {
    if (isOver()) break;
    try {
      await work(part);
    } catch (reason) {
      error ??= reason;
    }
  }
  if (error) throw error;
}
