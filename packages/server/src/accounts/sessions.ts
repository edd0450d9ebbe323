import { randomBytes } from 'node:crypto';
import { type Database, DatabaseUnavailable, type Queryable, type Transaction } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import type { Session } from '../http/callers.ts';
import { hashOf } from '../secrets.ts';
import type { AccountRow } from '../tenants.ts';
import { DAY, MINUTE } from '../time/duration.ts';
import { deleteSessions, holdPassword } from './accounts.queries.ts';
import * as queries from './sessions.queries.ts';

/** Sessions expire this long after their last use. */
export const SESSION_LIFE = 30 * DAY;

/** A session that was just opened. */
export interface SignedIn {
  token: string;
  ownerId: string;
}

interface ReadSession extends Session {
  /** The session was just extended, so the cookie has to be renewed too. */
  isProlonged: boolean;
}

/**
 * Opens a session. Only the browser has the token; the database stores its hash. `owner.password_hash` is the hash that
 * was verified: if the password has changed since, no session is opened.
 */
export async function openSession(
  tx: Transaction,
  owner: Pick<AccountRow, 'id' | 'password_hash'>,
  { address, userAgent }: { address: string; userAgent: string },
  now: number,
): Promise<string> {
  if (!(await holdPassword(tx, owner.id, owner.password_hash))) throw wrongCredentials();
  const token = randomBytes(32).toString('base64url');
  const session = {
    token_hash: hashOf(token),
    owner_id: owner.id,
    user_agent: userAgent,
    address,
    created_at: now,
    last_seen_at: now,
    expires_at: now + SESSION_LIFE,
    verified_at: now,
  };
  await queries.removeExpired(tx, owner.id, now);
  await queries.insert(tx, session);
  return token;
}

export const wrongCredentials = () => new DomainError('wrong_credentials', 'Incorrect e-mail or password.');

/** The valid session with this token. Extends it at most once a minute. */
export async function readSession(db: Database, token: string, now: number): Promise<ReadSession | undefined> {
  const row = await queries.find(db, hashOf(token), now);
  if (!row) return undefined;
  const isProlonged = now - row.last_seen_at >= MINUTE && (await prolong(db, row.token_hash, now));
  return { ...sessionIn(row), isProlonged };
}

/** The same without extending it. */
export async function findSession(db: Queryable, token: string, now: number): Promise<Session | undefined> {
  const row = await queries.find(db, hashOf(token), now);
  return row && sessionIn(row);
}

function sessionIn(row: queries.SessionWithOwner): Session {
  const { owner_id: id, email, name, password_hash, language, is_invited, owner_created_at: created_at } = row;
  const account = { id, email, name, password_hash, language, is_invited, created_at };
  return { id: row.token_hash, verifiedAt: row.verified_at, account };
}

/** Reads go on while the database accepts no writes, so a session that cannot be extended stays valid. */
async function prolong(db: Database, tokenHash: string, now: number): Promise<boolean> {
  try {
    await queries.touch(db, tokenHash, now, now + SESSION_LIFE);
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false;
    throw error;
  }
}

export const listSessions = queries.listOf;

export const closeSession = queries.remove;

export async function closeListed(db: Queryable, ownerId: string, id: string) {
  if (!(await queries.remove(db, ownerId, id))) throw new DomainError('not_found', 'There is no such session.');
}

export const closeOthers = queries.removeOthers;

export const closeAll = deleteSessions;
