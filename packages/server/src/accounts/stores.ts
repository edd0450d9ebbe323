import { type Plan, plans } from '@store-sales/contract';
import { type Actor, system } from '../actor.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { type Action, type Details, differences, recordHistory } from '../history/history.ts';
import { MAX_STORES, requireBelowLimit } from '../limits.ts';
import { addStoreDefaults, lockOwner } from '../references/seed.ts';
import { invalidField, Refusal } from '../refusal.ts';
import { finishStopping, stopForPlan } from '../webhooks/endpoints/switch-off.ts';
import * as queries from './accounts.queries.ts';

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
): Promise<queries.StoreRow> {
  const created = {
    id: uuid(now),
    owner_id: details.ownerId,
    name: checkedName(details.name),
    plan: checkedPlan(details.plan ?? 'basic'),
    currency: checkedCurrency(details.currency ?? 'RUB'),
    timezone: checkedTimezone(details.timezone ?? 'Europe/Moscow'),
    is_active: true,
    created_at: now,
  };
  await lockOwner(tx, created.owner_id);
  requireBelowLimit(await queries.countStoresOf(tx, created.owner_id), MAX_STORES, 'owner', 'stores');
  await queries.insertStore(tx, created);
  await addStoreDefaults(tx, created.id, created.owner_id, now);
  await note(tx, created, 'created', { plan: created.plan, currency: created.currency }, actor, now);
  return created;
}

export const createStore = (db: Database, details: NewStore, now: number, actor: Actor = system) =>
  db.transaction((tx) => addStore(tx, details, now, actor));

const note = (tx: Transaction, row: queries.StoreRow, action: Action, details: Details, actor: Actor, at: number) =>
  recordHistory(tx, {
    scopeId: row.id,
    actor,
    action,
    subject: { kind: 'store', id: row.id, name: row.name },
    details,
    at,
  });

export type { StoreRow } from './accounts.queries.ts';

export const listStores = queries.listStores;

export async function findStore(db: Queryable, id: string): Promise<queries.StoreRow> {
  const wanted = asUuid(id);
  const found = wanted && (await queries.findStore(db, wanted));
  if (!found) throw new Refusal('not_found', `There is no store with the id ${id}.`);
  return found;
}

/** The store, if it belongs to this owner. Another owner's store is reported as not found. */
export async function storeOf(db: Queryable, ownerId: string, id: string): Promise<queries.StoreRow> {
  const wanted = asUuid(id);
  const found = wanted && (await queries.findStore(db, wanted));
  if (!found || found.owner_id !== ownerId) throw new Refusal('not_found', 'There is no such store.');
  return found;
}

export const storesOf = queries.listStoresOf;

/** The currency cannot be changed, because stored amounts would change their meaning. */
export async function changeStore(
  db: Database,
  present: queries.StoreRow,
  change: { name?: string; timezone?: string },
  actor: Actor,
  now: number,
): Promise<queries.StoreRow> {
  const name = change.name === undefined ? present.name : checkedName(change.name);
  const timezone = change.timezone === undefined ? present.timezone : checkedTimezone(change.timezone);
  const changed = { ...present, name, timezone };
  const details = differences(present, changed, { name: 'name', timezone: 'timezone' });
  if (details)
    await db.transaction(async (tx) => {
      await queries.setDetails(tx, present.id, name, timezone);
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
): Promise<queries.StoreRow> {
  const wanted = checkedPlan(plan);
  const changed = await db.transaction(async (tx) => {
    const found = await findStore(tx, id);
    await queries.setPlan(tx, found.id, wanted);
    if (wanted !== 'optimal') await stopForPlan(tx, found.id, now, actor);
    if (wanted !== found.plan) await note(tx, found, 'plan_changed', { plan: [found.plan, wanted] }, actor, now);
    return { ...found, plan: wanted };
  });
  if (wanted !== 'optimal') await finishStopping(db, now, changed.id);
  return changed;
}

export async function setActive(
  db: Database,
  id: string,
  isActive: boolean,
  now: number,
  actor: Actor = system,
): Promise<queries.StoreRow> {
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
    throw invalidField('/name', 'invalid_format', 'The name of a store has 1 to 200 characters.');
  return name;
}

function checkedPlan(text: string): Plan {
  const plan = plans.find((known) => known === text);
  if (!plan) throw new Refusal('invalid_body', `There is no plan ${text}; there are ${plans.join(', ')}.`);
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
