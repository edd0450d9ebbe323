import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface WarehouseRow {
  id: string;
  code: string;
  name: string;
  address: string;
  city: string;
  is_active: boolean;
}

export const listWarehouses = (db: Queryable, storeId: string) =>
  db.all<WarehouseRow>(
    sql`select id, code, name, address, city, is_active
        from warehouses where store_id = ${storeId} order by created_at, id`,
  );

export const warehouseCodes = async (db: Queryable, storeId: string) =>
  (await db.all<{ code: string }>(sql`select code from warehouses where store_id = ${storeId}`)).map((row) => row.code);

export const insertWarehouse = (
  tx: Transaction,
  storeId: string,
  { id, code, name, address, city }: Omit<WarehouseRow, 'is_active'>,
  now: number,
) =>
  tx.run(
    sql`insert into warehouses (store_id, id, code, name, address, city, created_at)
        values (${storeId}, ${id}, ${code}, ${name}, ${address}, ${city}, ${now})`,
  );

export const lockWarehouse = (tx: Transaction, storeId: string, id: string) =>
  tx.one<WarehouseRow>(
    sql`select id, code, name, address, city, is_active from warehouses
        where store_id = ${storeId} and id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const updateWarehouse = (
  tx: Transaction,
  storeId: string,
  { id, name, address, city, is_active }: WarehouseRow,
) =>
  tx.run(
    sql`update warehouses set name = ${name}, address = ${address}, city = ${city}, is_active = ${is_active}
        where store_id = ${storeId} and id = ${id}`,
  );
