import { type Actor, system } from '../actor.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { type Action, recordHistory } from '../history/history.ts';
import { addOwnerDefaults } from '../references/seed.ts';
import { invalidField, Refusal } from '../refusal.ts';
import * as queries from './accounts.queries.ts';
import { hashPassword } from './passwords.ts';

export interface NewOwner {
  email: string;
  name: string;
  password: string;
}

/** Validates and hashes outside of any transaction, because hashing is slow on purpose. */
export async function prepareOwner({ email, name, password }: NewOwner, now: number): Promise<queries.OwnerRow> {
  const address = email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 254)
    throw invalidField('/email', 'invalid_format', `"${address}" is not an e-mail address.`);
  const title = checkedName(name);
  const passwordHash = await hashPassword(password);
  return { id: uuid(now), email: address, name: title, password_hash: passwordHash, language: '', created_at: now };
}

/** A new owner starts with the default delivery and payment types. */
export async function addOwner(tx: Transaction, owner: queries.OwnerRow): Promise<queries.OwnerRow> {
  if (!(await queries.insertOwner(tx, owner, emailKey(owner.email))))
    throw new Refusal('name_taken', `There is already an owner with the e-mail ${owner.email}.`);
  await addOwnerDefaults(tx, owner.id, owner.created_at);
  await noteOfOwner(tx, owner, 'created', system, owner.created_at);
  return owner;
}

export async function createOwner(db: Database, details: NewOwner, now: number): Promise<queries.OwnerRow> {
  const owner = await prepareOwner(details, now);
  return db.transaction((tx) => addOwner(tx, owner));
}

/** Sets a new password and ends all of the owner's sessions. */
export async function resetPassword(db: Database, email: string, password: string, now: number) {
  const owner = await ownerByEmail(db, email);
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    await queries.setPassword(tx, owner.id, passwordHash);
    await queries.deleteSessions(tx, owner.id);
    await noteOfOwner(tx, owner, 'password_changed', system, now);
  });
  return owner;
}

export async function ownerByEmail(db: Database, email: string): Promise<queries.OwnerRow> {
  const owner = await queries.findOwner(db, emailKey(email));
  if (!owner) throw new Refusal('not_found', `There is no owner with the e-mail ${email}.`);
  return owner;
}

export async function changeProfile(
  db: Queryable,
  present: queries.OwnerRow,
  change: { name?: string; language?: string },
): Promise<queries.OwnerRow> {
  const name = change.name === undefined ? present.name : checkedName(change.name);
  const language = change.language ?? present.language;
  await queries.setProfile(db, present.id, name, language);
  return { ...present, name, language };
}

/** Account events belong to the owner, not to a store. */
export const noteOfOwner = (
  tx: Transaction,
  { id, email }: queries.OwnerRow,
  action: Action,
  actor: Actor,
  at: number,
  details = {},
) => recordHistory(tx, { scopeId: id, actor, action, subject: { kind: 'account', id, name: email }, details, at });

export type { OwnerRow } from './accounts.queries.ts';

export const hasOwners = queries.anyOwner;

/** Normalized e-mail for comparison. */
export const emailKey = (email: string) => email.trim().normalize('NFKC').toLowerCase();

function checkedName(text: string): string {
  const name = text.trim();
  if (!name || name.length > 200)
    throw invalidField('/name', 'invalid_format', 'The name of an owner has 1 to 200 characters.');
  return name;
}
