import type { Proof, ProofRequest } from '@store-sales/contract/console';
import { DomainError } from '../../domain-error.ts';
import type { Services } from '../../services.ts';
import type { AccountRow } from '../../tenants.ts';
import { DAY, HOUR } from '../../time/duration.ts';
import { findOwnerById } from '../accounts.queries.ts';
import { type Attempts, attempts } from '../attempts.ts';
import { noteOfSignIn } from '../owners.ts';
import { openSession, type SignedIn } from '../sessions.ts';
import type { Visitor } from '../visitor.ts';
import { checkProof, requestProof, type UseProof, useToken } from './proofs.ts';
import { signedTokens } from './signed-tokens.ts';

/** Free failures within 15 minutes; of an account, within a day. */
const MAX_FAILURES_PER_CLIENT = 5;
const MAX_FAILURES_PER_ACCOUNT = 10;
const MAX_FAILURES_PER_BROWSER = 10;
/** At one attempt an hour, guessing a code of six digits takes decades. */
const MAX_ACCOUNT_WAIT_MS = HOUR;

/**
 * The second step of a sign-in, for accounts with a second factor. Only someone who has the password gets here. Failures
 * count by client, wrong codes also by account. Someone who has stolen the password cannot lock the owner out: a browser
 * in which the owner has signed in before has a limit of its own, and passkeys and recovery codes, which cannot be
 * guessed, count by client only.
 */
export function secondStep(services: Services) {
  const { db, config } = services;
  const tokens = signedTokens(config.SECRET_KEY);
  const byClient = attempts(MAX_FAILURES_PER_CLIENT);
  const byAccount = attempts(MAX_FAILURES_PER_ACCOUNT, MAX_ACCOUNT_WAIT_MS, DAY);
  const byBrowser = attempts(MAX_FAILURES_PER_BROWSER);

  function countersOf(ownerId: string, proof: Proof, { browser, network }: Visitor): [Attempts, string][] {
    if (browser?.ownerId === ownerId) return [[byBrowser, browser.id]];
    const ofClient: [Attempts, string] = [byClient, `${network}\n${ownerId}`];
    return proof.code === undefined ? [ofClient] : [ofClient, [byAccount, ownerId]];
  }

  return {
    /** What the person has to prove after the password; undefined if the account has no second factor. */
    request: (owner: AccountRow, origin: string | undefined, now: number): Promise<ProofRequest | undefined> =>
      requestProof(db, owner.id, origin, tokens.issue(owner.id, 'sign-in', owner.password_hash, now)),

    /** Opens the session. The token ends with the password that was verified, after five minutes, and when it is used. */
    async finish(proof: Proof, visitor: Visitor, origin: string | undefined, now: number): Promise<SignedIn> {
      const ownerId = tokens.ownerOf(proof.token);
      const owner = ownerId && (await findOwnerById(db, ownerId));
      const token = owner && tokens.read(proof.token, 'sign-in', owner.password_hash, now);
      if (!token) throw new DomainError('sign_in_expired', 'The sign-in took too long. Enter the password again.');
      const counters = countersOf(owner.id, proof, visitor);
      const opened = await counted(counters, now, async () => {
        const use: UseProof = await checkProof(services, owner, proof, { origin, challenge: token.nonce, now });
        return db.transaction(async (tx) => {
          await use(tx);
          await useToken(tx, token, now);
          await noteOfSignIn(tx, owner, visitor, now);
          return openSession(tx, owner, visitor, now);
        });
      });
      return { token: opened, ownerId: owner.id };
    },
  };
}

export type SecondStep = ReturnType<typeof secondStep>;

/** Counts an attempt as a failure until it succeeds, so that concurrent guesses count too. */
export async function counted<Result>(
  counters: readonly [Attempts, string][],
  now: number,
  work: () => Promise<Result>,
): Promise<Result> {
  for (const [counter, key] of counters) counter.check(key, now);
  for (const [counter, key] of counters) counter.begin(key, now);
  const result = await work().catch((error: unknown) => {
    // The proof was not checked.
    if (!(error instanceof DomainError) || error.code !== 'wrong_proof')
      for (const [counter, key] of counters) counter.cancel(key);
    throw error;
  });
  for (const [counter, key] of counters) counter.reset(key);
  return result;
}
