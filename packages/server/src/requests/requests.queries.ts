import type { Queryable, Transaction } from '../db/database.ts';
import { all, empty, type Sql, sql } from '../db/sql.ts';

const kinds = {
  store_id: 'uuid',
  id: 'uuid',
  received_at: 'instant',
  key_id: 'uuid',
  method: 'text',
  route: 'text',
  status: 'integer',
  code: 'text',
  duration_ms: 'integer',
  request_id: 'text',
  address: 'text',
  query: 'text',
  problem: 'text',
} as const;

export type NewRow = Omit<LogRow, 'key_name'> & { store_id: string; problem: string | null };

const insertOne = (tx: Transaction, row: NewRow) =>
  tx.run(
    sql`insert into request_log (store_id, id, received_at, key_id, method, route, status, code, duration_ms, request_id,
                                 address, query, problem)
        values (${row.store_id}, ${row.id}, ${row.received_at}, ${row.key_id}, ${row.method}, ${row.route}, ${row.status},
                ${row.code}, ${row.duration_ms}, ${row.request_id}, ${row.address}, ${row.query}, ${row.problem})`,
  );

const insertAll = (tx: Transaction, rows: readonly NewRow[]) =>
  tx.run(
    sql`insert into request_log (store_id, id, received_at, key_id, method, route, status, code, duration_ms, request_id,
                                 address, query, problem)
        ${tx.dialect.newRows(kinds, rows)}`,
  );

/** Adds lines, and deletes the oldest of stores that then have too many. */
export async function insert(tx: Transaction, rows: readonly NewRow[], maxLines: number) {
  // On SQLite, to read the rows from JSON takes as long again as to insert them.
  if (tx.dialect.engine === 'sqlite') for (const row of rows) await insertOne(tx, row);
  else await insertAll(tx, rows);
  const added = new Map<string, number>();
  for (const { store_id: id } of rows) added.set(id, (added.get(id) ?? 0) + 1);
  // Sorted, so that two nodes lock the rows in the same order.
  const sizes = [...added].sort().map(([store_id, lines]) => ({ store_id, lines }));
  const stored = await tx.all<{ store_id: string; lines: number }>(
    sql`insert into request_log_sizes (store_id, lines)
        ${tx.dialect.newRows({ store_id: 'uuid', lines: 'integer' }, sizes)}
        on conflict (store_id) do update set lines = request_log_sizes.lines + excluded.lines
        returning store_id, lines`,
  );
  for (const { store_id: storeId, lines } of stored)
    if (lines > maxLines) await deleteOldest(tx, storeId, lines - maxLines);
}

/** Deletes up to `limit` of the oldest lines, only those below an id if it is given; returns their number. */
export async function deleteOldest(tx: Transaction, storeId: string, limit: number, below?: string): Promise<number> {
  const old = sql`store_id = ${storeId} ${below ? sql`and id < ${below}` : empty}`;
  const next = await tx.one<{ id: string }>(
    sql`select id from request_log where ${old} order by id limit 1 offset ${limit}`,
  );
  const end = next?.id ?? below;
  if (!end) return 0;
  const deleted = await tx.run(sql`delete from request_log where store_id = ${storeId} and id < ${end}`);
  await tx.run(sql`update request_log_sizes set lines = lines - ${deleted} where store_id = ${storeId}`);
  return deleted;
}

/** Whether a store has lines below an id. */
export const hasLines = async (db: Queryable, storeId: string, below: string) =>
  (await db.one(sql`select id from request_log where store_id = ${storeId} and id < ${below} order by id limit 1`)) !==
  undefined;

export interface LogFilter {
  keyId?: string | undefined;
  /** From and including, to and including. */
  statuses?: readonly [number, number] | undefined;
  method?: string | undefined;
  route?: string | undefined;
  requestId?: string | undefined;
}

/** The ids from `from` up to but excluding `before`. */
export interface IdRange {
  from: string;
  before: string;
}

export interface LogRow {
  id: string;
  received_at: number;
  key_id: string;
  key_name: string | null;
  method: string;
  route: string;
  status: number;
  code: string | null;
  duration_ms: number;
  request_id: string;
  address: string;
  query: string;
}

const columns = sql`r.id, r.received_at, r.key_id, k.name as key_name, r.method, r.route, r.status, r.code, r.duration_ms,
                    r.request_id, r.address, r.query`;

const conditions = ({ keyId, statuses, method, route, requestId }: LogFilter): Sql[] => [
  ...(keyId ? [sql`r.key_id = ${keyId}`] : []),
  ...(statuses ? [sql`r.status between ${statuses[0]} and ${statuses[1]}`] : []),
  ...(method ? [sql`r.method = ${method}`] : []),
  ...(route ? [sql`r.route = ${route}`] : []),
  ...(requestId ? [sql`r.request_id = ${requestId}`] : []),
];

export const isFiltered = (filter: LogFilter) => conditions(filter).length > 0;

const matching = ({ from, before }: IdRange, filter: LogFilter = {}) =>
  all([sql`r.id >= ${from} and r.id < ${before}`, ...conditions(filter)]);

/** The id of the line that is `count` lines below the end of the range; undefined if there are fewer. */
export const idBelow = async (db: Queryable, storeId: string, range: IdRange, count: number) =>
  (
    await db.one<{ id: string }>(
      sql`select r.id from request_log r where r.store_id = ${storeId} and ${matching(range)}
          order by r.id desc limit 1 offset ${count - 1}`,
    )
  )?.id;

/** Newest first. */
export const list = (db: Queryable, storeId: string, range: IdRange, filter: LogFilter, limit: number) =>
  db.all<LogRow>(
    sql`select ${columns} from request_log r
        left join api_keys k on k.store_id = r.store_id and k.id = r.key_id
        where r.store_id = ${storeId} and ${matching(range, filter)}
        order by r.id desc limit ${limit}`,
  );

/** Numbers of lines by quarter of an hour, the unit of all time zones, and status. */
export const count = (db: Queryable, storeId: string, range: IdRange, filter: LogFilter) =>
  db.all<{ quarter: number; status: number; count: number }>(
    sql`select r.received_at / 900000 as quarter, r.status, count(*) as count from request_log r
        where r.store_id = ${storeId} and ${matching(range, filter)}
        group by r.received_at / 900000, r.status`,
  );

export const find = (db: Queryable, storeId: string, id: string) =>
  db.one<LogRow & { problem: string | null }>(
    sql`select ${columns}, r.problem from request_log r
        left join api_keys k on k.store_id = r.store_id and k.id = r.key_id
        where r.store_id = ${storeId} and r.id = ${id}`,
  );
