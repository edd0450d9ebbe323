import type { OrderItem } from '@store-sales/contract';
import { empty, sql } from '../../db/sql.ts';
import { change, insert, type RowTable, type Write } from '../../db/write/plan.ts';
import { rowTable } from '../../db/write/row-table.ts';
import type { OrderDocument, StoredOrder } from '../document.ts';
import { lookupKeysOf } from './lookup-keys.ts';
import { type SearchedOrder, searchTerms, storedTerms } from './search-terms.ts';

const orderRows = rowTable('orders', {
  store_id: 'uuid',
  id: 'uuid',
  number: 'integer',
  external_id: 'text',
  created_at: 'instant',
  updated_at: 'instant',
  seq: 'integer',
  status_id: 'uuid',
  payment_status_id: 'uuid',
  customer_id: 'uuid',
  source: 'text',
  total_amount: 'integer',
  paid_amount: 'integer',
  promo_code_id: 'uuid',
  promo_discount: 'integer',
  delivery_type_id: 'uuid',
  tracking_code: 'text',
  document_head: 'text',
  document: 'text',
  document_rest: 'text',
  document_tail: 'text',
  items: 'text',
});

const lineRows = rowTable('order_lines', {
  store_id: 'uuid',
  order_id: 'uuid',
  position: 'integer',
  id: 'uuid',
  product_id: 'uuid',
  quantity: 'integer',
  unit_price: 'integer',
  discount: 'integer',
  line_total: 'integer',
  warehouse_id: 'uuid',
});

const keyRows = rowTable('order_keys', { store_id: 'uuid', key: 'text', number: 'integer' });

interface TermsRow {
  store_id: string;
  number: number;
  terms: readonly string[];
}

/** Replaces the terms that orders are found by. */
const termRows: RowTable<TermsRow> = {
  name: 'order_search',
  insert({ engine, insertsArrays, records }, rows) {
    // Not from a select, for which FTS5 would write its index to the database each time.
    if (engine === 'sqlite')
      return rows.map(
        ({ store_id, number, terms }) =>
          sql`insert or replace into order_search (rowid, terms)
              values ((select number from order_search_stores where store_id = ${store_id}) * 4294967296
                + cast(${number} as integer), ${terms.join(' ')})`,
      );
    if (!insertsArrays)
      return rows.map(
        ({ store_id, number, terms }) =>
          sql`insert into order_search (store_id, number, terms)
              values (${store_id}, ${number}, array_to_tsvector(${terms}::text[]))
              on conflict (store_id, number) do update set terms = excluded.terms`,
      );
    // An array of arrays would need rows of one length; no term contains a space.
    const texts = rows.map((row) => ({ ...row, terms: row.terms.join(' ') }));
    return sql`insert into order_search (store_id, number, terms)
        select x.store_id, x.number, array_to_tsvector(string_to_array(x.terms, ' '))
        from ${records('x', { store_id: 'uuid', number: 'integer', terms: 'text' }, texts)}
        on conflict (store_id, number) do update set terms = excluded.terms`;
  },
};

/** Where each line was taken from; null if nothing was taken. */
export type Warehouses = readonly (string | null)[];

/** What an order refers to and what is not in its document. */
export interface OrderKeys {
  storeId: string;
  statusId: string;
  paymentStatusId: string;
  /** The time of the change, and its number. */
  at: number;
  seq: number;
}

export function newOrder(
  keys: OrderKeys,
  document: OrderDocument,
  items: readonly OrderItem[],
  stored: StoredOrder,
  warehouses: Warehouses,
): Write[] {
  const row = {
    store_id: keys.storeId,
    id: document.id,
    number: document.number,
    external_id: document.externalId || null,
    created_at: keys.at,
    updated_at: keys.at,
    seq: keys.seq,
    status_id: keys.statusId,
    payment_status_id: keys.paymentStatusId,
    customer_id: document.customer.id,
    source: document.source,
    total_amount: document.totalAmount,
    delivery_type_id: document.delivery.typeId,
    ...stored,
  };
  return [
    insert(orderRows, [row]),
    newLines(keys.storeId, document.id, items, warehouses),
    searchedBy(keys.storeId, document, items),
    foundBy(keys.storeId, document),
  ];
}

/** What filters find the order by. */
export const foundBy = (storeId: string, document: OrderDocument, keys: readonly string[] = lookupKeysOf(document)) =>
  insert(
    keyRows,
    keys.map((key) => ({ store_id: storeId, key, number: document.number })),
  );

/** The keys that a change adds and removes. */
export function changedKeys(storeId: string, before: OrderDocument, after: OrderDocument): Write[] {
  const [old, now] = [new Set(lookupKeysOf(before)), new Set(lookupKeysOf(after))];
  const [added, removed] = [[...now].filter((key) => !old.has(key)), [...old].filter((key) => !now.has(key))];
  const { number } = after;
  const remove = (key: string) =>
    change(
      'order_keys',
      () => sql`delete from order_keys where store_id = ${storeId} and key = ${key} and number = ${number}`,
    );
  return [...removed.map(remove), foundBy(storeId, after, added)];
}

/** Without `hasNewItems` the lines stay as they are: most changes are of a status. */
export const changedOrder = (
  keys: OrderKeys,
  document: OrderDocument,
  stored: StoredOrder,
  hasNewItems: boolean,
): Write =>
  change(
    'orders',
    () =>
      sql`update orders set status_id = ${keys.statusId}, payment_status_id = ${keys.paymentStatusId},
            customer_id = ${document.customer.id}, document_head = ${stored.document_head}, document = ${stored.document},
            document_rest = ${stored.document_rest}, document_tail = ${stored.document_tail},
            updated_at = ${keys.at}, seq = ${keys.seq}, total_amount = ${document.totalAmount},
            paid_amount = ${stored.paid_amount}, promo_code_id = ${stored.promo_code_id},
            promo_discount = ${stored.promo_discount}, delivery_type_id = ${document.delivery.typeId},
            tracking_code = ${stored.tracking_code} ${hasNewItems ? sql`, items = ${stored.items}` : empty}
          where store_id = ${keys.storeId} and id = ${document.id}`,
  );

export const replacedLines = (
  storeId: string,
  orderId: string,
  items: readonly OrderItem[],
  warehouses: Warehouses,
): Write[] => [
  change('order_lines', () => sql`delete from order_lines where store_id = ${storeId} and order_id = ${orderId}`),
  newLines(storeId, orderId, items, warehouses),
];

/** The same lines, taken from other warehouses or put back. */
export const takenFrom = (storeId: string, orderId: string, warehouses: Warehouses): Write =>
  change('order_lines', (dialect) => {
    const rows = warehouses.map((warehouse_id, position) => ({ position, warehouse_id }));
    return sql`update order_lines set warehouse_id = v.warehouse_id
               from ${dialect.records('v', { position: 'integer', warehouse_id: 'uuid' }, rows)}
               where order_lines.store_id = ${storeId} and order_lines.order_id = ${orderId}
                 and order_lines.position = v.position`;
  });

const newLines = (storeId: string, orderId: string, items: readonly OrderItem[], warehouses: Warehouses) =>
  insert(
    lineRows,
    items.map((item, position) => ({
      store_id: storeId,
      order_id: orderId,
      position,
      id: item.id,
      product_id: item.productId,
      quantity: item.quantity,
      unit_price: item.unitPrice,
      discount: item.discount,
      line_total: item.lineTotal,
      warehouse_id: warehouses[position] ?? null,
    })),
  );

export const searchedBy = (
  storeId: string,
  order: SearchedOrder,
  items: readonly Pick<OrderItem, 'sku' | 'name'>[],
) => {
  const { number } = order;
  return insert(termRows, [
    { store_id: storeId, number, terms: storedTerms(storeId, number, searchTerms(order, items)) },
  ]);
};
