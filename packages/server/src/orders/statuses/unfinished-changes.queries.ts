import type { Actor } from '../../actor.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A change that takes more than one transaction, as it was requested. `id` is of the status or the merged customer. */
export interface UnfinishedChange {
  kind: 'order_status' | 'payment_status' | 'customer_merge';
  storeId: string;
  id: string;
  fields: object;
  actor: Actor;
  now: number;
}

interface UnfinishedRow {
  kind: UnfinishedChange['kind'];
  store_id: string;
  id: string;
  fields: string;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  asked_at: number;
}

/** A later request for the same record replaces the earlier one. */
export const record = (tx: Transaction, { kind, storeId, id, fields, actor, now }: UnfinishedChange) =>
  tx.run(
    sql`insert into unfinished_changes (store_id, id, kind, fields, actor_kind, actor_id, asked_at)
        values (${storeId}, ${id}, ${kind}, ${JSON.stringify(fields)}, ${actor.kind}, ${actor.id}, ${now})
        on conflict (store_id, id) do update
        set fields = excluded.fields, actor_kind = excluded.actor_kind, actor_id = excluded.actor_id,
            asked_at = excluded.asked_at`,
  );

export const remove = (db: Queryable, storeId: string, id: string) =>
  db.run(sql`delete from unfinished_changes where store_id = ${storeId} and id = ${id}`);

export async function list(db: Queryable): Promise<UnfinishedChange[]> {
  const rows = await db.all<UnfinishedRow>(
    sql`select kind, store_id, id, fields, actor_kind, actor_id, asked_at from unfinished_changes order by asked_at`,
  );
  return rows.map((row) => ({
    kind: row.kind,
    storeId: row.store_id,
    id: row.id,
    fields: JSON.parse(row.fields),
    actor: { kind: row.actor_kind, id: row.actor_id },
    now: row.asked_at,
  }));
}
