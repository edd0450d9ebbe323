import type { OrderItem } from '@store-sales/contract';
import type { Database, Queryable } from '@store-sales/server/db/database';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { type DocumentParts, readDocument } from '@store-sales/server/orders/document';
import { searchTerms } from '@store-sales/server/orders/search-terms';

/**
 * Inconsistencies among the orders that changed after `since`; there must be none after a crash, failover or restore.
 * Totals must match the lines, stored lines must match the API, and the events must lead from the order's creation to
 * its current state, and the search index must have the terms of each order.
 */
export const fieldErrorsOf = (db: Database, storeId: string, since = 0): Promise<string[]> =>
  db.transaction(async (tx) => {
    // One snapshot for all the statements below, while other processes write.
    if (tx.dialect.engine === 'postgres') await tx.run(sql`set transaction isolation level repeatable read`);
    return inconsistencies(tx, storeId, since);
  });

async function inconsistencies(db: Queryable, storeId: string, since: number): Promise<string[]> {
  const changed = sql`o.store_id = ${storeId} and o.seq > ${since}`;
  const orders = await db.all<
    DocumentParts & {
      id: string;
      status_id: string;
      payment_status_id: string;
      customer_id: string | null;
      total_amount: number;
      items: string;
    }
  >(
    sql`select o.id, o.status_id, o.payment_status_id, o.customer_id, o.total_amount,
          o.document_head, o.document, o.document_tail, o.items
        from orders o where ${changed}`,
  );
  const lines = await db.all<LineRow & { order_id: string }>(
    sql`select l.order_id, l.id, l.product_id, l.quantity, l.unit_price, l.discount, l.line_total from orders o
        join order_lines l on l.store_id = o.store_id and l.order_id = o.id where ${changed} order by l.position`,
  );
  const events = await db.all<{ order_id: string; type: string; details: string }>(
    sql`select e.order_id, e.type, e.details from orders o
        join events e on e.store_id = o.store_id and e.order_id = o.id where ${changed}`,
  );
  const first = await db.one<{ status: string; payment: string }>(
    sql`select s.id as status, p.id as payment from order_statuses s join payment_statuses p on p.store_id = s.store_id
        where s.store_id = ${storeId} and s.code = 'new' and p.code = 'unpaid'`,
  );
  const fieldErrors: string[] = [];
  const linesOf = byOrder(lines);
  const eventsOf = byOrder(events);
  const termsOf = await indexedTerms(db, storeId);
  for (const order of orders) {
    const document = readDocument(order);
    const { totalAmount, discountTotal, delivery, customer } = document;
    const mine = linesOf.get(order.id) ?? [];
    const events = eventsOf.get(order.id) ?? [];
    const items = JSON.parse(order.items) as OrderItem[];
    const goods = items.reduce((sum, item) => sum + item.unitPrice * item.quantity, 0);
    const total = goods - discountTotal + delivery.cost - delivery.discount;
    if (total !== totalAmount || total !== order.total_amount) fieldErrors.push(`${order.id}: the total is wrong`);
    if (items.some((item) => item.lineTotal !== item.unitPrice * item.quantity - item.discount))
      fieldErrors.push(`${order.id}: the total of a line is wrong`);
    const orderDiscount = items.reduce((rest, { discount }) => rest - discount, discountTotal);
    if (orderDiscount < 0) fieldErrors.push(`${order.id}: the discounts of the lines exceed the total discount`);
    if (JSON.stringify(items.map(valuesOfItem)) !== JSON.stringify(mine.map(valuesOfRow)))
      fieldErrors.push(`${order.id}: other lines`);
    if (termsOf.get(document.number) !== searchTerms(document, items).sort().join(' '))
      fieldErrors.push(`${order.id}: other search terms`);
    if (customer.id !== order.customer_id) fieldErrors.push(`${order.id}: another customer`);
    if (events.filter(({ type }) => type === 'order.created').length !== 1)
      fieldErrors.push(`${order.id}: not created once`);
    if (!isConnected(first?.status, order.status_id, events, 'order.status_changed'))
      fieldErrors.push(`${order.id}: status without event`);
    if (!isConnected(first?.payment, order.payment_status_id, events, 'order.payment_status_changed'))
      fieldErrors.push(`${order.id}: payment status without event`);
  }
  const clock = await db.one<{ seq: number; last_number: number }>(
    sql`select seq, last_number from store_clocks where store_id = ${storeId}`,
  );
  const last = await db.one<{ seq: number; number: number }>(
    sql`select coalesce(max(seq), 0) as seq, coalesce(max(number), 0) as number from orders where store_id = ${storeId}`,
  );
  if (!clock || !last || clock.seq < last.seq || clock.last_number !== last.number)
    fieldErrors.push('the clock is wrong');
  return fieldErrors;
}

/** The terms in the search index by the number of the order, without the prefix of store and block. */
async function indexedTerms(db: Queryable, storeId: string): Promise<Map<number, string>> {
  const rows = await db.all<{ number: number; terms: string }>(
    db.dialect.engine === 'sqlite'
      ? sql`select rowid & 4294967295 as number, terms from order_search
            where rowid >> 32 = (select number from order_search_stores where store_id = ${storeId})`
      : sql`select number, array_to_string(tsvector_to_array(terms), ' ') as terms from order_search
            where store_id = ${storeId}`,
  );
  const withoutPrefix = (terms: string) => terms.split(' ').map((term) => term.slice(7));
  return new Map(rows.map(({ number, terms }) => [number, withoutPrefix(terms).sort().join(' ')]));
}

/**
 * The result of SQLite's check of the whole file, `ok` if it is intact. On a new connection: FTS5 checks with the structure
 * of its index as the connection last read it, and takes the changes of other connections since then for damage.
 */
export async function integrityOf(dataDir: string) {
  const db = openDatabase({ dataDir });
  try {
    return (await db.one<{ found: string }>(sql`select integrity_check as found from pragma_integrity_check`))?.found;
  } finally {
    await db.close();
  }
}

interface LineRow {
  id: string;
  product_id: string;
  quantity: number;
  unit_price: number;
  discount: number;
  line_total: number;
}
const valuesOfRow = (line: LineRow) => [
  line.id,
  line.product_id,
  line.quantity,
  line.unit_price,
  line.discount,
  line.line_total,
];
const valuesOfItem = (item: OrderItem) => [
  item.id,
  item.productId,
  item.quantity,
  item.unitPrice,
  item.discount,
  item.lineTotal,
];

function byOrder<Row extends { order_id: string }>(rows: readonly Row[]) {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const mine = found.get(row.order_id);
    if (mine) mine.push(row);
    else found.set(row.order_id, [row]);
  }
  return found;
}

/** Each change must start from the result of the previous one, in any reading order. */
function isConnected(from = '', to: string, events: readonly { type: string; details: string }[], type: string) {
  const balance = new Map<string, number>();
  const count = (id: string, by: number) => balance.set(id, (balance.get(id) ?? 0) + by);
  count(from, 1);
  count(to, -1);
  for (const event of events) {
    if (event.type !== type) continue;
    const change = JSON.parse(event.details) as { from: string; to: string };
    count(change.from, -1);
    count(change.to, 1);
  }
  return [...balance.values()].every((left) => left === 0);
}
