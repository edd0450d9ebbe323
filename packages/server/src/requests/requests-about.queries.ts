import type { Database, Queryable } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { sql } from '../db/sql.ts';

export interface LoggedText {
  id: string;
  received_at: number;
  method: string;
  route: string;
  status: number;
  request_id: string;
  query: string;
  problem: string | null;
}

/** The next lines, oldest first. */
export const linesAfter = (db: Queryable, storeId: string, after: string, limit: number) =>
  db.all<LoggedText>(
    sql`select id, received_at, method, route, status, request_id, query, problem from request_log
        where store_id = ${storeId} and id > ${after} order by id limit ${limit}`,
  );

export const eraseTexts = (db: Database, storeId: string, ids: readonly string[]) =>
  db.transaction(
    (tx) =>
      tx.run(
        sql`update request_log set query = '', problem = null, request_id = ''
            where store_id = ${storeId} and id in ${inList(tx, ids, 'uuid')}`,
      ),
    { storeId },
  );
