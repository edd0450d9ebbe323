import { createHash, randomBytes } from 'node:crypto';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { deleteSessions, holdPassword, type OwnerRow } from './accounts.queries.ts';
import * as queries from './sessions.queries.ts';

const MINUTE = 60_000;
/** Sessions expire this long after their last use. */
export const SESSION_LIFE = 30 * 86_400_000;

export interface Session {
  id: string;
  owner: OwnerRow;
  /** The session was just extended, so the cookie has to be renewed too. */
  isProlonged: boolean;
}

/**
 * Opens a session. Only the browser has the token; the database stores its hash. `owner.password_hash` is the hash that
 * was verified: if the password has changed since, no session is opened.
 */
export async function openSession(
  tx: Transaction,
  owner: Pick<OwnerRow, 'id' | 'password_hash'>,
  userAgent: string,
  now: number,
): Promise<string> {
  if (!(await holdPassword(tx, owner.id, owner.password_hash))) throw wrongCredentials();
  const token = randomBytes(32).toString('base64url');
  const session = {
    token_hash: hashOf(token),
    owner_id: owner.id,
    user_agent: userAgent.slice(0, 300),
    created_at: now,
    last_seen_at: now,
    expires_at: now + SESSION_LIFE,
  };
  await queries.removeExpired(tx, owner.id, now);
  await queries.insert(tx, session);
  return token;
}

export const wrongCredentials = () => new Refusal('wrong_credentials', 'The e-mail or the password is not right.');

/** The valid session with this token. Extends it at most once a minute. */
export async function readSession(db: Database, token: string, now: number): Promise<Session | undefined> {
  const row = await queries.find(db, hashOf(token), now);
  if (!row) return undefined;
  const isProlonged = now - row.last_seen_at >= MINUTE;
  if (isProlonged) await queries.touch(db, row.token_hash, now, now + SESSION_LIFE);
  const { owner_id: id, email, name, password_hash, language, owner_created_at: created_at } = row;
  return { id: row.token_hash, isProlonged, owner: { id, email, name, password_hash, language, created_at } };
}

export const listSessions = queries.listOf;

export const closeSession = queries.remove;

export async function closeListed(db: Queryable, ownerId: string, id: string) {
  if (!(await queries.remove(db, ownerId, id))) throw new Refusal('not_found', 'There is no such session.');
}

export const closeOthers = queries.removeOthers;

export const closeAll = deleteSessions;

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');
