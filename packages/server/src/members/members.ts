import type { Role } from '@store-sales/contract/console';
import { emailKey } from '../accounts/owners.ts';
import { closeAll } from '../accounts/sessions.ts';
import type { Actor } from '../actor.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { lockStore } from '../db/lock-row.ts';
import { DomainError, notFound } from '../domain-error.ts';
import { type Action, recordHistory } from '../history/history.ts';
import { requireBelowLimit } from '../limits.ts';
import { handOverFrom } from './hand-over.ts';
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

/** The same for a person who must still be an owner, or for the operator. */
export const editTeam = <Result>(db: Database, edit: TeamEdit, work: (tx: Transaction) => Promise<Result>) =>
  changeTeam(db, edit.storeId, async (tx) => {
    const { kind, id } = edit.actor;
    const isOwner = async () =>
      (await queries.list(tx, edit.storeId)).some((member) => member.id === id && member.role === 'owner');
    // Checked again under the lock: they may have been removed since their request was admitted.
    if (kind !== 'system' && !(await isOwner()))
      throw new DomainError('role_required', 'Only owners of the store change its team.');
    return work(tx);
  });

/** Call it under the lock of `changeTeam`. An invitation that is still open would let them in again later. */
export async function addMember(tx: Transaction, member: { id: string; email: string }, role: Role, edit: TeamEdit) {
  await invitations.removeByEmail(tx, edit.storeId, emailKey(member.email));
  await queries.insert(tx, edit.storeId, member.id, role, edit.now);
  await noteOfMember(tx, member, 'joined', edit, { role });
}

export const changeRole = (db: Database, accountId: string, role: Role, edit: TeamEdit) =>
  editTeam(db, edit, async (tx) => {
    const member = await memberOf(tx, edit.storeId, accountId);
    if (member.role === role) return;
    if (member.role === 'owner') await requireAnotherOwner(tx, edit.storeId, accountId);
    await queries.setRole(tx, edit.storeId, accountId, role);
    await handOverFrom(tx, member, edit);
    await noteOfMember(tx, member, 'changed', edit, { role: [member.role, role] });
    if (role !== 'owner') await withdrawInvitationsOf(tx, member, edit);
  });

/**
 * Ends what hangs on the member: all their sessions, also those that are open in other stores, and with them exports,
 * uploads, imports and streams under way (http/long-work.ts); and invitations. Keys that they made work on: the console
 * shows them to the remover.
 */
export const removeMember = (db: Database, accountId: string, edit: TeamEdit) =>
  editTeam(db, edit, async (tx) => {
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
  await handOverFrom(tx, member, edit);
  await noteOfMember(tx, member, 'removed', edit, { role: member.role });
  await withdrawInvitationsOf(tx, member, edit);
  return member;
}

/** Of someone who is no longer an owner: those they sent, and any that would let them in again. */
async function withdrawInvitationsOf(tx: Transaction, { id, email }: queries.MemberRow, edit: TeamEdit) {
  for (const invitation of await invitations.listOfPerson(tx, edit.storeId, id, emailKey(email)))
    await withdraw(tx, invitation, edit);
}

/** Call it under the lock of `changeTeam`. */
export async function withdraw(tx: Transaction, invitation: invitations.InvitationRow, edit: TeamEdit) {
  await invitations.removeById(tx, edit.storeId, invitation.id);
  await noteOfMember(tx, invitation, 'removed', edit, { role: invitation.role, wasInvited: true });
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
