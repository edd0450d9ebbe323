import type { OrderItem } from '@store-sales/contract';
import type { Database, Queryable } from '../packages/server/src/db/database.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { readDocument } from '../packages/server/src/orders/document.ts';

/**
 * What inside a store does not agree with itself, of the orders that changed after `since`: nothing, whatever was
 * killed, moved or restored. Totals are those of the lines, lines are those that are shown, and the events lead
 * from the order's creation to where it stands.
 */
export const faultsOf = (db: Database, storeId: string, since = 0): Promise<string[]> =>
  db.transaction(async (tx) => {
    // One moment for all the statements below, while others go on writing.
    if (tx.dialect.engine === 'postgres') await tx.run(sql`set transaction isolation level repeatable read`);
    return disagreements(tx, storeId, since);
  });

async function disagreements(db: Queryable, storeId: string, since: number): Promise<string[]> {
  const changed = sql`o.store_id = ${storeId} and o.seq > ${since}`;
  const orders = await db.all<{
    id: string;
    status_id: string;
    payment_status_id: string;
    total_amount: number;
    document: string;
    items: string;
  }>(
    sql`select o.id, o.status_id, o.payment_status_id, o.total_amount, o.document, o.items from orders o where ${changed}`,
  );
  const lines = await db.all<{ order_id: string; id: string; line_total: number }>(
    sql`select l.order_id, l.id, l.line_total from orders o
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
  const faults: string[] = [];
  const linesOf = byOrder(lines);
  const eventsOf = byOrder(events);
  for (const order of orders) {
    const { totalAmount, discountTotal, delivery } = readDocument(order.document);
    const mine = linesOf.get(order.id) ?? [];
    const told = eventsOf.get(order.id) ?? [];
    const items = JSON.parse(order.items) as OrderItem[];
    const goods = items.reduce((sum, item) => sum + item.unitPrice * item.quantity, 0);
    const total = goods - discountTotal + delivery.cost - delivery.discount;
    if (total !== totalAmount || total !== order.total_amount) faults.push(`${order.id}: the total is wrong`);
    const shown = items.map((item) => `${item.id} ${item.lineTotal}`).join();
    if (shown !== mine.map((line) => `${line.id} ${line.line_total}`).join()) faults.push(`${order.id}: other lines`);
    if (told.filter(({ type }) => type === 'order.created').length !== 1) faults.push(`${order.id}: not created once`);
    if (!leads(first?.status, order.status_id, told, 'order.status_changed'))
      faults.push(`${order.id}: status without event`);
    if (!leads(first?.payment, order.payment_status_id, told, 'order.payment_status_changed'))
      faults.push(`${order.id}: payment status without event`);
  }
  const clock = await db.one<{ seq: number; last_number: number }>(
    sql`select seq, last_number from store_clocks where store_id = ${storeId}`,
  );
  const last = await db.one<{ seq: number; number: number }>(
    sql`select coalesce(max(seq), 0) as seq, coalesce(max(number), 0) as number from orders where store_id = ${storeId}`,
  );
  if (!clock || !last || clock.seq < last.seq || clock.last_number !== last.number) faults.push('the clock is wrong');
  return faults;
}

function byOrder<Row extends { order_id: string }>(rows: readonly Row[]) {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const mine = found.get(row.order_id);
    if (mine) mine.push(row);
    else found.set(row.order_id, [row]);
  }
  return found;
}

/** Each change starts where the one before it ended, in whatever order they are read. */
function leads(from = '', to: string, events: readonly { type: string; details: string }[], type: string) {
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
