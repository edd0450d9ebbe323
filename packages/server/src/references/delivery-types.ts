import type { DeliveryType, DeliveryTypeChange } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import { tick } from '../db/clock/store-clock.ts';
import { type Database, isTaken, type Queryable } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, notFound } from '../domain-error.ts';
import { differences, recordHistory } from '../history/history.ts';
import { requireSameContent } from '../http/if-match.ts';
import { requireBelowLimit } from '../limits.ts';
import { storedName } from '../text/names.ts';
import { freeCode, slug } from './codes.ts';
import { lockTypes, recordInAll, requireOwnerOfAll, type StoreScope } from './shared-types.ts';
import * as queries from './types.queries.ts';

export interface NewDeliveryType {
  name: string;
  /** Derived from the name when left out. */
  code?: string;
  kind: DeliveryType['kind'];
  trackingUrlTemplate?: string;
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
  { name: sent, code, kind, trackingUrlTemplate = '' }: NewDeliveryType,
  actor: Actor,
  now: number,
): Promise<DeliveryType> {
  const name = storedName(sent);
  return db.transaction(async (tx) => {
    const stores = await lockTypes(tx, { ownerId, storeId }, actor);
    requireOwnerOfAll(stores, actor);
    const taken = new Set((await queries.typeCodes(tx, 'delivery', ownerId)).map((type) => type.code));
    requireBelowLimit('delivery_types', taken.size);
    if (code !== undefined && taken.has(code)) throw codeTaken(code);
    const free = code ?? freeCode(slug(name, 'delivery-type'), taken);
    const created = {
      id: uuid(now),
      code: free,
      name,
      kind,
      provider: null,
      tracking_url_template: trackingUrlTemplate,
    };
    await queries.insertDeliveryType(tx, ownerId, created, now);
    await queries.switchDeliveryType(tx, storeId, created.id, true);
    const subject = { kind: 'delivery_type', id: created.id, name } as const;
    await recordInAll(tx, stores, { actor, action: 'created', subject, at: now });
    return toDeliveryType({ ...created, is_active: true });
  });
}

/** Name, code and kind change in all stores of the owner, `isActive` in this one only. */
export async function changeDeliveryType(
  db: Database,
  { ownerId, storeId }: StoreScope,
  id: string,
  { name, isActive, trackingUrlTemplate, ...rest }: DeliveryTypeChange,
  actor: Actor,
  now: number,
  ifMatch?: string,
): Promise<DeliveryType> {
  const validId = asUuid(id);
  const change = { ...rest, ...(name !== undefined && { name: storedName(name) }) };
  const work = db.transaction(async (tx) => {
    const stores = await lockTypes(tx, { ownerId, storeId }, actor);
    const type = validId && (await queries.lockDeliveryType(tx, ownerId, storeId, validId));
    if (!type) throw notFound('delivery type');
    requireSameContent('delivery type', ifMatch, toDeliveryType(type));
    const changed = {
      ...type,
      ...change,
      is_active: isActive ?? type.is_active,
      tracking_url_template: trackingUrlTemplate ?? type.tracking_url_template,
    };
    if (type.provider !== null && changed.kind !== type.kind)
      throw new DomainError('integration_locked', `The kind is set by the integration with ${type.provider}.`);
    const fields = { name: 'name', code: 'code', kind: 'kind', tracking_url_template: 'trackingUrlTemplate' };
    const shared = differences(type, changed, fields);
    const here = differences(type, changed, { is_active: 'isActive' });
    const subject = { kind: 'delivery_type', id: type.id, name: changed.name } as const;
    if (shared) {
      requireOwnerOfAll(stores, actor);
      await queries.updateDeliveryType(tx, ownerId, changed);
      // Orders show the addresses that it makes; a response with the former ones is no longer current.
      if (shared.trackingUrlTemplate) for (const store of stores) await tick(tx, store.id, now);
    }
    if (here) await queries.switchDeliveryType(tx, storeId, type.id, changed.is_active);
    const entry = { actor, action: 'changed', subject, at: now } as const;
    if (shared)
      await recordInAll(
        tx,
        stores.filter(({ id }) => id !== storeId),
        { ...entry, details: shared },
      );
    if (shared || here) await recordHistory(tx, { ...entry, scopeId: storeId, details: { ...shared, ...here } });
    return toDeliveryType(changed);
  });
  return work.catch((error: unknown) => {
    if (isTaken(error, 'delivery_types.code')) throw codeTaken(rest.code ?? '');
    throw error;
  });
}

const codeTaken = (code: string) => new DomainError('code_taken', `The code ${code} belongs to another delivery type.`);

const toDeliveryType = ({ is_active, tracking_url_template, ...row }: queries.DeliveryTypeRow): DeliveryType => ({
  ...row,
  isActive: is_active,
  trackingUrlTemplate: tracking_url_template,
});
