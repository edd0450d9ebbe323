import type { Database } from '../src/db/database.ts';
import { rows, sql } from '../src/db/sql.ts';
import { uuid } from '../src/db/uuid.ts';
import { iso } from '../src/instant.ts';
import { nameKey } from '../src/names.ts';
import { addressOf, writeDocument } from '../src/orders/document.ts';

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
  const created = seeds.map((seed, index) => ({
    id: uuid(now),
    external_id: null,
    sku: null,
    name: `Product ${index}`,
    price: 100,
    category_id: null,
    is_active: true,
    created_at: now,
    updated_at: now,
    seq: index + 1,
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
  const created = seeds.map((seed, index) => ({
    id: uuid(now),
    external_id: null,
    name: `Customer ${index}`,
    phone: '',
    phone_key: null,
    email: '',
    email_key: null,
    created_at: now,
    updated_at: now,
    seq: index + 1,
    ...seed,
  }));
  await insertMany(
    db,
    sql`customers (store_id, id, external_id, name, name_key, phone, phone_key, email, email_key, created_at, updated_at, seq)`,
    created.map((row) => [
      ...[storeId, row.id, row.external_id, row.name, nameKey(row.name), row.phone, row.phone_key, row.email],
      row.email_key,
      ...[row.created_at, row.updated_at, row.seq],
    ]),
  );
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

const documentOf = (row: Required<OrderSeed> & { id: string; seq: number }) =>
  writeDocument({
    id: row.id,
    externalId: row.external_id ?? '',
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    totalAmount: row.total_amount,
    discountTotal: 0,
    promoCode: '',
    currency: 'RUB',
    customer: { id: null, name: '', phone: '', email: '' },
    delivery: { type: '', cost: 0, discount: 0, ...addressOf({}), typeId: null },
    source: row.source,
    notes: '',
    number: row.seq,
    paymentType: null,
  });

/** Orders without customers and items, numbered from 1; also sets the store's clock. */
export async function insertOrders(db: Database, storeId: string, seeds: OrderSeed[], now = 1_000_000) {
  const created = seeds.map((seed, index) => ({
    id: uuid(now),
    external_id: null,
    created_at: now,
    updated_at: seed.created_at ?? now,
    total_amount: 0,
    source: 'api' as const,
    seq: index + 1,
    ...seed,
  }));
  await insertMany(
    db,
    sql`orders (store_id, id, number, external_id, created_at, updated_at, seq, status_id, payment_status_id, source,
        total_amount, document_head, document, document_tail, items)`,
    created.map((row) => {
      const { document_head, document, document_tail } = documentOf(row);
      return [
        ...[storeId, row.id, row.seq, row.external_id, row.created_at, row.updated_at, row.seq, row.status_id],
        ...[row.payment_status_id, row.source, row.total_amount, document_head, document, document_tail, '[]'],
      ];
    }),
  );
  const ts = Math.max(...created.map((row) => row.updated_at));
  await db.run(
    sql`update store_clocks set seq = ${created.length}, ts = ${ts}, last_number = ${created.length} where store_id = ${storeId}`,
  );
  return created;
}
