import type { Proof, ProofRequest } from '@store-sales/contract/console';
import { DomainError } from '../../domain-error.ts';
import type { Session } from '../../http/callers.ts';
import type { Services } from '../../services.ts';
import { DAY, HOUR } from '../../time/duration.ts';
import { holdPassword } from '../accounts.queries.ts';
import { attempts } from '../attempts.ts';
import * as queries from './factors.queries.ts';
import { checkProof, requestProof, type UseProof, useToken, wrongProof } from './proofs.ts';
import { counted } from './second-step.ts';
import { signedTokens } from './signed-tokens.ts';

/** Free failures within a day; then up to an hour between attempts. */
const MAX_FAILURES_PER_SESSION = 5;

/**
 * Verifies again the person of a session that is signed in: with the second factor, or with the password if the account
 * has none. `hasPassword` checks the password of an account.
 */
export function stepUp(services: Services, hasPassword: (session: Session, password: string) => Promise<boolean>) {
  const { db, config } = services;
  const tokens = signedTokens(config.SECRET_KEY);
  const bySession = attempts(MAX_FAILURES_PER_SESSION, HOUR, DAY);

  async function check(session: Session, proof: Proof, challenge: string, origin: string | undefined, now: number) {
    const { account } = session;
    if (proof.password === undefined) return checkProof(services, account, proof, { origin, challenge, now });
    if (!(await hasPassword(session, proof.password))) throw wrongProof();
    const use: UseProof = async (tx) => {
      const isValid = await holdPassword(tx, account.id, account.password_hash);
      // With a second factor, the password is not enough.
      if (!isValid || (await queries.hasFactor(tx, account.id))) throw wrongProof();
    };
    return use;
  }

  return {
    async start({ id, account }: Session, origin: string | undefined, now: number): Promise<ProofRequest> {
      const token = tokens.issue(account.id, 'verify', id, now);
      const request = await requestProof(db, account.id, origin, token);
      return request ?? { token: token.text, methods: ['password'], passkey: null };
    },

    async verify(session: Session, proof: Proof, origin: string | undefined, now: number) {
      const { id, account } = session;
      const token = tokens.read(proof.token, 'verify', id, now);
      if (token?.ownerId !== account.id)
        throw new DomainError('offer_expired', 'The confirmation took too long. Start again.');
      await counted([[bySession, id]], now, async () => {
        const use = await check(session, proof, token.nonce, origin, now);
        await db.transaction(async (tx) => {
          await use(tx);
          await useToken(tx, token, now);
          await queries.setVerified(tx, account.id, id, now);
        });
      });
    },
  };
}

export type StepUp = ReturnType<typeof stepUp>;
