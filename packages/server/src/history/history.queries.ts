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
  before?: readonly [at: number, id: string] | undefined;
  limit: number;
}

export type ShownRow = HistoryRow & { key_name: string | null; owner_name: string | null };

/** Newest first. Each scope is read along its index, and the rows are merged. */
export function list(db: Queryable, { scopeIds, subjectKinds, actor, before, limit }: HistoryQuery) {
  const filters: Sql[] = [];
  if (subjectKinds)
    filters.push(
      sql`h.subject_kind in (${join(
        subjectKinds.map((kind) => sql`${kind}`),
        ', ',
      )})`,
    );
  if (actor) filters.push('id' in actor ? sql`h.actor_id = ${actor.id}` : sql`h.actor_kind = ${actor.kind}`);
  if (before) filters.push(sql`(h.created_at, h.id) < (${before[0]}, ${before[1]})`);
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
