import type { Queryable, Transaction } from '../../db/database.ts';
import { inList } from '../../db/in-list.ts';
import { sql } from '../../db/sql.ts';

const deliveriesOf = (db: Queryable, storeId: string, orderIds: readonly string[]) =>
  sql`(select d.id from deliveries d where d.store_id = ${storeId} and d.event_id in (
         select e.id from events e where e.store_id = ${storeId} and e.order_id in ${inList(db, orderIds, 'uuid')}))`;

export interface ReceiverResponse {
  started_at: number;
  response_status: number | null;
  response_body: string;
}

/** What receivers responded to the events of orders. */
export const responses = (db: Queryable, storeId: string, orderIds: readonly string[]) =>
  db.all<ReceiverResponse>(
    sql`select started_at, response_status, response_body from attempts
        where store_id = ${storeId} and delivery_id in ${deliveriesOf(db, storeId, orderIds)} and response_body <> ''
        order by started_at, id`,
  );

export const eraseResponses = (tx: Transaction, storeId: string, orderIds: readonly string[]) =>
  tx.run(
    sql`update attempts set response_body = ''
        where store_id = ${storeId} and delivery_id in ${deliveriesOf(tx, storeId, orderIds)} and response_body <> ''`,
  );
