import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface StoredEntry {
  id: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  subject_name: string;
  details: string;
  created_at: number;
}

/** The next entries of a store, oldest first. */
export const entriesAfter = (db: Queryable, scopeId: string, after: string, limit: number) =>
  db.all<StoredEntry>(
    sql`select id, action, subject_kind, subject_id, subject_name, details, created_at from history
        where scope_id = ${scopeId} and id > ${after} order by id limit ${limit}`,
  );

export const setTexts = (
  tx: Transaction,
  scopeId: string,
  { id, subject_name, details }: Pick<StoredEntry, 'id' | 'subject_name' | 'details'>,
) =>
  tx.run(
    sql`update history set subject_name = ${subject_name}, details = ${details}
        where scope_id = ${scopeId} and id = ${id}`,
  );
