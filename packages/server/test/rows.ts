import { termChange as ofProduct, type SearchedProduct } from '../src/catalog/search-terms.ts';
import { termChange as ofCustomer } from '../src/customers/search-terms.ts';
import type { Database } from '../src/db/database.ts';
import { type Searched, type TermChange, writeTerms } from '../src/db/search/record-terms.ts';
import { rows, sql } from '../src/db/sql.ts';
import { uuid } from '../src/db/uuid.ts';
import { runWrites } from '../src/db/write/run-plans.ts';
import { addressOf, writeDocument } from '../src/orders/document.ts';
import { searchedBy } from '../src/orders/write/order-rows.queries.ts';
import { nameKey } from '../src/text/names.ts';
import { iso } from '../src/time/instant.ts';
import { EVENTS_SINCE } from './sound.ts';

/** Inserts rows directly, for data that the API cannot create. */

export interface Stamps {
  created_at: number;
  updated_at: number;
  seq: number;
}

/** In batches, below the engines' limit of parameters. */
async function insertMany(db: Database, into: ReturnType<typeof sql>, table: unknown[][]) {
  for (let start = 0; start < table.length; start += 500)
    await db.run(sql`insert into ${into} values ${rows(table.slice(start, start + 500))}`);
}

const writeAllTerms = (db: Database, storeId: string, records: Searched, changes: TermChange[]) =>
  db.transaction((tx) => writeTerms(tx, records, storeId, changes));

/** After a change of products by a statement of the test. */
export async function searchAgain(db: Database, storeId: string) {
  const products = await db.all<SearchedProduct & { id: string }>(
    sql`select id, name, sku, external_id from products where store_id = ${storeId}`,
  );
  await db.run(sql`delete from product_terms where store_id = ${storeId}`);
  await writeAllTerms(
    db,
    storeId,
    'products',
    products.map((row) => ofProduct(row.id, undefined, row)),
  );
}

const clockOf = async (db: Database, storeId: string) =>
  (await db.one<{ seq: number; ts: number; last_number: number }>(
    sql`select seq, ts, last_number from store_clocks where store_id = ${storeId}`,
  )) as { seq: number; ts: number; last_number: number };

async function advanceClock(db: Database, storeId: string, rows: readonly Stamps[]) {
  const [seq, ts] = [Math.max(...rows.map((row) => row.seq)), Math.max(...rows.map((row) => row.updated_at))];
  const { greatest } = db.dialect;
  await db.run(
    sql`update store_clocks set seq = ${greatest(sql`seq`, sql`${seq}`)}, ts = ${greatest(sql`ts`, sql`${ts}`)}
        where store_id = ${storeId}`,
  );
}

export interface ProductSeed extends Partial<Stamps> {
  id?: string;
  external_id?: string | null;
  sku?: string | null;
  name?: string;
  price?: number;
  category_id?: string | null;
  is_active?: boolean;
}

export async function insertProducts(db: Database, storeId: string, seeds: ProductSeed[], now = 1_000_000) {
  const { seq: last, ts } = await clockOf(db, storeId);
  const created = seeds.map((seed, index) => ({
    id: uuid(now),
    external_id: null,
    sku: null,
    name: `Product ${index}`,
    price: 100,
    category_id: null,
    is_active: true,
    created_at: now,
    updated_at: Math.max(now, ts),
    seq: last + index + 1,
    ...seed,
  }));
  await insertMany(
    db,
    sql`products (store_id, id, external_id, sku, name, name_key, price, category_id, is_active, created_at, updated_at, seq)`,
    created.map((row) => [
      ...[storeId, row.id, row.external_id, row.sku, row.name, nameKey(row.name), row.price, row.category_id],
      row.is_active,
      ...[row.created_at, row.updated_at, row.seq],
    ]),
  );
  await writeAllTerms(
    db,
    storeId,
    'products',
    created.map((row) => ofProduct(row.id, undefined, row)),
  );
  await advanceClock(db, storeId, created);
  return created;
}

export interface CustomerSeed extends Partial<Stamps> {
  id?: string;
  external_id?: string | null;
  name?: string;
  phone?: string;
  phone_key?: string | null;
  email?: string;
  email_key?: string | null;
}

export async function insertCustomers(db: Database, storeId: string, seeds: CustomerSeed[], now = 1_000_000) {
  const { seq: last, ts } = await clockOf(db, storeId);
  const created = seeds.map((seed, index) => ({
    id: uuid(now),
    external_id: null,
    name: `Customer ${index}`,
    phone: '',
    phone_key: null,
    email: '',
    email_key: null,
    created_at: now,
    updated_at: Math.max(now, ts),
    seq: last + index + 1,
    ...seed,
  }));
  await insertMany(
    db,
    sql`customers (store_id, id, external_id, name, phone, phone_key, email, email_key, created_at, updated_at, seq)`,
    created.map((row) => [
      ...[storeId, row.id, row.external_id, row.name, row.phone, row.phone_key, row.email],
      row.email_key,
      ...[row.created_at, row.updated_at, row.seq],
    ]),
  );
  await writeAllTerms(
    db,
    storeId,
    'customers',
    created.map((row) => ofCustomer(row.id, undefined, row)),
  );
  await advanceClock(db, storeId, created);
  return created;
}

export interface OrderSeed {
  status_id: string;
  payment_status_id: string;
  external_id?: string | null;
  created_at?: number;
  updated_at?: number;
  total_amount?: number;
  source?: 'api' | 'manual' | 'site';
}

const customer = { name: '', phone: '', email: '' };

const documentOf = (row: Required<OrderSeed> & { id: string; number: number }) =>
  writeDocument({
    id: row.id,
    externalId: row.external_id ?? '',
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    totalAmount: row.total_amount,
    discountTotal: 0,
    promoCode: '',
    currency: 'RUB',
    customer: { id: null, ...customer },
    delivery: { type: '', cost: row.total_amount, discount: 0, ...addressOf({}), typeId: null, trackingNumber: '' },
    source: row.source,
    notes: '',
    number: row.number,
    metadata: {},
    paymentType: null,
  });

/** Orders without customers and items, after those that the store has; those of today have their events. */
export async function insertOrders(
  db: Database,
  storeId: string,
  seeds: OrderSeed[],
  now = 1_000_000,
  { withEvents = true } = {},
) {
  const { seq: last, ts, last_number: lastNumber } = await clockOf(db, storeId);
  const created = seeds.map((seed, index) => ({
    id: uuid(now),
    external_id: null,
    created_at: now,
    updated_at: Math.max(seed.created_at ?? now, ts),
    total_amount: 0,
    source: 'api' as const,
    seq: last + index + 1,
    number: lastNumber + index + 1,
    ...seed,
  }));
  await insertMany(
    db,
    sql`orders (store_id, id, number, external_id, created_at, updated_at, seq, status_id, payment_status_id, source,
        total_amount, document_head, document, document_rest, document_tail, items)`,
    created.map((row) => {
      const { document_head, document, document_rest, document_tail } = documentOf(row);
      return [
        ...[storeId, row.id, row.number, row.external_id, row.created_at, row.updated_at, row.seq, row.status_id],
        ...[row.payment_status_id, row.source, row.total_amount, document_head, document, document_rest, document_tail],
        '[]',
      ];
    }),
  );
  await db.transaction((tx) =>
    runWrites(
      tx,
      created.map(({ number, external_id }) =>
        searchedBy(
          storeId,
          { number, externalId: external_id ?? '', customer, delivery: addressOf({}), notes: '' },
          [],
        ),
      ),
    ),
  );
  const events = withEvents ? await insertEvents(db, storeId, created) : 0;
  const at = Math.max(ts, ...created.map((row) => row.updated_at));
  await db.run(
    sql`update store_clocks set seq = ${last + Math.max(created.length, events)}, ts = ${at},
          last_number = ${lastNumber + created.length} where store_id = ${storeId}`,
  );
  return created;
}

/** The events that lead to the orders; returns their number. */
async function insertEvents(
  db: Database,
  storeId: string,
  orders: readonly (OrderSeed & { id: string; seq: number; created_at: number })[],
) {
  const first = await firstStatuses(db, storeId);
  const recent = orders.filter(({ created_at }) => created_at > EVENTS_SINCE);
  const moved = (type: string, from: string, to: string) => (from === to ? [] : [[type, JSON.stringify({ from, to })]]);
  const events = recent.flatMap((order) =>
    [
      ['order.created', '{}'],
      ...moved('order.status_changed', first.status, order.status_id),
      ...moved('order.payment_status_changed', first.payment, order.payment_status_id),
    ].map(([type, details]) => ({ order, type, details })),
  );
  const start = orders[0]?.seq ?? 0;
  await insertMany(
    db,
    sql`events (store_id, id, type, order_id, details, actor_kind, created_at, seq)`,
    events.map(({ order, type, details }, index) => [
      ...[storeId, uuid(order.created_at), type, order.id, details, 'system', order.created_at, start + index],
    ]),
  );
  return events.length;
}

/** Orders in the first statuses, without events; returns their ids. */
export async function insertNewOrders(db: Database, storeId: string, count: number, at?: number, externalId = '') {
  const { status, payment } = await firstStatuses(db, storeId);
  const orders = await insertOrders(
    db,
    storeId,
    Array.from({ length: count }, () => ({
      status_id: status,
      payment_status_id: payment,
      external_id: externalId || null,
    })),
    at,
    { withEvents: false },
  );
  return orders.map(({ id }) => id);
}

const firstStatuses = async (db: Database, storeId: string) =>
  (await db.one<{ status: string; payment: string }>(
    sql`select s.id as status, p.id as payment from order_statuses s join payment_statuses p on p.store_id = s.store_id
        where s.store_id = ${storeId} and s.code = 'new' and p.code = 'unpaid'`,
  )) as { status: string; payment: string };
