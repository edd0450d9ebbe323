import type { DeliveryType, DeliveryTypeChange } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import { type Database, isTaken, type Queryable } from '../db/database.ts';
import { lockAccount } from '../db/lock-row.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, notFound } from '../domain-error.ts';
import { differences, recordHistory } from '../history/history.ts';
import { requireSameContent } from '../if-match.ts';
import { requireBelowLimit } from '../limits.ts';
import { storedName } from '../names.ts';
import { insertUnderFreeCode, slug } from './codes.ts';
import * as queries from './types.queries.ts';

/** A store, and the owner whose delivery and payment types all of the owner's stores share. */
export interface StoreScope {
  ownerId: string;
  storeId: string;
}

export interface NewDeliveryType {
  name: string;
  /** Derived from the name when left out. */
  code?: string;
  kind: DeliveryType['kind'];
}

export const listDeliveryTypes = async (db: Queryable, { ownerId, storeId }: StoreScope) =>
  (await queries.listDeliveryTypes(db, ownerId, storeId)).map(toDeliveryType);

/** All of the owner's types, including those not enabled in this store. */
export const allDeliveryTypes = async (db: Queryable, { ownerId, storeId }: StoreScope) =>
  (await queries.allDeliveryTypes(db, ownerId, storeId)).map(toDeliveryType);

/**
 * Creates a delivery type for the owner, enabled in this store only. A derived code gets a suffix if taken; an explicit
 * one is rejected.
 */
export async function createDeliveryType(
  db: Database,
  { ownerId, storeId }: StoreScope,
  { name: sent, code, kind }: NewDeliveryType,
  actor: Actor,
  now: number,
): Promise<DeliveryType> {
  const name = storedName(sent);
  return db.transaction(async (tx) => {
    await lockAccount(tx, ownerId);
    const taken = await queries.deliveryTypeCodes(tx, ownerId);
    requireBelowLimit('delivery_types', taken.length);
    const insert = (free: string) =>
      queries.insertDeliveryType(tx, ownerId, { id: uuid(now), code: free, name, kind }, now);
    const created =
      code === undefined
        ? await insertUnderFreeCode(slug(name, 'delivery-type'), () => queries.deliveryTypeCodes(tx, ownerId), insert)
        : await insert(code);
    if (!created) throw codeTaken(code ?? '');
    await queries.switchDeliveryType(tx, storeId, created.id, true);
    const subject = { kind: 'delivery_type', id: created.id, name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, at: now });
    return toDeliveryType({ ...created, is_active: true });
  });
}

/** Name, code and kind change in all stores of the owner, `isActive` in this one only. */
export async function changeDeliveryType(
  db: Database,
  { ownerId, storeId }: StoreScope,
  id: string,
  { name, isActive, ...rest }: DeliveryTypeChange,
  actor: Actor,
  now: number,
  ifMatch?: string,
): Promise<DeliveryType> {
  const validId = asUuid(id);
  const change = { ...rest, ...(name !== undefined && { name: storedName(name) }) };
  const work = db.transaction(async (tx) => {
    const type = validId && (await queries.lockDeliveryType(tx, ownerId, storeId, validId));
    if (!type) throw notFound('delivery type');
    requireSameContent('delivery type', ifMatch, toDeliveryType(type));
    const changed = { ...type, ...change, is_active: isActive ?? type.is_active };
    if (type.provider !== null && changed.kind !== type.kind)
      throw new DomainError('integration_locked', `The kind is set by the integration with ${type.provider}.`);
    const fields = { name: 'name', code: 'code', kind: 'kind', is_active: 'isActive' };
    const details = differences(type, changed, fields);
    if (!details) return toDeliveryType(type);
    await queries.updateDeliveryType(tx, ownerId, changed);
    if (changed.is_active !== type.is_active) await queries.switchDeliveryType(tx, storeId, type.id, changed.is_active);
    const subject = { kind: 'delivery_type', id: type.id, name: changed.name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    return toDeliveryType(changed);
  });
  return work.catch((error: unknown) => {
    if (isTaken(db, error)) throw codeTaken(rest.code ?? '');
    throw error;
  });
}

const codeTaken = (code: string) => new DomainError('code_taken', `The code ${code} belongs to another delivery type.`);

const toDeliveryType = ({ is_active, ...row }: queries.DeliveryTypeRow): DeliveryType => ({
  ...row,
  isActive: is_active,
});
