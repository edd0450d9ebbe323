import type { Warehouse, WarehouseCreate } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import type { Database, Queryable } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { recordHistory } from '../history/history.ts';
import { insertUnderFreeCode, slug } from './codes.ts';
import * as store from './lists.store.ts';
import { storedName } from './names.ts';

export const listWarehouses = async (db: Queryable, storeId: string) =>
  (await store.listWarehouses(db, storeId)).map(shown);

/** A code that was sent gives way like a derived one: when it is taken, a number is appended. */
export async function createWarehouse(
  db: Database,
  storeId: string,
  { name: sent, code, address = '', city = '' }: WarehouseCreate,
  actor: Actor,
  now: number,
): Promise<Warehouse> {
  const name = storedName(sent);
  return db.transaction(async (tx) => {
    const row = await insertUnderFreeCode(
      code ?? slug(name, 'warehouse'),
      () => store.warehouseCodes(tx, storeId),
      (free) => store.insertWarehouse(tx, storeId, { id: uuid(now), code: free, name, address, city }, now),
    );
    const subject = { kind: 'warehouse', id: row.id, name } as const;
    const details = { code: row.code };
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, details, at: now });
    return shown(row);
  });
}

const shown = ({ is_active, ...row }: store.WarehouseRow): Warehouse => ({ ...row, isActive: is_active });
