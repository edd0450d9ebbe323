import type { OrderItem } from '@store-sales/contract';
import { totalsOf } from '@store-sales/contract/totals';
import type { Queryable } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import { FieldErrors } from '../domain-error.ts';
import { type DocumentParts, readDocument, trackingCode } from '../orders/document.ts';
import { lookupKeysOf } from '../orders/write/lookup-keys.ts';
import { searchTerms, storedTerms } from '../orders/write/search-terms.ts';
import { nameKey } from '../text/names.ts';
import { iso } from '../time/instant.ts';
import { isErasureFinished } from './customers.ts';
import type { Found, RowRule } from './rows.ts';
import { inScope, type Rule } from './rule.ts';

interface OrderRow extends DocumentParts {
  store_id: string;
  id: string;
  number: number;
  external_id: string | null;
  created_at: number;
  updated_at: number;
  status_id: string;
  payment_status_id: string;
  customer_id: string | null;
  source: string;
  total_amount: number;
  paid_amount: number;
  promo_discount: number;
  /** As codes are compared; null if the order uses none. */
  promo_code: string | null;
  delivery_type_id: string | null;
  tracking_code: string | null;
  items: string;
  /** As a JSON array. */
  lines: string;
  /** The changes of both statuses and the creation, in the order of their numbers, as a JSON array. */
  events: string;
  terms: string | null;
  /** The change number of the erasure of its customer. */
  erased_seq: number | null;
  seq: number;
  first_status_id: string;
  first_payment_status_id: string;
}

interface Event {
  type: string;
  at: number;
  details: { from: string; to: string };
}

/** The stored terms of an order, in any order; null if there are none. */
const termsOfOrder = ({ engine }: Dialect) =>
  raw(
    engine === 'sqlite'
      ? `(select c.c0 from order_search_content c
          where c.id = (select s.number from order_search_stores s where s.store_id = t.store_id) * 4294967296
            + t.number)`
      : `(select array_to_string(tsvector_to_array(s.terms), ' ') from order_search s
          where s.store_id = t.store_id and s.number = t.number)`,
  );

const text = (column: string) => sql`'"' || ${raw(column)} || '"'`;
const line = sql`'[' || ${text('x.id')} || ',' || ${text('x.product_id')} || ',' || x.quantity || ',' || x.unit_price
                 || ',' || x.discount || ',' || x.line_total || ']'`;
const event = sql`'{"type":' || ${text('x.type')} || ',"at":' || x.created_at || ',"details":' || x.details || '}'`;

/** Each order with everything that is derived from it. */
export const orders: RowRule<OrderRow> = {
  table: 'orders',
  key: ['number'],
  problemsOfBatch: problemsOfKeys,
  columns({ dialect }) {
    const list = (element: Sql, rows: Sql) =>
      sql`'[' || coalesce((select ${dialect.joined(element)} from (${rows}) x), '') || ']'`;
    return sql`t.store_id, t.id, t.number, t.seq, t.external_id, t.created_at, t.updated_at, t.status_id, t.payment_status_id,
      t.customer_id, t.source, t.total_amount, t.paid_amount, t.promo_discount, t.delivery_type_id, t.tracking_code,
      (select p.code_key from promo_codes p where p.store_id = t.store_id and p.id = t.promo_code_id) as promo_code,
      t.document_head, t.document, t.document_rest, t.document_tail, t.items,
      ${termsOfOrder(dialect)} as terms,
      ${list(line, sql`select * from order_lines l where l.store_id = t.store_id and l.order_id = t.id order by l.position`)} as lines,
      ${list(
        event,
        sql`select * from events e where e.store_id = t.store_id and e.order_id = t.id
              and e.type in ('order.created', 'order.status_changed', 'order.payment_status_changed') order by e.seq`,
      )} as events,
      (select c.seq from customers c where c.store_id = t.store_id and c.id = t.customer_id and c.erased_at is not null
         and ${isErasureFinished}) as erased_seq,
      (select s.id from order_statuses s where s.store_id = t.store_id and s.code = 'new') as first_status_id,
      (select p.id from payment_statuses p where p.store_id = t.store_id and p.code = 'unpaid') as first_payment_status_id`;
  },
  *problems(order, { eventsSince }) {
    const items = JSON.parse(order.items) as OrderItem[];
    const document = readDocument(order);
    const { customer, delivery, ...shown } = document;
    const stored = {
      id: order.id,
      externalId: order.external_id ?? '',
      createdAt: iso(order.created_at),
      updatedAt: iso(order.updated_at),
      totalAmount: order.total_amount,
      source: order.source,
      number: order.number,
    };
    for (const [field, value] of Object.entries(stored))
      if (shown[field as keyof typeof stored] !== value)
        yield ['order_document', `order ${order.number}: ${field} of its document is not that of its row`];
    const isTracked =
      delivery.typeId === order.delivery_type_id && trackingCode(delivery.trackingNumber) === order.tracking_code;
    if (!isTracked)
      yield ['order_document', `order ${order.number}: the delivery of its document is not that of its row`];
    if (customer.id !== order.customer_id)
      yield ['order_document', `order ${order.number}: the customer of its document is not that of its row`];

    const { erased_seq } = order;
    if (erased_seq !== null && (order.seq < erased_seq || lookupKeysOf({ customer, metadata: {} }).length))
      yield ['order_of_erased', `order ${order.number}: may have personal data of its customer, who was erased`];

    const lines = items.map((item) => [
      ...[item.id, item.productId, item.quantity, item.unitPrice, item.discount, item.lineTotal],
    ]);
    if (JSON.stringify(lines) !== JSON.stringify(JSON.parse(order.lines)))
      yield ['order_lines', `order ${order.number}: its lines are not those of its document`];

    const charges = {
      discount: items.reduce((rest, { discount }) => rest - discount, shown.discountTotal),
      deliveryCost: delivery.cost,
      deliveryDiscount: delivery.discount,
    };
    const errors = new FieldErrors();
    const totals = totalsOf(items, charges, errors);
    const isSameTotal = totals.totalAmount === shown.totalAmount && totals.discountTotal === shown.discountTotal;
    if (
      errors.list.length ||
      !isSameTotal ||
      items.some(({ lineTotal }, index) => lineTotal !== totals.lineTotals[index])
    )
      yield ['order_totals', `order ${order.number}: its totals do not follow from its lines`];

    const isPromoRight =
      order.promo_code === null
        ? order.promo_discount === 0
        : order.promo_code === nameKey(shown.promoCode) && order.promo_discount <= charges.discount;
    if (!isPromoRight)
      yield [
        'order_promo_code',
        `order ${order.number}: its promo code is not the one that it shows, or takes off too much`,
      ];

    const expected = storedTerms(order.store_id, order.number, searchTerms(document, items)).sort().join(' ');
    if (order.terms === null || order.terms.split(' ').sort().join(' ') !== expected)
      yield ['order_search', `order ${order.number}: its search terms are not those of its document`];

    const events = JSON.parse(order.events) as Event[];
    // Some of them may have been deleted.
    if (order.created_at <= eventsSince || events[0]?.type !== 'order.created') return;
    if (events[0].at !== order.created_at)
      yield ['order_events', `order ${order.number}: its order.created has another time than the order`];
    for (const [type, first, last] of [
      ['order.status_changed', order.first_status_id, order.status_id],
      ['order.payment_status_changed', order.first_payment_status_id, order.payment_status_id],
    ] as const) {
      const changes = events.filter((event) => event.type === type);
      const starts = [first, ...changes.map(({ details }) => details.to)];
      const ends = [...changes.map(({ details }) => details.from), last];
      if (starts.join() !== ends.join())
        yield ['order_events', `order ${order.number}: its events of ${type} do not lead to its present status`];
    }
  },
};

/** The orders of a batch that are not found by one of their keys. */
async function problemsOfKeys(db: Queryable, storeId: string, orders: readonly OrderRow[]): Promise<Found[]> {
  const expected = orders.flatMap((order) => {
    try {
      return lookupKeysOf(readDocument(order)).map((key) => ({ id: order.id, number: order.number, key }));
    } catch {
      // Reported as unreadable.
      return [];
    }
  });
  if (!expected.length) return [];
  const missing = await db.all<{ id: string; number: number }>(
    sql`select x.id, x.number from ${db.dialect.records('x', { id: 'uuid', number: 'integer', key: 'text' }, expected)}
        where not exists (select 1 from order_keys k
                          where k.store_id = ${storeId} and k.key = x.key and k.number = x.number)`,
  );
  const problems: Found[] = [];
  for (const { id, number } of missing) {
    // Keys change together with the number of the order, so it was not changed between the two statements.
    const now = await db.one<{ seq: number }>(sql`select seq from orders where store_id = ${storeId} and id = ${id}`);
    if (now?.seq === orders.find((order) => order.id === id)?.seq)
      problems.push({ id, kind: 'order_keys', message: `order ${number} is not found by all of its filters` });
  }
  return problems;
}

interface KeyRow extends DocumentParts {
  store_id: string;
  id: string;
  key: string;
  number: number;
}

/** What orders are filtered by belongs to an order that has it. */
export const orderKeys: RowRule<KeyRow> = {
  table: 'order_keys',
  key: ['key', 'number'],
  columns: () =>
    sql`t.store_id, t.key, t.number, ${join(
      ['id', 'document_head', 'document', 'document_rest', 'document_tail'].map(
        (column) =>
          sql`(select o.${raw(column)} from orders o where o.store_id = t.store_id and o.number = t.number) as ${raw(column)}`,
      ),
      ', ',
    )}`,
  *problems(row) {
    if (row.id === null || !lookupKeysOf(readDocument(row)).includes(row.key))
      yield ['key_without_order', `order ${row.number} is found by a filter that does not fit it`];
  },
};

export const searchOfOrders: readonly Rule[] = [
  {
    kind: 'search_without_order',
    promise: 'nothing is found that does not exist',
    broken: ({ dialect }, scope) =>
      dialect.engine === 'sqlite'
        ? sql`select s.store_id, s.store_id as id, 'search terms of order ' || (c.id & 4294967295) || ', which does not exist' as message
              from order_search_content c join order_search_stores s on s.number = c.id >> 32
              where not exists (select 1 from orders o where o.store_id = s.store_id and o.number = c.id & 4294967295)
              ${inScope(scope, 's')}`
        : sql`select s.store_id, s.store_id as id, 'search terms of order ' || s.number || ', which does not exist' as message
              from order_search s
              where not exists (select 1 from orders o where o.store_id = s.store_id and o.number = s.number)
              ${inScope(scope, 's')}`,
  },
];
