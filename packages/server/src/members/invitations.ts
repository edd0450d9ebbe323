import { randomBytes } from 'node:crypto';
import type { Role } from '@store-sales/contract/console';
import { accountWithEmail, addOwner, checkedEmail, emailKey } from '../accounts/owners.ts';
import { openSession, type SignedIn } from '../accounts/sessions.ts';
import { findStore } from '../accounts/stores.ts';
import type { Visitor } from '../accounts/visitor.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, invalidField, notFound } from '../domain-error.ts';
import type { Language } from '../mail/kinds.ts';
import type { MailOutbox } from '../mail/outbox.ts';
import { hashOf } from '../secrets.ts';
import type { AccountRow } from '../tenants.ts';
import { DAY } from '../time/duration.ts';
import * as queries from './invitations.queries.ts';
import {
  addMember,
  changeTeam,
  editTeam,
  listMembers,
  noteOfMember,
  requireRoomForMember,
  type TeamEdit,
  withdraw,
} from './members.ts';

/** How long a link works. */
export const INVITATION_LIFE = 7 * DAY;

/** The invitation, and the token of its link, which is not stored. */
export interface NewInvitation {
  id: string;
  email: string;
  role: Role;
  token: string;
  expiresAt: number;
  /** The link was mailed, so the inviter does not need it. */
  isMailed: boolean;
}

/** How to mail the link. */
export interface InvitationMail {
  outbox: MailOutbox;
  inviter: string;
  language: Language;
  publicUrl: string;
}

export const listInvitations = queries.list;

/** In the fragment, so that the token is in no log of a server or proxy. */
export const invitationPath = (token: string) => `/console/invitation#${token}`;

/** Inviting the same address again replaces the invitation and its link. */
export const invite = (db: Database, email: string, role: Role, edit: TeamEdit, mail?: InvitationMail) =>
  editTeam(db, edit, (tx) => addInvitation(tx, checkedEmail(email), role, edit, mail));

export const renewInvitation = (db: Database, id: string, edit: TeamEdit, mail?: InvitationMail) =>
  editTeam(db, edit, async (tx) => {
    const found = await invitationWith(tx, edit.storeId, (row) => row.id === id);
    if (!found) throw notFound('invitation');
    return addInvitation(tx, found.email, found.role, edit, mail);
  });

export const withdrawInvitation = (db: Database, id: string, edit: TeamEdit) =>
  editTeam(db, edit, async (tx) => {
    const found = await invitationWith(tx, edit.storeId, (row) => row.id === id);
    if (!found) throw notFound('invitation');
    await withdraw(tx, found, edit);
  });

async function addInvitation(
  tx: Transaction,
  email: string,
  role: Role,
  edit: TeamEdit,
  mail: InvitationMail | undefined,
): Promise<NewInvitation> {
  const { storeId, actor, now } = edit;
  const key = emailKey(email);
  if ((await listMembers(tx, storeId)).some((member) => emailKey(member.email) === key))
    throw invalidField('/email', 'taken', `${email} is a member of this store already.`);
  await queries.removeByEmail(tx, storeId, key);
  await requireRoomForMember(tx, storeId);
  const secret = randomBytes(32).toString('base64url');
  const row = {
    store_id: storeId,
    id: uuid(now),
    token_hash: hashOf(secret),
    email,
    role,
    invited_by: actor.id,
    created_at: now,
    expires_at: now + INVITATION_LIFE,
  };
  await queries.insert(tx, row, key);
  await noteOfMember(tx, row, 'invited', edit, { role });
  const token = `${storeId}.${secret}`;
  const isMailed = mail ? await mailInvitation(tx, row, token, mail) : false;
  return { id: row.id, email, role, token, expiresAt: row.expires_at, isMailed };
}

async function mailInvitation(
  tx: Transaction,
  { store_id: storeId, email, role, created_at, expires_at }: queries.InvitationRow,
  token: string,
  { outbox, inviter, language, publicUrl }: InvitationMail,
): Promise<boolean> {
  const { name: store } = await findStore(tx, storeId);
  const link = publicUrl + invitationPath(token);
  const params = { store, inviter, role };
  const mail = { storeId, to: email, language, kind: 'invitation', params, link, expiresAt: expires_at } as const;
  return outbox.add(tx, mail, created_at);
}

/** What the invited person sees before they accept. */
export async function openInvitation(db: Queryable, token: string, now: number) {
  const { storeId, email, role } = await read(db, token, now);
  const { name } = await findStore(db, storeId);
  return { storeName: name, email, role, hasAccount: !!(await accountWithEmail(db, email)) };
}

/** Accepts with an account that exists; its e-mail address must be the invited one. */
export async function acceptInvitation(db: Database, token: string, account: AccountRow, now: number) {
  const { storeId } = await read(db, token, now);
  await changeTeam(db, storeId, async (tx) => {
    const { id, email, role } = await read(tx, token, now);
    if (emailKey(email) !== emailKey(account.email))
      throw new DomainError('invitation_for_another', `This invitation is for ${email}; you are ${account.email}.`);
    await queries.removeById(tx, storeId, id);
    await addMember(tx, account, role, { storeId, actor: { kind: 'owner', id: account.id }, now });
  });
  return storeId;
}

/**
 * Accepts with a new account and signs it in. `prepare` validates and hashes the password; it runs after the token is
 * checked.
 */
export async function joinWithNewAccount(
  db: Database,
  token: string,
  prepare: (email: string) => Promise<AccountRow>,
  visitor: Visitor,
  now: number,
): Promise<SignedIn & { storeId: string }> {
  const { storeId, email } = await read(db, token, now);
  const account = { ...(await prepare(email)), is_invited: true };
  const session = await changeTeam(db, storeId, async (tx) => {
    const { id, role } = await read(tx, token, now);
    await queries.removeById(tx, storeId, id);
    await addOwner(tx, account);
    await addMember(tx, account, role, { storeId, actor: { kind: 'owner', id: account.id }, now });
    return openSession(tx, account, visitor, now);
  });
  return { token: session, ownerId: account.id, storeId };
}

async function read(db: Queryable, token: string, now: number) {
  const [id = '', secret = ''] = token.split('.');
  const storeId = asUuid(id);
  const hash = hashOf(secret);
  const found = storeId && (await invitationWith(db, storeId, (row) => row.token_hash === hash));
  if (!found || found.expires_at <= now)
    throw new DomainError('invitation_invalid', 'The invitation has expired or was used or withdrawn.');
  return { storeId: found.store_id, ...found };
}

async function invitationWith(db: Queryable, storeId: string, isWanted: (row: queries.InvitationRow) => boolean) {
  return (await queries.list(db, storeId)).find(isWanted);
}
