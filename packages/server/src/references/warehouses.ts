import type { Warehouse, WarehouseCreate } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import type { Database, Queryable } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { differences, recordHistory } from '../history/history.ts';
import { MAX_REFERENCES, requireBelowLimit } from '../limits.ts';
import { storedName } from '../names.ts';
import { notFound } from '../refusal.ts';
import { insertUnderFreeCode, slug } from './codes.ts';
import * as queries from './lists.queries.ts';

export const listWarehouses = async (db: Queryable, storeId: string) =>
  (await queries.listWarehouses(db, storeId)).map(shown);

/** If the code is taken, derived or sent, a number is appended. */
export async function createWarehouse(
  db: Database,
  storeId: string,
  { name: sent, code, address = '', city = '' }: WarehouseCreate,
  actor: Actor,
  now: number,
): Promise<Warehouse> {
  const name = storedName(sent);
  return db.transaction(async (tx) => {
    await tx.lock(storeId, ['warehouses']);
    const taken = await queries.warehouseCodes(tx, storeId);
    requireBelowLimit(taken.length, MAX_REFERENCES, 'store', 'warehouses');
    const row = await insertUnderFreeCode(
      code ?? slug(name, 'warehouse'),
      () => queries.warehouseCodes(tx, storeId),
      (free) => queries.insertWarehouse(tx, storeId, { id: uuid(now), code: free, name, address, city }, now),
    );
    const subject = { kind: 'warehouse', id: row.id, name } as const;
    const details = { code: row.code };
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, details, at: now });
    return shown(row);
  });
}

export interface WarehouseChange {
  name?: string;
  address?: string;
  city?: string;
  isActive?: boolean;
}

/** Changes only the fields passed. The code is immutable, because other systems may refer to it. */
export async function changeWarehouse(
  db: Database,
  storeId: string,
  id: string,
  { name, isActive, ...rest }: WarehouseChange,
  actor: Actor,
  now: number,
): Promise<Warehouse> {
  const wanted = asUuid(id);
  const change = { ...rest, ...(name !== undefined && { name: storedName(name) }) };
  return db.transaction(async (tx) => {
    const present = wanted && (await queries.lockWarehouse(tx, storeId, wanted));
    if (!present) throw notFound('warehouse');
    const changed = { ...present, ...change, is_active: isActive ?? present.is_active };
    const fields = { name: 'name', address: 'address', city: 'city', is_active: 'isActive' };
    const details = differences(present, changed, fields);
    if (!details) return shown(present);
    await queries.updateWarehouse(tx, storeId, changed);
    const subject = { kind: 'warehouse', id: changed.id, name: changed.name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    return shown(changed);
  });
}

const shown = ({ is_active, ...row }: queries.WarehouseRow): Warehouse => ({ ...row, isActive: is_active });
