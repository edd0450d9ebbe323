import type { RowsStatement, Transaction } from '../db/database.ts';
import { raw, rows, sql } from '../db/sql.ts';
import type { DocumentParts } from './document.ts';

export interface OrderRow extends DocumentParts {
  id: string;
  number: number;
  external_id: string | null;
  created_at: number;
  seq: number;
  customer_id: string | null;
  source: string;
  total_amount: number;
  items: string;
}

export interface LineRow {
  id: string;
  product_id: string;
  quantity: number;
  unit_price: number;
  discount: number;
  line_total: number;
}

/**
 * Inserts the order with the initial statuses. If its external id exists, the unique constraint fails the transaction.
 */
export function insertOrder(tx: Transaction, storeId: string, order: OrderRow, lines: readonly LineRow[]) {
  tx.sendRows(orderRows, [{ store_id: storeId, ...order }]);
  insertLines(tx, storeId, order.id, lines);
}

const orderColumns = raw(`store_id, id, number, external_id, created_at, updated_at, seq, status_id, payment_status_id,
  customer_id, source, total_amount, document_head, document, document_tail, items`);

type StoredOrder = OrderRow & { store_id: string };

const orderRows: RowsStatement<StoredOrder> = {
  few: (_, orders) => {
    const row = orders[0] as StoredOrder;
    return sql`insert into orders (${orderColumns})
        select s.store_id, ${row.id}, ${row.number}, ${row.external_id}, ${row.created_at}, ${row.created_at},
          ${row.seq}, s.id, p.id, ${row.customer_id}, ${row.source}, ${row.total_amount}, ${row.document_head},
          ${row.document}, ${row.document_tail}, ${row.items}
        from order_statuses s join payment_statuses p on p.store_id = s.store_id and p.code = 'unpaid'
        where s.store_id = ${row.store_id} and s.code = 'new'`;
  },
  many: (dialect, orders) =>
    sql`insert into orders (${orderColumns})
        select x.store_id, x.id, x.number, x.external_id, x.created_at, x.created_at, x.seq,
          (select s.id from order_statuses s where s.store_id = x.store_id and s.code = 'new'),
          (select p.id from payment_statuses p where p.store_id = x.store_id and p.code = 'unpaid'),
          x.customer_id, x.source, x.total_amount, x.document_head, x.document, x.document_tail, x.items
        from ${dialect.records(
          'x',
          {
            store_id: 'uuid',
            id: 'uuid',
            number: 'integer',
            external_id: 'text',
            created_at: 'instant',
            seq: 'integer',
            customer_id: 'uuid',
            source: 'text',
            total_amount: 'integer',
            document_head: 'text',
            document: 'text',
            document_tail: 'text',
            items: 'text',
          },
          orders,
        )}`,
};

interface StoredLine extends LineRow {
  store_id: string;
  order_id: string;
  position: number;
}

const lineRows: RowsStatement<StoredLine> = {
  few: (_, lines) =>
    sql`insert into order_lines (store_id, order_id, position, id, product_id, quantity, unit_price, discount, line_total)
        values ${rows(
          lines.map((line) => [
            line.store_id,
            line.order_id,
            line.position,
            line.id,
            line.product_id,
            line.quantity,
            line.unit_price,
            line.discount,
            line.line_total,
          ]),
        )}`,
  many: (dialect, lines) =>
    sql`insert into order_lines (store_id, order_id, position, id, product_id, quantity, unit_price, discount, line_total)
        select x.* from ${dialect.records(
          'x',
          {
            store_id: 'uuid',
            order_id: 'uuid',
            position: 'integer',
            id: 'uuid',
            product_id: 'uuid',
            quantity: 'integer',
            unit_price: 'integer',
            discount: 'integer',
            line_total: 'integer',
          },
          lines,
        )}`,
};

const insertLines = (tx: Transaction, storeId: string, orderId: string, lines: readonly LineRow[]) =>
  tx.sendRows(
    lineRows,
    lines.map((line, position) => ({ store_id: storeId, order_id: orderId, position, ...line })),
  );

export function replaceLines(tx: Transaction, storeId: string, orderId: string, lines: readonly LineRow[]) {
  tx.send(sql`delete from order_lines where store_id = ${storeId} and order_id = ${orderId}`);
  insertLines(tx, storeId, orderId, lines);
}
