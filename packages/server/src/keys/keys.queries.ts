import type { Queryable, Transaction } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import type { KeyCaller } from '../http/callers.ts';

export interface KeyRow {
  id: string;
  store_id: string;
  name: string;
  prefix: string;
  rights: string;
  /** The person who made it; null if it was made on the command line. */
  created_by: string | null;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** With the name of the person who made it. */
export type KeyWithMaker = KeyRow & { maker: string | null };

export type KeyWithStore = Omit<KeyRow, 'created_by'> & Omit<KeyCaller, 'rightSet'>;

const keyColumns = raw(
  `k.id, k.store_id, k.name, k.prefix, k.rights, k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
   s.owner_id, s.name as store_name, s.currency, s.timezone, s.plan, s.is_active`,
);

export const findByHash = (db: Queryable, hash: string): Promise<KeyWithStore | undefined> =>
  db.dialect.isDistributed
    ? findInTwoSteps(db, hash)
    : db.one<KeyWithStore>(
        sql`select ${keyColumns}, c.seq, c.ts
            from api_keys k join stores s on s.id = k.store_id join store_clocks c on c.store_id = k.store_id
            where k.key_hash = ${hash}`,
      );

/** Every node has all keys and stores; the clock is on the node of its store, which is known only from the key. */
async function findInTwoSteps(db: Queryable, hash: string): Promise<KeyWithStore | undefined> {
  const key = await db.one<KeyWithStore>(
    sql`select ${keyColumns} from api_keys k join stores s on s.id = k.store_id where k.key_hash = ${hash}`,
  );
  if (!key) return undefined;
  const clock = await db.one<KeyWithStore>(sql`select seq, ts from store_clocks where store_id = ${key.store_id}`);
  return clock && { ...key, ...clock };
}

export const insert = (tx: Transaction, key: KeyRow & { key_hash: string }) =>
  tx.run(
    sql`insert into api_keys (store_id, id, name, prefix, key_hash, rights, created_by, created_at, expires_at)
        values (${key.store_id}, ${key.id}, ${key.name}, ${key.prefix}, ${key.key_hash}, ${key.rights},
                ${key.created_by}, ${key.created_at}, ${key.expires_at})`,
  );

/** Whether the store's owner account has another store that this person does not own. */
export const sharesTypesWithOthers = async (tx: Queryable, storeId: string, accountId: string) =>
  (await tx.one(
    sql`select 1 as found from stores s join stores o on o.owner_id = s.owner_id and o.id <> s.id
        where s.id = ${storeId} and not exists (
          select 1 from store_members m where m.store_id = o.id and m.owner_id = ${accountId} and m.role = 'owner')
        limit 1`,
  )) !== undefined;

const works = (now: number) => sql`revoked_at is null and expires_at > ${now}`;

export const countWorking = async (tx: Transaction, storeId: string, now: number) =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from api_keys where store_id = ${storeId} and ${works(now)}`,
    )
  )?.count ?? 0;

/** Deletes keys that no longer work, except the newest `keep` of them. */
export const deleteEnded = (tx: Transaction, storeId: string, now: number, keep: number) =>
  tx.run(
    sql`delete from api_keys where store_id = ${storeId} and id in (
          select id from api_keys where store_id = ${storeId} and not (${works(now)})
          order by created_at desc, id desc limit ${keep} offset ${keep})`,
  );

const listedColumns = raw(
  `k.id, k.store_id, k.name, k.prefix, k.rights, k.created_by, k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
   o.name as maker`,
);

export const listOf = (db: Queryable, storeId: string) =>
  db.all<KeyWithMaker>(
    sql`select ${listedColumns} from api_keys k left join owners o on o.id = k.created_by
        where k.store_id = ${storeId} order by k.created_at, k.id`,
  );

export const find = (db: Queryable, id: string) =>
  db.one<KeyWithMaker>(
    sql`select ${listedColumns} from api_keys k left join owners o on o.id = k.created_by where k.id = ${id}`,
  );

export const revoke = (db: Queryable, storeId: string, id: string, now: number) =>
  db.run(
    sql`update api_keys set revoked_at = ${now} where store_id = ${storeId} and id = ${id} and revoked_at is null`,
  );

export const markUsed = (db: Queryable, storeId: string, id: string, now: number) =>
  db.run(sql`update api_keys set last_used_at = ${now} where store_id = ${storeId} and id = ${id}`);
