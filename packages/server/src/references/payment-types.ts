import type { PaymentType, PaymentTypeCreate } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import type { Database, Queryable } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, notFound } from '../domain-error.ts';
import { recordHistory } from '../history/history.ts';
import { requireBelowLimit } from '../limits.ts';
import { storedName } from '../text/names.ts';
import { freeCode, slug } from './codes.ts';
import { lockTypes, recordInAll, requireOwnerOfAll, type StoreScope } from './shared-types.ts';
import * as queries from './types.queries.ts';

export const listPaymentTypes = async (db: Queryable, { ownerId, storeId }: StoreScope): Promise<PaymentType[]> =>
  (await queries.listPaymentTypes(db, ownerId, storeId)).map(toPaymentType);

/** All of the owner's types, including those not enabled in this store. */
export const allPaymentTypes = async (db: Queryable, { ownerId, storeId }: StoreScope): Promise<PaymentType[]> =>
  (await queries.allPaymentTypes(db, ownerId, storeId)).map(toPaymentType);

/** Enables or disables the type in this store only. Existing orders keep it. */
export async function switchPaymentType(
  db: Database,
  { ownerId, storeId }: StoreScope,
  id: string,
  isActive: boolean,
  actor: Actor,
  now: number,
): Promise<PaymentType> {
  const validId = asUuid(id);
  return db.transaction(async (tx) => {
    const type = validId && (await queries.findPaymentType(tx, ownerId, validId));
    if (!type) throw notFound('payment type');
    await queries.switchPaymentType(tx, storeId, type.id, isActive);
    const subject = { kind: 'payment_type', id: type.id, name: type.name } as const;
    const action = isActive ? 'enabled' : 'disabled';
    await recordHistory(tx, { scopeId: storeId, actor, action, subject, at: now });
    return { ...type, isActive };
  });
}

/**
 * Creates a payment type, enabled in all active stores of the owner. A derived code gets a suffix if taken; an explicit
 * one is rejected.
 */
export async function createPaymentType(
  db: Database,
  { ownerId, storeId }: StoreScope,
  { name: sent, code, description = '' }: PaymentTypeCreate,
  actor: Actor,
  now: number,
): Promise<PaymentType> {
  const name = storedName(sent);
  return db.transaction(async (tx) => {
    const stores = await lockTypes(tx, { ownerId, storeId }, actor);
    requireOwnerOfAll(stores, actor);
    const taken = new Set((await queries.typeCodes(tx, 'payment', ownerId)).map((type) => type.code));
    requireBelowLimit('payment_types', taken.size);
    if (code !== undefined && taken.has(code))
      throw new DomainError('code_taken', `The code ${code} belongs to another payment type.`);
    const free = code ?? freeCode(slug(name, 'payment-type'), taken);
    const created = { id: uuid(now), code: free, name, description };
    await queries.insertPaymentType(tx, ownerId, created, now);
    await queries.enableInActiveStores(tx, ownerId, created.id);
    const subject = { kind: 'payment_type', id: created.id, name } as const;
    const details = { code: created.code };
    await recordInAll(tx, stores, { actor, action: 'created', subject, details, at: now });
    return { ...created, isActive: true };
  });
}

const toPaymentType = ({ is_active, ...row }: queries.PaymentTypeRow): PaymentType => ({ ...row, isActive: is_active });
