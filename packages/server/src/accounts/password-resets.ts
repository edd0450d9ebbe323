import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable, Transaction } from '../db/database.ts';
import { lockAccount } from '../db/lock-row.ts';
import { asUuid } from '../db/uuid.ts';
import { DomainError } from '../domain-error.ts';
import { asLanguage } from '../mail/kinds.ts';
import { mailOutbox } from '../mail/outbox.ts';
import { hashOf } from '../secrets.ts';
import type { Services } from '../services.ts';
import type { AccountRow } from '../tenants.ts';
import { HOUR } from '../time/duration.ts';
import * as accounts from './accounts.queries.ts';
import { attempts, TooSoon } from './attempts.ts';
import { emailKey, recordOwnerHistory } from './owners.ts';
import * as queries from './password-resets.queries.ts';

/** How long a link works. */
export const RESET_LIFE = HOUR;
/** Requests from one network within 15 minutes before it has to wait. */
const MAX_REQUESTS_PER_NETWORK = 10;
const MAX_PENDING = 100;

const MAX_DELAY_MS = 500;

/**
 * Mails links that reset a password. The work is done after the response and a random delay, so that neither the time
 * of this response nor that of the next one reveals whether an account exists. One mailbox gets at most three of these
 * mails an hour.
 */
export function passwordResets({ config, db, log }: Services, publicUrl: () => string) {
  const outbox = mailOutbox(config);
  const byNetwork = attempts(MAX_REQUESTS_PER_NETWORK);
  const pending = new Set<Promise<void>>();

  async function mailLink(email: string, acceptLanguage: string, now: number) {
    const account = await accounts.findOwner(db, emailKey(email));
    if (!account || !outbox) return;
    const language = asLanguage(account.language || acceptLanguage.slice(0, 2).toLowerCase());
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = now + RESET_LIFE;
    // In the fragment, so that the token is in no log of a server or proxy.
    const link = `${publicUrl()}/console/reset-password#${account.id}.${secret}`;
    await db.transaction(async (tx) => {
      // The limit of the mailbox is counted under the lock.
      await lockAccount(tx, account.id);
      const mail = { to: account.email, language, kind: 'password_reset', params: {}, link, expiresAt } as const;
      // Above the limit, the link that was mailed last stays valid.
      if (await outbox.add(tx, mail, now))
        await queries.saveReset(tx, { ownerId: account.id, tokenHash: hashOf(secret), now, expiresAt });
    });
  }

  return {
    /** Throws if there are too many requests; otherwise the caller learns nothing. */
    request(email: string, network: string, acceptLanguage: string, now: number) {
      if (!outbox) throw new DomainError('not_found', 'Mail is off. Ask the operator for a new password.');
      byNetwork.check(network, now);
      if (pending.size >= MAX_PENDING) throw new TooSoon(2);
      byNetwork.begin(network, now);
      const work = sleep(randomInt(MAX_DELAY_MS))
        .then(() => mailLink(email, acceptLanguage, now))
        .catch((err) => log.error({ err }, 'failed to mail a link that resets a password'))
        .finally(() => pending.delete(work));
      pending.add(work);
    },
    /** Resolves when all links are in the outbox. */
    idle: async () => void (await Promise.all(pending)),
  };
}

export type PasswordResets = ReturnType<typeof passwordResets>;

function readToken(token: string) {
  const [id = '', secret = ''] = token.split('.');
  return { ownerId: asUuid(id), tokenHash: hashOf(secret) };
}

/** The account that a valid link belongs to. */
export async function requireReset(db: Queryable, token: string, now: number): Promise<string> {
  const { ownerId, tokenHash } = readToken(token);
  if (!ownerId || !(await queries.hasReset(db, ownerId, tokenHash, now))) throw invalidLink();
  return ownerId;
}

/** Sets the password with a link, which works once, and ends all sessions. */
export async function useReset(tx: Transaction, token: string, passwordHash: string, now: number) {
  const { ownerId, tokenHash } = readToken(token);
  if (!ownerId || !(await queries.takeReset(tx, ownerId, tokenHash, now))) throw invalidLink();
  await accounts.setPassword(tx, ownerId, passwordHash);
  await accounts.deleteSessions(tx, ownerId);
  const account = (await accounts.findOwnerById(tx, ownerId)) as AccountRow;
  await recordOwnerHistory(tx, account, 'password_reset', { kind: 'owner', id: ownerId }, now);
}

const invalidLink = () => new DomainError('reset_link_invalid', 'The link has expired, was used or was replaced.');
