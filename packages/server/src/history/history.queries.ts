import type { Actor } from '../actor.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { all, join, type Sql, sql } from '../db/sql.ts';

export interface HistoryRow {
  scope_id: string;
  id: string;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  subject_name: string;
  details: string;
  created_at: number;
}

export const insert = (tx: Transaction, row: HistoryRow) =>
  tx.run(
    sql`insert into history (scope_id, id, actor_kind, actor_id, action, subject_kind, subject_id, subject_name, details,
                             created_at)
        values (${row.scope_id}, ${row.id}, ${row.actor_kind}, ${row.actor_id}, ${row.action}, ${row.subject_kind},
                ${row.subject_id}, ${row.subject_name}, ${row.details}, ${row.created_at})`,
  );

export const setDetails = (tx: Transaction, scopeId: string, id: string, details: string) =>
  tx.run(sql`update history set details = ${details} where scope_id = ${scopeId} and id = ${id}`);

export interface HistoryQuery {
  /** A store and its owner. */
  scopeIds: readonly string[];
  subjectKinds?: readonly string[] | undefined;
  /** The kind of actor, or one actor. */
  actor?: { kind: Actor['kind'] } | { id: string } | undefined;
  before?: Position | undefined;
  /** The last position that is looked at. */
  upTo?: Position | undefined;
  limit: number;
}

export type Position = readonly [at: number, id: string];

export type ShownRow = HistoryRow & { key_name: string | null; owner_name: string | null };

/** Newest first. Each scope is read along its index, and the rows are merged. */
export function list(db: Queryable, { scopeIds, subjectKinds, actor, before, upTo, limit }: HistoryQuery) {
  const filters: Sql[] = [];
  if (subjectKinds)
    filters.push(
      sql`h.subject_kind in (${join(
        subjectKinds.map((kind) => sql`${kind}`),
        ', ',
      )})`,
    );
  if (actor) filters.push('id' in actor ? sql`h.actor_id = ${actor.id}` : sql`h.actor_kind = ${actor.kind}`);
  if (before) filters.push(isBefore(before));
  if (upTo) filters.push(sql`(h.created_at, h.id) >= (${upTo[0]}, ${upTo[1]})`);
  const each = scopeIds.map(
    (scopeId) =>
      sql`select * from (select h.* from history h where ${all([sql`h.scope_id = ${scopeId}`, ...filters])}
                         order by h.created_at desc, h.id desc limit ${limit}) part`,
  );
  return db.all<ShownRow>(
    sql`select h.scope_id, h.id, h.actor_kind, h.actor_id, h.action, h.subject_kind, h.subject_id, h.subject_name,
               h.details, h.created_at, k.name as key_name, o.name as owner_name
        from (${join(each, ' union all ')}) h
        left join api_keys k on k.store_id = h.scope_id and k.id = h.actor_id
        left join owners o on o.id = h.actor_id
        order by h.created_at desc, h.id desc limit ${limit}`,
  );
}

const isBefore = ([at, id]: Position) => sql`(h.created_at, h.id) < (${at}, ${id})`;

/** The entry that is `count` entries before a position; undefined if there are fewer. */
export async function entryBefore(
  db: Queryable,
  scopeId: string,
  before: Position | undefined,
  count: number,
): Promise<Position | undefined> {
  const found = await db.one<{ created_at: number; id: string }>(
    sql`select h.created_at, h.id from history h
        where ${all([sql`h.scope_id = ${scopeId}`, ...(before ? [isBefore(before)] : [])])}
        order by h.created_at desc, h.id desc limit 1 offset ${count - 1}`,
  );
  return found && [found.created_at, found.id];
}
