import { type Plan, plans } from '@store-sales/contract';
import { type ChangeStore, DEFAULT_LOW_STOCK } from '@store-sales/contract/console';
import { type Actor, system } from '../actor.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { lockAccount } from '../db/lock-row.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, invalidField } from '../domain-error.ts';
import { type Action, type Details, differences, recordHistory } from '../history/history.ts';
import { requireBelowLimit } from '../limits.ts';
import { setUpOrders } from '../orders/write/set-up-store.ts';
import { enableOwnerTypes } from '../references/seed.ts';
import type { MemberStore, StoreRow } from '../tenants.ts';
import { finishStopping, stopForPlan } from '../webhooks/endpoints/switch-off.ts';
import * as queries from './accounts.queries.ts';
import { hasSecondFactor } from './second-factor/factors.ts';

export interface NewStore {
  ownerId: string;
  name: string;
  plan?: string | undefined;
  currency?: string | undefined;
  timezone?: string | undefined;
}

/** A new store has the system statuses, and its owner's delivery and payment types enabled. */
export async function addStore(
  tx: Transaction,
  details: NewStore,
  now: number,
  actor: Actor = system,
): Promise<StoreRow> {
  const created = {
    id: uuid(now),
    owner_id: details.ownerId,
    name: checkedName(details.name),
    plan: checkedPlan(details.plan ?? 'basic'),
    currency: checkedCurrency(details.currency ?? 'RUB'),
    timezone: checkedTimezone(details.timezone ?? 'Europe/Moscow'),
    low_stock: DEFAULT_LOW_STOCK,
    is_active: true,
    is_second_factor_required: false,
    created_at: now,
  };
  await lockAccount(tx, created.owner_id);
  requireBelowLimit('stores', await queries.countStoresOf(tx, created.owner_id));
  await queries.insertStore(tx, created);
  await setUpOrders(tx, created.id, now);
  await enableOwnerTypes(tx, created.id, created.owner_id);
  await note(tx, created, 'created', { plan: created.plan, currency: created.currency }, actor, now);
  return created;
}

export const createStore = (db: Database, details: NewStore, now: number, actor: Actor = system) =>
  db.transaction((tx) => addStore(tx, details, now, actor));

const note = (tx: Transaction, row: StoreRow, action: Action, details: Details, actor: Actor, at: number) =>
  recordHistory(tx, {
    scopeId: row.id,
    actor,
    action,
    subject: { kind: 'store', id: row.id, name: row.name },
    details,
    at,
  });

export const listStores = queries.listStores;

export async function findStore(db: Queryable, id: string): Promise<StoreRow> {
  const validId = asUuid(id);
  const found = validId && (await queries.findStore(db, validId));
  if (!found) throw new DomainError('not_found', `There is no store with the id ${id}.`);
  return found;
}

/** The store, if this account is a member. Any other store is reported as not found. */
export async function storeOf(db: Queryable, accountId: string, id: string): Promise<MemberStore> {
  const validId = asUuid(id);
  const found = validId && (await queries.findStoreOf(db, accountId, validId));
  if (!found) throw new DomainError('not_found', 'There is no such store.');
  return found;
}

export const storesOf = queries.listStoresOf;

/** The currency cannot be changed, because stored amounts would change their meaning. */
export async function changeStore(
  db: Database,
  current: MemberStore,
  change: ChangeStore,
  actor: Actor,
  now: number,
): Promise<MemberStore> {
  const name = change.name === undefined ? current.name : checkedName(change.name);
  const timezone = change.timezone === undefined ? current.timezone : checkedTimezone(change.timezone);
  const changed = { ...current, name, timezone, low_stock: change.lowStock ?? current.low_stock };
  const details = differences(current, changed, { name: 'name', timezone: 'timezone', low_stock: 'lowStock' });
  if (details)
    await db.transaction(async (tx) => {
      await queries.setDetails(tx, changed);
      await note(tx, changed, 'changed', details, actor, now);
    });
  return changed;
}

/** Members without a second factor have no access to the store until they set one up. */
export async function requireSecondFactor(
  db: Database,
  current: MemberStore,
  accountId: string,
  isRequired: boolean,
  actor: Actor,
  now: number,
): Promise<MemberStore> {
  if (isRequired && !(await hasSecondFactor(db, accountId)))
    throw new DomainError('second_factor_missing', 'Set up a second factor for yourself first.');
  const changed = { ...current, is_second_factor_required: isRequired };
  const details = differences(current, changed, { is_second_factor_required: 'requiresSecondFactor' });
  if (details)
    await db.transaction(async (tx) => {
      await queries.setSecondFactorRequired(tx, current.id, isRequired);
      await note(tx, changed, 'changed', details, actor, now);
    });
  return changed;
}

/** Leaving the Optimal plan blocks the store's API keys and disables its webhook endpoints. */
export async function setPlan(
  db: Database,
  id: string,
  plan: string,
  now: number,
  actor: Actor = system,
): Promise<StoreRow> {
  const newPlan = checkedPlan(plan);
  const changed = await db.transaction(async (tx) => {
    const found = await findStore(tx, id);
    await queries.setPlan(tx, found.id, newPlan);
    if (newPlan !== 'optimal') await stopForPlan(tx, found.id, now, actor);
    if (newPlan !== found.plan) await note(tx, found, 'plan_changed', { plan: [found.plan, newPlan] }, actor, now);
    return { ...found, plan: newPlan };
  });
  if (newPlan !== 'optimal') await finishStopping(db, now, { storeId: changed.id });
  return changed;
}

export async function setActive(
  db: Database,
  id: string,
  isActive: boolean,
  now: number,
  actor: Actor = system,
): Promise<StoreRow> {
  return db.transaction(async (tx) => {
    const found = await findStore(tx, id);
    await queries.setActive(tx, found.id, isActive);
    if (found.is_active !== isActive) await note(tx, found, isActive ? 'enabled' : 'disabled', {}, actor, now);
    return { ...found, is_active: isActive };
  });
}

function checkedName(text: string): string {
  const name = text.trim();
  if (!name || name.length > 200)
    throw invalidField('/name', 'invalid_format', 'The name of a store must have 1 to 200 characters.');
  return name;
}

function checkedPlan(text: string): Plan {
  const plan = plans.find((known) => known === text);
  if (!plan) throw new DomainError('invalid_body', `Unknown plan ${text}; valid plans: ${plans.join(', ')}.`);
  return plan;
}

function checkedCurrency(code: string): string {
  if (!/^[A-Z]{3}$/.test(code))
    throw invalidField('/currency', 'invalid_format', `${code} is not a currency code such as RUB.`);
  return code;
}

function checkedTimezone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw invalidField('/timezone', 'not_allowed', `${zone} is not a time zone such as Europe/Moscow.`);
  }
}
