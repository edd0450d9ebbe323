import type { Warehouse, WarehouseCreate } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import * as unfinished from '../db/batches/unfinished-changes.ts';
import { lockClock } from '../db/clock/store-clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import { differences, recordHistory } from '../history/history.ts';
import { requireSameContent } from '../http/if-match.ts';
import { requireBelowLimit } from '../limits.ts';
import { type Recount, recountWarehouse } from '../stock/recount-warehouse.ts';
import { storedName } from '../text/names.ts';
import { freeCode, slug } from './codes.ts';
import * as queries from './warehouses.queries.ts';

export const listWarehouses = async (db: Queryable, storeId: string) =>
  (await queries.listWarehouses(db, storeId)).map(toWarehouse);

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
    const taken = new Set(await queries.warehouseCodes(tx, storeId));
    requireBelowLimit('warehouses', taken.size);
    const free = freeCode(code ?? slug(name, 'warehouse'), taken);
    const row = { id: uuid(now), code: free, name, address, city, is_active: true };
    await queries.insertWarehouse(tx, storeId, row, now);
    const subject = { kind: 'warehouse', id: row.id, name } as const;
    const details = { code: row.code };
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, details, at: now });
    return toWarehouse(row);
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
  ifMatch?: string,
): Promise<Warehouse> {
  const validId = asUuid(id);
  const change = { ...rest, ...(name !== undefined && { name: storedName(name) }) };
  let recount: Recount | undefined;
  const warehouse = await db.transaction(async (tx) => {
    await lockClock(tx, storeId);
    const current = validId && (await queries.lockWarehouse(tx, storeId, validId));
    if (!current) throw notFound('warehouse');
    requireSameContent('warehouse', ifMatch, toWarehouse(current));
    const changed = { ...current, ...change, is_active: isActive ?? current.is_active };
    const fields = { name: 'name', address: 'address', city: 'city', is_active: 'isActive' };
    const details = differences(current, changed, fields);
    if (!details) return toWarehouse(current);
    await queries.updateWarehouse(tx, storeId, changed);
    if (changed.is_active !== current.is_active) {
      recount = { kind: 'warehouse', storeId, id: changed.id, fields: { isActive: changed.is_active }, actor, now };
      await unfinished.record(tx, recount);
    }
    const subject = { kind: 'warehouse', id: changed.id, name: changed.name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    return toWarehouse(changed);
  });
  if (recount) await recountWarehouse(db, recount);
  return warehouse;
}

const toWarehouse = ({ is_active, ...row }: queries.WarehouseRow): Warehouse => ({ ...row, isActive: is_active });
