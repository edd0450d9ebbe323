import { type Role, roles } from '@store-sales/contract/console';
import { closeAll } from '../accounts/sessions.ts';
import type { Actor } from '../actor.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { lockStore } from '../db/lock-row.ts';
import { DomainError, invalidField, notFound } from '../domain-error.ts';
import { type Action, recordHistory } from '../history/history.ts';
import { requireBelowLimit } from '../limits.ts';
import * as invitations from './invitations.queries.ts';
import * as queries from './members.queries.ts';

/** The store whose members change, who changes them, and when. */
export interface TeamEdit {
  storeId: string;
  actor: Actor;
  now: number;
}

export const listMembers = queries.list;

/** Runs changes of a store's members one after another, so that they never remove the last owner together. */
export const changeTeam = <Result>(db: Database, storeId: string, work: (tx: Transaction) => Promise<Result>) =>
  db.transaction(
    async (tx) => {
      await lockStore(tx, storeId);
      return work(tx);
    },
    { storeId },
  );

/** Call it under the lock of `changeTeam`. */
export async function addMember(tx: Transaction, member: { id: string; email: string }, role: Role, edit: TeamEdit) {
  await queries.insert(tx, edit.storeId, member.id, role, edit.now);
  await noteOfMember(tx, member, 'joined', edit, { role });
}

export const changeRole = (db: Database, accountId: string, role: Role, edit: TeamEdit) =>
  changeTeam(db, edit.storeId, async (tx) => {
    const member = await memberOf(tx, edit.storeId, accountId);
    if (member.role === role) return;
    if (member.role === 'owner') await requireAnotherOwner(tx, edit.storeId, accountId);
    await queries.setRole(tx, edit.storeId, accountId, role);
    await noteOfMember(tx, member, 'changed', edit, { role: [member.role, role] });
  });

/** Ends all sessions of the member, also those that are open in other stores. */
export const removeMember = (db: Database, accountId: string, edit: TeamEdit) =>
  changeTeam(db, edit.storeId, async (tx) => {
    const member = await remove(tx, accountId, edit);
    await closeAll(tx, accountId);
    return member;
  });

/** The member goes by themself, and stays signed in. */
export const leaveStore = (db: Database, accountId: string, edit: TeamEdit) =>
  changeTeam(db, edit.storeId, (tx) => remove(tx, accountId, edit));

async function remove(tx: Transaction, accountId: string, edit: TeamEdit) {
  const member = await memberOf(tx, edit.storeId, accountId);
  if (member.role === 'owner') await requireAnotherOwner(tx, edit.storeId, accountId);
  await queries.remove(tx, edit.storeId, accountId);
  await noteOfMember(tx, member, 'removed', edit, { role: member.role });
  return member;
}

async function memberOf(db: Queryable, storeId: string, accountId: string) {
  const member = (await queries.list(db, storeId)).find(({ id }) => id === accountId);
  if (!member) throw notFound('member');
  return member;
}

async function requireAnotherOwner(tx: Transaction, storeId: string, accountId: string) {
  const members = await queries.list(tx, storeId);
  if (!members.some(({ id, role }) => role === 'owner' && id !== accountId))
    throw new DomainError('last_owner', 'A store needs an owner. Make another member an owner first.');
}

/** Members and open invitations count together. Call it under the lock of `changeTeam`. */
export async function requireRoomForMember(tx: Transaction, storeId: string) {
  const [members, invited] = [await queries.list(tx, storeId), await invitations.list(tx, storeId)];
  requireBelowLimit('members', members.length + invited.length);
}

export function checkedRole(text: string): Role {
  const role = roles.find((known) => known === text);
  if (!role) throw invalidField('/role', 'not_allowed', `Unknown role ${text}; valid roles: ${roles.join(', ')}.`);
  return role;
}

/** The name of the entry is the e-mail address, because an invited person has no other name yet. */
export const noteOfMember = (
  tx: Transaction,
  { id, email }: { id: string; email: string },
  action: Action,
  { storeId, actor, now }: TeamEdit,
  details: Record<string, unknown>,
) =>
  recordHistory(tx, {
    scopeId: storeId,
    actor,
    action,
    subject: { kind: 'member', id, name: email },
    details,
    at: now,
  });
