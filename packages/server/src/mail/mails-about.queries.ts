import type { Queryable, Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { sql } from '../db/sql.ts';

export interface StoredMail {
  id: string;
  kind: string;
  recipient: string;
  state: string;
  params: string;
  created_at: number;
}

/** The next mails of a store, oldest first. */
export const mailsAfter = (db: Queryable, storeId: string, after: string, limit: number) =>
  db.all<StoredMail>(
    sql`select id, kind, recipient, state, params, created_at from mails
        where store_id = ${storeId} and id > ${after} order by id limit ${limit}`,
  );

export const remove = (tx: Transaction, storeId: string, ids: readonly string[]) =>
  tx.run(sql`delete from mails where store_id = ${storeId} and id in ${inList(tx, ids, 'uuid')}`);

/** One that was sent meanwhile has no parameters any more. */
export const setParams = (tx: Transaction, storeId: string, id: string, params: string) =>
  tx.run(sql`update mails set params = ${params} where store_id = ${storeId} and id = ${id} and params <> '{}'`);
