import type { Database } from '../src/db/database.ts';
import { type Migration, released } from '../src/db/migrations/migrate.ts';
import { sql } from '../src/db/sql.ts';
import { insertNewOrders } from './rows.ts';
import type { Service } from './service.ts';

/** Migrations of a later version: a new column of orders, and the batches that fill it. */
export const future: Migration[] = [
  ...released,
  { name: 'add-initial', statements: () => ["alter table orders add column initial text not null default ''"] },
  {
    name: 'fill-initial',
    batch: () => ({
      table: 'orders',
      primaryKey: ['store_id', 'id'],
      set: "initial = initial || '#' || number",
      isPending: "initial = ''",
    }),
  },
];

/** A store with orders of this version. */
export async function storeWithOrders(service: Service, count: number) {
  const { storeId, key } = await service.shop();
  await insertNewOrders(service.db, storeId, count);
  return { storeId, key };
}

/** Orders that the migrations have not changed exactly once. */
export const wrongOrders = async (db: Database) =>
  Number(
    (
      await db.one<{ count: number }>(
        sql`select count(*) as count from orders where initial <> '#' || cast(number as text)`,
      )
    )?.count,
  );
