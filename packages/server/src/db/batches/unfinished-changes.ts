import type { Actor } from '../../actor.ts';
import type { Queryable, Transaction } from '../queryable.ts';
import { sql } from '../sql.ts';

/** A change that takes more than one transaction, as it was requested. `id` is of the status, warehouse or customer. */
export interface UnfinishedChange {
  kind: 'order_status' | 'payment_status' | 'customer_merge' | 'customer_erasure' | 'warehouse';
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
        set kind = excluded.kind, fields = excluded.fields, actor_kind = excluded.actor_kind, actor_id = excluded.actor_id,
            asked_at = excluded.asked_at`,
  );

type Ref = Pick<UnfinishedChange, 'kind' | 'storeId' | 'id'>;

export const remove = (db: Queryable, { kind, storeId, id }: Ref) =>
  db.run(sql`delete from unfinished_changes where store_id = ${storeId} and id = ${id} and kind = ${kind}`);

/** The same unless a later request for the record has replaced it. */
export const removeSame = (db: Queryable, { storeId, id, fields, now }: UnfinishedChange) =>
  db.run(
    sql`delete from unfinished_changes
        where store_id = ${storeId} and id = ${id} and fields = ${JSON.stringify(fields)} and asked_at = ${now}`,
  );

const columns = sql`kind, store_id, id, fields, actor_kind, actor_id, asked_at`;

const toChange = (row: UnfinishedRow): UnfinishedChange => ({
  kind: row.kind,
  storeId: row.store_id,
  id: row.id,
  fields: JSON.parse(row.fields),
  actor: { kind: row.actor_kind, id: row.actor_id },
  now: row.asked_at,
});

export async function find(db: Queryable, { kind, storeId, id }: Ref) {
  const row = await db.one<UnfinishedRow>(
    sql`select ${columns} from unfinished_changes where store_id = ${storeId} and id = ${id} and kind = ${kind}`,
  );
  return row && toChange(row);
}

/** Of all stores, oldest first. */
export const list = async (db: Queryable) =>
  (await db.all<UnfinishedRow>(sql`select ${columns} from unfinished_changes order by asked_at`)).map(toChange);
