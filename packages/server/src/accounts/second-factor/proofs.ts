import type { Proof, ProofMethod, ProofRequest } from '@store-sales/contract/console';
import type { Queryable, Transaction } from '../../db/database.ts';
import { DomainError } from '../../domain-error.ts';
import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import type { AccountRow } from '../../tenants.ts';
import { recordOwnerHistory } from '../owners.ts';
import * as queries from './factors.queries.ts';
import { passkeyRequest, verifyAssertion } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import type { SignedToken } from './signed-tokens.ts';
import { stepOfCode } from './totp.ts';

/** Uses up a proof that was found valid, in the transaction of what it permits; throws if it was used meanwhile. */
export type UseProof = (tx: Transaction) => Promise<void>;

export const wrongProof = () => new DomainError('wrong_proof', 'The code or passkey is not valid, or it was used.');

/** How this account can prove that it is the person; undefined if it has no second factor. */
export async function requestProof(
  db: Queryable,
  ownerId: string,
  origin: string | undefined,
  token: SignedToken & { text: string },
): Promise<ProofRequest | undefined> {
  const [generator, passkeys] = [await queries.findGenerator(db, ownerId), await queries.listPasskeys(db, ownerId)];
  if (!generator && !passkeys.length) return undefined;
  const passkey = passkeyRequest(passkeys, origin, token.nonce);
  const methods: ProofMethod[] = [];
  if (passkey) methods.push('passkey');
  if (generator?.secret) methods.push('code');
  if (await queries.countRecoveryCodes(db, ownerId)) methods.push('recovery_code');
  return { token: token.text, methods, passkey };
}

/** Checks everything but the password, outside of a transaction: signatures take time. Throws if it is not valid. */
export async function checkProof(
  { db, config }: Pick<Services, 'db' | 'config'>,
  owner: AccountRow,
  { code, recoveryCode, passkey: assertion }: Proof,
  { origin, challenge, now }: { origin: string | undefined; challenge: string; now: number },
): Promise<UseProof> {
  if (code !== undefined) {
    const generator = await queries.findGenerator(db, owner.id);
    const step = generator?.secret && stepOfCode(sealer(config.SECRET_KEY).open(generator.secret), code, now);
    if (!generator || !step) throw wrongProof();
    return unlessUsed((tx) => queries.useStep(tx, owner.id, generator.id, step));
  }
  if (recoveryCode !== undefined) {
    const hash = recoveryCodeHash(owner.id, recoveryCode);
    return unlessUsed(async (tx) => {
      if (!(await queries.useRecoveryCode(tx, owner.id, hash))) return false;
      await recordOwnerHistory(tx, owner, 'recovery_code_used', { kind: 'owner', id: owner.id }, now, {
        left: await queries.countRecoveryCodes(tx, owner.id),
      });
      return true;
    });
  }
  const passkeys = assertion && origin ? await queries.listPasskeys(db, owner.id) : [];
  const passkey = passkeys.find(({ credential_id }) => credential_id === assertion?.id);
  const counter = passkey && assertion && origin && (await verifyAssertion(passkey, assertion, origin, challenge));
  if (!passkey || typeof counter !== 'number') throw wrongProof();
  return unlessUsed((tx) => queries.usePasskey(tx, passkey, counter, now));
}

const unlessUsed =
  (use: (tx: Transaction) => Promise<boolean>): UseProof =>
  async (tx) => {
    if (!(await use(tx))) throw wrongProof();
  };

/** A token completes one sign-in or verification. */
export async function useToken(tx: Transaction, { ownerId, nonce, expiresAt }: SignedToken, now: number) {
  if (!(await queries.useToken(tx, ownerId, nonce, expiresAt, now))) throw wrongProof();
}
