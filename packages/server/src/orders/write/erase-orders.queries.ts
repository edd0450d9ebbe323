import type { Queryable } from '../../db/database.ts';
import { inList } from '../../db/in-list.ts';
import { sql } from '../../db/sql.ts';
import { change, type Write } from '../../db/write/plan.ts';
import type { DocumentParts } from '../document.ts';

export interface PersonalOrder extends DocumentParts {
  id: string;
  number: number;
  customer_id: string | null;
  created_at: number;
  items: string;
}

/** Orders of a customer are read in this order. */
export type Position = Pick<PersonalOrder, 'created_at' | 'number'>;
export const START: Position = { created_at: 0, number: 0 };

const columns = sql`t.id, t.number, t.customer_id, t.created_at, t.document_head, t.document, t.document_rest,
  t.document_tail, t.items`;

/** The next orders of a customer. The sort begins with the customer, for the reason given in merge-customers.queries.ts. */
export const ordersAfter = (db: Queryable, storeId: string, customerId: string, after: Position, limit: number) =>
  db.all<PersonalOrder>(
    sql`select ${columns} from orders t
        where t.store_id = ${storeId} and t.customer_id between ${customerId} and ${customerId}
          and (t.created_at, t.number) > (${after.created_at}, ${after.number})
        order by t.customer_id, t.created_at, t.number limit ${limit}`,
  );

/** The orders that have one of these lookup keys. */
export const ordersWithKeys = (db: Queryable, storeId: string, keys: readonly string[], limit: number) =>
  db.all<PersonalOrder>(
    sql`select ${columns} from orders t
        where t.store_id = ${storeId} and t.number in (
          select k.number from order_keys k where k.store_id = ${storeId} and k.key in ${inList(db, keys)} limit ${limit})`,
  );

export interface RewrittenOrder extends DocumentParts {
  id: string;
  seq: number;
  external_id: string | null;
  tracking_code: string | null;
}

const rewrittenColumns = {
  id: 'uuid',
  seq: 'integer',
  external_id: 'text',
  tracking_code: 'text',
  document_head: 'text',
  document: 'text',
  document_rest: 'text',
  document_tail: 'text',
} as const;

/** Replaces the documents of orders. For one statement, SQLite would read all orders of the store. */
export const rewritten = (storeId: string, orders: readonly RewrittenOrder[], at: number): Write =>
  change('orders', ({ engine, records }) =>
    engine === 'sqlite'
      ? orders.map(
          (v) =>
            sql`update orders set document_head = ${v.document_head}, document = ${v.document},
                  document_rest = ${v.document_rest}, document_tail = ${v.document_tail}, external_id = ${v.external_id},
                  tracking_code = ${v.tracking_code}, updated_at = ${at}, seq = ${v.seq}
                where store_id = ${storeId} and id = ${v.id}`,
        )
      : sql`update orders set document_head = v.document_head, document = v.document, document_rest = v.document_rest,
              document_tail = v.document_tail, external_id = v.external_id, tracking_code = v.tracking_code,
              updated_at = ${at}, seq = v.seq
            from ${records('v', rewrittenColumns, orders)}
            where orders.store_id = ${storeId} and orders.id = v.id`,
  );

export const withoutKeys = (storeId: string, keys: readonly { number: number; key: string }[]): Write =>
  change(
    'order_keys',
    ({ records }) =>
      sql`delete from order_keys where store_id = ${storeId} and (key, number) in (
            select v.key, v.number from ${records('v', { key: 'text', number: 'integer' }, keys)})`,
  );

/** Events show the external id of their order. */
export const withoutExternalId = (storeId: string, orderId: string): Write =>
  change('events', () => sql`update events set external_id = '' where store_id = ${storeId} and order_id = ${orderId}`);

/** What members wrote to the customers of these orders. */
export const withoutMessages = (storeId: string, orderIds: readonly string[]): Write =>
  change(
    'events',
    ({ records }) =>
      sql`update events set details = '{"mail":"message"}'
        where store_id = ${storeId} and type = 'order.mailed' and details like '{"mail":"message"%'
          and order_id in (select w.id from ${records(
            'w',
            { id: 'uuid' },
            orderIds.map((id) => ({ id })),
          )})`,
  );

export const messages = (db: Queryable, storeId: string, orderId: string) =>
  db.all<{ details: string; created_at: number }>(
    sql`select details, created_at from events
        where store_id = ${storeId} and order_id = ${orderId} and type = 'order.mailed' order by seq`,
  );
