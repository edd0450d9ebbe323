import { setTimeout as sleep } from 'node:timers/promises';
import type { ProofRequest } from '@store-sales/contract/console';
import { DomainError } from '../domain-error.ts';
import type { Session } from '../http/callers.ts';
import type { Services } from '../services.ts';
import type { AccountRow } from '../tenants.ts';
import { MINUTE } from '../time/duration.ts';
import * as queries from './accounts.queries.ts';
import { attempts, TooSoon } from './attempts.ts';
import { hashingQueue } from './hashing-queue.ts';
import type { KnownBrowser } from './known-browsers.ts';
import { emailKey, type NewOwner, noteOfSignIn, prepareOwner, recordOwnerHistory } from './owners.ts';
import { removeReset } from './password-resets.queries.ts';
import { requireReset, useReset } from './password-resets.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { secondStep } from './second-factor/second-step.ts';
import { closeOthers, openSession, type SignedIn, wrongCredentials } from './sessions.ts';
import { setUp } from './setup.ts';
import type { Visitor } from './visitor.ts';

/** Free failures within 15 minutes. */
const MAX_FAILURES_PER_CLIENT = 5;
const MAX_FAILURES_PER_NETWORK = 50;
const MAX_FAILURES_PER_BROWSER = 10;
const MAX_FAILURES_PER_SESSION = 5;
/** After this many failures for one e-mail, further attempts are delayed: one second for each multiple of it. */
const FAILURES_PER_DELAY_SECOND = 50;
const MAX_DELAY_SECONDS = 5;
const MAX_DELAYED = 64;
/** Short, because many people may share a network. */
const MAX_NETWORK_WAIT_MS = MINUTE;

const ofOwner = ({ id }: AccountRow) => ({ kind: 'owner' as const, id });

/**
 * Verifies passwords and limits guessing. Failures are counted by client network and e-mail, so that nobody is locked
 * out by another's failures; by network over all e-mails, with a higher limit; and by e-mail over all networks, which
 * only delays. None of these apply to a known browser or an active session, which have their own limits.
 */
export function signInGuard(services: Services) {
  const { db } = services;
  const hashing = hashingQueue();
  const byClient = attempts(MAX_FAILURES_PER_CLIENT);
  const byNetwork = attempts(MAX_FAILURES_PER_NETWORK, MAX_NETWORK_WAIT_MS);
  const byEmail = attempts(FAILURES_PER_DELAY_SECOND);
  const byBrowser = attempts(MAX_FAILURES_PER_BROWSER);
  const bySession = attempts(MAX_FAILURES_PER_SESSION);
  const { request, finish } = secondStep(services);
  let delayed = 0;

  async function isKnown({ browser }: Visitor, email: string) {
    return !!browser && (await queries.findOwner(db, email))?.id === browser.ownerId;
  }

  /** The owner, if the password is correct. An unknown e-mail takes the same time. */
  async function ownerWith(email: string, password: string) {
    const owner = await queries.findOwner(db, email);
    return (await verifyPassword(owner?.password_hash, password)) ? owner : undefined;
  }

  async function fromKnown(browser: KnownBrowser, email: string, password: string, visitor: Visitor, now: number) {
    byBrowser.check(browser.id, now);
    const job = { key: browser.ownerId, isPreferred: true, isGone: visitor.isGone };
    const found = hashing.run(job, () => ownerWith(email, password));
    byBrowser.begin(browser.id, now);
    const owner = await found.catch((error: unknown) => {
      if (error instanceof TooSoon) byBrowser.cancel(browser.id);
      throw error;
    });
    if (owner) byBrowser.reset(browser.id);
    return owner;
  }

  async function fromUnknown(email: string, password: string, visitor: Visitor, now: number) {
    const { network, isGone } = visitor;
    const client = `${network}\n${email}`;
    byClient.check(client, now);
    byNetwork.check(network, now);
    const seconds = Math.min(Math.floor(byEmail.failures(email, now) / FAILURES_PER_DELAY_SECOND), MAX_DELAY_SECONDS);
    if (seconds && delayed >= MAX_DELAYED) throw new TooSoon(MAX_DELAY_SECONDS);
    const verify = () => hashing.run({ key: network, isPreferred: false, isGone }, () => ownerWith(email, password));
    const found = seconds ? delay(seconds).then(verify) : verify();
    byClient.begin(client, now);
    byNetwork.begin(network, now);
    byEmail.begin(email, now);
    const cancelAttempt = () => {
      byClient.cancel(client);
      byNetwork.cancel(network);
      byEmail.cancel(email);
    };
    const owner = await found.catch((error: unknown) => {
      // No password was verified.
      if (error instanceof TooSoon) cancelAttempt();
      throw error;
    });
    if (!owner) return undefined;
    cancelAttempt();
    byClient.reset(client);
    return owner;
  }

  async function delay(seconds: number) {
    delayed++;
    try {
      await sleep(seconds * 1000);
    } finally {
      delayed--;
    }
  }

  return {
    /**
     * Opens a session, or requests the second factor if the account has one. An unknown e-mail and a wrong password give
     * the same response in the same time.
     */
    async signIn(
      { email, password }: { email: string; password: string },
      visitor: Visitor,
      origin: string | undefined,
      now: number,
    ): Promise<SignedIn | ProofRequest> {
      const key = emailKey(email);
      const { browser } = visitor;
      const owner =
        browser && (await isKnown(visitor, key))
          ? await fromKnown(browser, key, password, visitor, now)
          : await fromUnknown(key, password, visitor, now);
      if (!owner) throw wrongCredentials();
      const proof = await request(owner, origin, now);
      if (proof) return proof;
      const token = await db.transaction(async (tx) => {
        await noteOfSignIn(tx, owner, visitor, now);
        return openSession(tx, owner, visitor, now);
      });
      return { token, ownerId: owner.id };
    },

    /** Opens the session after the second factor is proved. */
    finishSignIn: finish,

    /** Verifies the current password, sets the new one, and ends all other sessions. */
    async changePassword(owner: AccountRow, sessionId: string, current: string, password: string, now: number) {
      bySession.check(sessionId, now);
      const changing = hashing.run({ key: owner.id, isPreferred: true }, async () => {
        if (!(await verifyPassword(owner.password_hash, current))) throw wrongPassword();
        bySession.reset(sessionId);
        return hashPassword(password);
      });
      bySession.begin(sessionId, now);
      const passwordHash = await changing;
      await db.transaction(async (tx) => {
        if (!(await queries.replacePassword(tx, owner.id, owner.password_hash, passwordHash))) throw wrongPassword();
        await closeOthers(tx, owner.id, sessionId);
        await removeReset(tx, owner.id);
        await recordOwnerHistory(tx, owner, 'password_changed', ofOwner(owner), now);
      });
    },

    /** Whether this is the password of a signed-in person. The caller limits attempts. */
    hasPassword: ({ account }: Session, password: string) =>
      hashing.run({ key: account.id, isPreferred: true }, () => verifyPassword(account.password_hash, password)),

    /** Sets a new password for someone with a link from a mail, and ends all sessions. Anyone else cannot make it hash. */
    async resetPassword(token: string, password: string, now: number) {
      const ownerId = await requireReset(db, token, now);
      const passwordHash = await hashing.run({ key: ownerId, isPreferred: false }, () => hashPassword(password));
      await db.transaction((tx) => useReset(tx, token, passwordHash, now));
    },

    /** Prepares an account for someone whose link has been checked; anyone else could make the server hash. */
    prepareAccount: (details: NewOwner, now: number) =>
      hashing.run({ key: emailKey(details.email), isPreferred: false }, () => prepareOwner(details, now)),

    setUp: (token: string, details: NewOwner, visitor: Visitor): Promise<SignedIn> =>
      setUp(services, hashing, token, details, visitor),
  };
}

export type SignInGuard = ReturnType<typeof signInGuard>;

const wrongPassword = () => new DomainError('wrong_password', 'The current password is incorrect.');
