import { type Actor, system } from '../actor.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { DomainError, invalidField } from '../domain-error.ts';
import { type Action, recordHistory } from '../history/history.ts';
import { addOwnerDefaults } from '../references/seed.ts';
import type { AccountRow } from '../tenants.ts';
import * as queries from './accounts.queries.ts';
import { removeReset } from './password-resets.queries.ts';
import { hashPassword } from './passwords.ts';
import type { Visitor } from './visitor.ts';

export interface NewOwner {
  email: string;
  name: string;
  password: string;
}

/** Validates and hashes outside of any transaction, because hashing is slow on purpose. */
export async function prepareOwner({ email, name, password }: NewOwner, now: number): Promise<AccountRow> {
  const address = checkedEmail(email);
  const title = checkedName(name);
  const passwordHash = await hashPassword(password);
  return {
    id: uuid(now),
    email: address,
    name: title,
    password_hash: passwordHash,
    language: '',
    is_invited: false,
    created_at: now,
  };
}

/** A new owner starts with the default delivery and payment types. */
export async function addOwner(tx: Transaction, owner: AccountRow): Promise<AccountRow> {
  if (!(await queries.insertOwner(tx, owner, emailKey(owner.email))))
    throw new DomainError('name_taken', `There is already an account with the e-mail ${owner.email}.`);
  await addOwnerDefaults(tx, owner.id, owner.created_at);
  await recordOwnerHistory(tx, owner, 'created', system, owner.created_at);
  return owner;
}

export async function createOwner(db: Database, details: NewOwner, now: number): Promise<AccountRow> {
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
    await removeReset(tx, owner.id);
    await recordOwnerHistory(tx, owner, 'password_changed', system, now);
  });
  return owner;
}

export const accountWithEmail = (db: Queryable, email: string) => queries.findOwner(db, emailKey(email));

export async function ownerByEmail(db: Database, email: string): Promise<AccountRow> {
  const owner = await queries.findOwner(db, emailKey(email));
  if (!owner) throw new DomainError('not_found', `There is no owner with the e-mail ${email}.`);
  return owner;
}

export async function changeProfile(
  db: Queryable,
  current: AccountRow,
  change: { name?: string; language?: string },
): Promise<AccountRow> {
  const name = change.name === undefined ? current.name : checkedName(change.name);
  const language = change.language ?? current.language;
  await queries.setProfile(db, current.id, name, language);
  return { ...current, name, language };
}

/** Account events belong to the owner, not to a store. */
export const recordOwnerHistory = (
  tx: Transaction,
  { id, email }: AccountRow,
  action: Action,
  actor: Actor,
  at: number,
  details = {},
) => recordHistory(tx, { scopeId: id, actor, action, subject: { kind: 'account', id, name: email }, details, at });

export const noteOfSignIn = (
  tx: Transaction,
  owner: AccountRow,
  { address, userAgent, browser }: Visitor,
  at: number,
) =>
  recordOwnerHistory(tx, owner, 'signed_in', { kind: 'owner', id: owner.id }, at, {
    address,
    userAgent,
    isNewBrowser: browser?.ownerId !== owner.id,
  });

export const hasOwners = queries.anyOwner;

/** Normalized e-mail for comparison. */
export const emailKey = (email: string) => email.trim().normalize('NFKC').toLowerCase();

export function checkedEmail(email: string): string {
  const address = email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 254)
    throw invalidField('/email', 'invalid_format', `"${address}" is not an e-mail address.`);
  return address;
}

function checkedName(text: string): string {
  const name = text.trim();
  if (!name || name.length > 200)
    throw invalidField('/name', 'invalid_format', 'The name of an owner must have 1 to 200 characters.');
  return name;
}
