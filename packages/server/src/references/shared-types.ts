import type { Actor } from '../actor.ts';
import type { Transaction } from '../db/database.ts';
import { lockAccount } from '../db/lock-row.ts';
import { DomainError, notFound } from '../domain-error.ts';
import { type NewEntry, recordHistory } from '../history/history.ts';
import { freeCode } from './codes.ts';
import * as queries from './types.queries.ts';

/** A store, and the owner whose delivery and payment types all of the owner's stores share. */
export interface StoreScope {
  ownerId: string;
  storeId: string;
}

/** The stores that share types, and the role of the one who changes these in each. */
export type SharingStores = Awaited<ReturnType<typeof lockTypes>>;

/** Changes of an owner's types run one after another, and never while one of the stores changes hands. */
export async function lockTypes(tx: Transaction, { ownerId, storeId }: StoreScope, actor: Actor) {
  await lockAccount(tx, ownerId);
  const stores = await queries.storesOf(tx, ownerId, actor.kind === 'owner' ? actor.id : null);
  if (!stores.some(({ id }) => id === storeId)) throw notFound('store');
  return stores;
}

/** A change is seen in every store that shares the type, so a person must own them all. A key acts for the owner. */
export function requireOwnerOfAll(stores: SharingStores, actor: Actor) {
  if (actor.kind === 'owner' && stores.some(({ role }) => role !== 'owner'))
    throw new DomainError(
      'role_required',
      'Several stores share delivery and payment types: only an owner of all of them can create or change one.',
    );
}

export async function recordInAll(tx: Transaction, stores: SharingStores, entry: Omit<NewEntry, 'scopeId'>) {
  for (const { id } of stores) await recordHistory(tx, { ...entry, scopeId: id });
}

/**
 * Gives a store's types to its new owner, under the same ids, because orders refer to them. A code that the new owner has
 * already gets a suffix.
 */
export async function copyTypes(tx: Transaction, { ownerId, storeId }: StoreScope, newOwnerId: string) {
  for (const id of [ownerId, newOwnerId].sort()) await lockAccount(tx, id);
  for (const kind of ['delivery', 'payment'] as const) {
    const owned = await queries.typeCodes(tx, kind, newOwnerId);
    const ids = new Set(owned.map(({ id }) => id));
    const codes = new Set(owned.map(({ code }) => code));
    // The new owner has them already if the store was theirs before.
    const types = (await queries.typesOfStore(tx, kind, ownerId, storeId)).filter(({ id }) => !ids.has(id));
    const copies = types.map((type) => {
      const code = freeCode(type.code, codes);
      codes.add(code);
      return { ...type, code };
    });
    if (copies.length) await queries.insertTypes(tx, kind, newOwnerId, copies);
  }
}
