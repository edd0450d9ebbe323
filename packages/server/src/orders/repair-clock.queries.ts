import type { Queryable, Transaction } from '../db/database.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { iso } from '../instant.ts';
import { STAMP_LENGTH, stampOf } from './document.ts';

export type Table = 'orders' | 'products' | 'customers';

export interface ClockRow {
  seq: number;
  ts: number;
  last_number: number;
  /** JSON, or null. */
  repair: string | null;
  repairs: string | null;
}

export const lockClock = (tx: Transaction, storeId: string) =>
  tx.one<ClockRow>(
    sql`select seq, ts, last_number, repair, repairs from store_clocks where store_id = ${storeId} ${tx.dialect.forUpdate}`,
  );

/** Uses up a change number, because responses cached under the last one may be outdated from here on. */
export const saveClock = (
  tx: Transaction,
  storeId: string,
  { ts, repair, repairs }: Pick<ClockRow, 'ts' | 'repair' | 'repairs'>,
) =>
  tx.run(
    sql`update store_clocks set seq = seq + 1, ts = ${ts}, repair = ${repair}, repairs = ${repairs}
        where store_id = ${storeId}`,
  );

/** Records changed while the clock was ahead, later than `from`, earliest first. */
export const changedAhead = (
  tx: Transaction,
  table: Table,
  storeId: string,
  from: number,
  seq: number,
  limit: number,
) =>
  lockedIds(
    tx,
    sql`select id from ${raw(table)} where store_id = ${storeId} and updated_at > ${from} and seq <= ${seq}
        order by updated_at, seq limit ${limit}`,
  );

/** Records created while the clock was ahead and changed again since it was set back. */
export const createdAhead = (
  tx: Transaction,
  table: Table,
  storeId: string,
  { at, number }: { at: number; number: number },
  limit: number,
) =>
  lockedIds(
    tx,
    sql`select id from ${raw(table)} where store_id = ${storeId} and created_at > ${at}
              and ${table === 'orders' ? sql`number <= ${number}` : sql`created_at > updated_at`}
        order by created_at, id limit ${limit}`,
  );

const lockedIds = async (tx: Transaction, select: Sql) =>
  (await tx.all<{ id: string }>(sql`${select} ${tx.dialect.forNoKeyUpdate}`)).map(({ id }) => id);

/**
 * Stamps records with consecutive change numbers after `after`, and limits their creation time to `createdBy`. Also
 * joined by store: with the store as a parameter, SQLite scans all of the store's records for each of these.
 */
export function stampAgain(
  tx: Transaction,
  table: Table,
  storeId: string,
  { ids, at, after, createdBy }: { ids: readonly string[]; at: number; after: number; createdBy: number },
) {
  const name = raw(table);
  const { position, records } = tx.dialect;
  const createdAt = sql`${name}.created_at`;
  const newCreatedAt = sql`case when ${createdAt} > ${createdBy} then ${createdBy} else ${createdAt} end`;
  const unstamped = sql`substr(document_head, 1, length(document_head) - ${STAMP_LENGTH})`;
  const member = '"createdAt":"';
  const start = sql`${position(raw('document_head'), sql`${member}`)} + ${member.length}`;
  const created = iso(createdBy);
  const head = sql`, document_head = case when ${createdAt} > ${createdBy}
    then substr(document_head, 1, ${start} - 1) || ${created} || substr(${unstamped}, ${start} + ${created.length})
    else ${unstamped} end || ${stampOf(iso(at))}`;
  return tx.run(
    sql`update ${name} set updated_at = ${at}, seq = x.seq, created_at = ${newCreatedAt} ${table === 'orders' ? head : raw('')}
        from ${records(
          'x',
          { store_id: 'uuid', id: 'uuid', seq: 'integer' },
          ids.map((id, index) => ({ store_id: storeId, id, seq: after + index + 1 })),
        )}
        where ${name}.store_id = x.store_id and ${name}.id = x.id ${tx.dialect.atStore(`${table}.store_id`, storeId)}`,
  );
}

export interface Position {
  updated_at: number;
  seq: number;
}

/** Orders stamped since the clock was set back. */
export const stampedSince = (db: Queryable, storeId: string, { updated_at, seq }: Position, limit: number) =>
  db.all<Position & { id: string }>(
    sql`select id, updated_at, seq from orders
        where store_id = ${storeId} and (updated_at, seq) > (${updated_at}, ${seq})
        order by updated_at, seq limit ${limit}`,
  );

/** Events in the future get the time of the repair; their ids keep their order. */
export const repairEvents = (tx: Transaction, storeId: string, orderIds: readonly string[], now: number, at: number) =>
  tx.run(
    sql`update events set created_at = ${at}
        from ${tx.dialect.records(
          'x',
          { store_id: 'uuid', id: 'uuid' },
          orderIds.map((id) => ({ store_id: storeId, id })),
        )}
        where events.store_id = x.store_id and events.order_id = x.id and events.created_at > ${now}
              ${tx.dialect.atStore('events.store_id', storeId)}`,
  );

/** Times that are shown or sorted by, in small tables. */
const columns: Record<string, string[]> = {
  api_keys: ['created_at', 'last_used_at'],
  categories: ['created_at', 'updated_at'],
  warehouses: ['created_at'],
};

export async function repairSettings(tx: Transaction, storeId: string, now: number) {
  for (const [table, names] of Object.entries(columns))
    for (const name of names)
      await tx.run(
        sql`update ${raw(table)} set ${raw(name)} = ${now} where store_id = ${storeId} and ${raw(name)} > ${now}`,
      );
  await tx.run(sql`update history set created_at = ${now} where scope_id = ${storeId} and created_at > ${now}`);
}
