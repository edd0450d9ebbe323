import type { DeliveryType, DeliveryTypeChange } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import { type Database, isTaken, type Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { differences, recordHistory } from '../history/history.ts';
import { notFound, Refusal } from '../refusal.ts';
import { storedName } from './names.ts';
import * as store from './types.store.ts';

/** A store, and the owner whose delivery and payment types it shares with the owner's other stores. */
export interface Place {
  ownerId: string;
  storeId: string;
}

export const listDeliveryTypes = async (db: Queryable, { ownerId, storeId }: Place) =>
  (await store.listDeliveryTypes(db, ownerId, storeId)).map(shown);

/** Name, code and kind change for all stores of the owner, `isActive` for this one. */
export async function changeDeliveryType(
  db: Database,
  { ownerId, storeId }: Place,
  id: string,
  { name, isActive, ...rest }: DeliveryTypeChange,
  actor: Actor,
  now: number,
): Promise<DeliveryType> {
  const wanted = asUuid(id);
  const change = { ...rest, ...(name !== undefined && { name: storedName(name) }) };
  const work = db.transaction(async (tx) => {
    const type = wanted && (await store.lockDeliveryType(tx, ownerId, storeId, wanted));
    if (!type) throw notFound('delivery type');
    const changed = { ...type, ...change, is_active: isActive ?? type.is_active };
    if (type.provider !== null && changed.kind !== type.kind)
      throw new Refusal('integration_locked', `The kind is set by the integration with ${type.provider}.`);
    const fields = { name: 'name', code: 'code', kind: 'kind', is_active: 'isActive' };
    const details = differences(type, changed, fields);
    if (!details) return shown(type);
    await store.updateDeliveryType(tx, ownerId, changed);
    if (changed.is_active !== type.is_active) await store.switchDeliveryType(tx, storeId, type.id, changed.is_active);
    const subject = { kind: 'delivery_type', id: type.id, name: changed.name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    return shown(changed);
  });
  return work.catch((error: unknown) => {
    if (isTaken(db, error)) throw new Refusal('code_taken', `The code ${rest.code} belongs to another delivery type.`);
    throw error;
  });
}

const shown = ({ is_active, ...row }: store.DeliveryTypeRow): DeliveryType => ({ ...row, isActive: is_active });
