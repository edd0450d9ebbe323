import type { Database } from '../src/db/database.ts';
import { rows, sql } from '../src/db/sql.ts';
import { uuid } from '../src/db/uuid.ts';
import { nameKey } from '../src/names.ts';

/** Rows put straight into the tables, for what a test needs and the API does not make. */

export interface Stamps {
  created_at: number;
  updated_at: number;
  seq: number;
}

/** Statements stay below the engines' limit of values. */
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
  const made = seeds.map((seed, index) => ({
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
    made.map((row) => [
      ...[storeId, row.id, row.external_id, row.sku, row.name, nameKey(row.name), row.price, row.category_id],
      row.is_active,
      ...[row.created_at, row.updated_at, row.seq],
    ]),
  );
  return made;
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
  const made = seeds.map((seed, index) => ({
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
    made.map((row) => [
      ...[storeId, row.id, row.external_id, row.name, nameKey(row.name), row.phone, row.phone_key, row.email],
      row.email_key,
      ...[row.created_at, row.updated_at, row.seq],
    ]),
  );
  return made;
}

export interface OrderSeed {
  status_id: string;
  payment_status_id: string;
  external_id?: string | null;
  updated_at?: number;
}

/** Orders without content, numbered and stamped from 1, and the store's clock behind the last. */
export async function insertOrders(db: Database, storeId: string, seeds: OrderSeed[], now = 1_000_000) {
  const made = seeds.map((seed, index) => ({
    id: uuid(now),
    external_id: null,
    updated_at: now,
    seq: index + 1,
    ...seed,
  }));
  await insertMany(
    db,
    sql`orders (store_id, id, number, external_id, created_at, updated_at, seq, status_id, payment_status_id, source,
        total_amount, document, items)`,
    made.map((row) => [
      ...[storeId, row.id, row.seq, row.external_id, now, row.updated_at, row.seq, row.status_id],
      ...[row.payment_status_id, 'api', 0, '', '[]'],
    ]),
  );
  const ts = Math.max(...made.map((row) => row.updated_at));
  await db.run(
    sql`update store_clocks set seq = ${made.length}, ts = ${ts}, last_number = ${made.length} where store_id = ${storeId}`,
  );
  return made;
}
