import type { AddedFactor, AddPasskey, CodesOffer, PasskeyOffer, SecondFactor } from '@store-sales/contract/console';
import { type Actor, system } from '../../actor.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/lock-row.ts';
import { uuid } from '../../db/uuid.ts';
import { DomainError } from '../../domain-error.ts';
import type { Action } from '../../history/history.ts';
import type { Session } from '../../http/callers.ts';
import { requireBelowLimit } from '../../limits.ts';
import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import type { AccountRow } from '../../tenants.ts';
import { MINUTE } from '../../time/duration.ts';
import { iso } from '../../time/instant.ts';
import { deleteSessions } from '../accounts.queries.ts';
import { ownerByEmail, recordOwnerHistory } from '../owners.ts';
import * as queries from './factors.queries.ts';
import { passkeyOffer, readNewPasskey } from './passkeys.ts';
import { useToken, wrongProof } from './proofs.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import { signedTokens } from './signed-tokens.ts';
import { codesUri, newCodeSecret, stepOfCode } from './totp.ts';

/** How long a secret that is shown can be confirmed. */
const OFFER_LIFE = 15 * MINUTE;

export const hasSecondFactor = queries.hasFactor;
export const membersWithSecondFactor = queries.membersWithFactor;

const ofOwner = ({ id }: AccountRow): Actor => ({ kind: 'owner', id });

const offerExpired = () => new DomainError('offer_expired', 'The set-up took too long. Start again.');

/** One account's factors change one after another, so that two first ones do not both make recovery codes. */
const changeFactors = <Result>(db: Database, ownerId: string, work: (tx: Transaction) => Promise<Result>) =>
  db.transaction(async (tx) => {
    await lockAccount(tx, ownerId);
    return work(tx);
  });

export async function readSecondFactor(db: Queryable, ownerId: string): Promise<SecondFactor> {
  const [generator, passkeys] = [await queries.findGenerator(db, ownerId), await queries.listPasskeys(db, ownerId)];
  return {
    passkeys: passkeys.map(({ id, name, host, created_at, last_used_at }) => ({
      id,
      name,
      host,
      createdAt: iso(created_at),
      lastUsedAt: last_used_at === null ? null : iso(last_used_at),
    })),
    codesSince: generator ? iso(generator.created_at) : null,
    recoveryCodesLeft: await queries.countRecoveryCodes(db, ownerId),
  };
}

/** A secret for an authenticator app. Nothing is stored until a code of it is entered: the token carries it encrypted. */
export function offerCodes({ config }: Services, { id, email }: AccountRow, now: number): CodesOffer {
  const secret = newCodeSecret();
  const offer: OfferedCodes = { purpose: 'codes', ownerId: id, secret, expiresAt: now + OFFER_LIFE };
  return { token: sealer(config.SECRET_KEY).seal(JSON.stringify(offer)), secret, uri: codesUri(secret, email) };
}

interface OfferedCodes {
  purpose: 'codes';
  ownerId: string;
  secret: string;
  expiresAt: number;
}

function readOffer({ config }: Services, token: string): Partial<OfferedCodes> | undefined {
  try {
    return JSON.parse(sealer(config.SECRET_KEY).open(token)) as Partial<OfferedCodes>;
  } catch {
    return undefined;
  }
}

/** Replaces the codes of before, if there are any. */
export async function confirmCodes(
  services: Services,
  session: Session,
  { token, code }: { token: string; code: string },
  now: number,
): Promise<AddedFactor> {
  const { db, config } = services;
  const { account } = session;
  const { purpose, ownerId, secret, expiresAt = 0 } = readOffer(services, token) ?? {};
  if (purpose !== 'codes' || ownerId !== account.id || !secret || now >= expiresAt) throw offerExpired();
  const step = stepOfCode(secret, code, now);
  if (!step) throw wrongProof();
  const row = {
    owner_id: account.id,
    id: uuid(now),
    secret: sealer(config.SECRET_KEY).seal(secret),
    last_step: step,
    created_at: now,
  };
  return changeFactors(db, account.id, (tx) =>
    addFactor(tx, session, 'codes', now, () => queries.saveGenerator(tx, row)),
  );
}

export async function offerPasskey(
  { db, config }: Services,
  { id, account }: Session,
  origin: string,
  now: number,
): Promise<PasskeyOffer> {
  const existing = await queries.listPasskeys(db, account.id);
  requireBelowLimit('passkeys', existing.length);
  const token = signedTokens(config.SECRET_KEY).issue(account.id, 'add-passkey', id, now);
  return { token: token.text, options: passkeyOffer(account, existing, origin, token.nonce) };
}

export async function addPasskey(
  { db, config }: Services,
  session: Session,
  given: AddPasskey,
  origin: string,
  now: number,
): Promise<AddedFactor> {
  const { account } = session;
  const token = signedTokens(config.SECRET_KEY).read(given.token, 'add-passkey', session.id, now);
  if (token?.ownerId !== account.id) throw offerExpired();
  const credential = await readNewPasskey(given, origin, token.nonce);
  const name = given.name.trim();
  if (!credential || !name) throw wrongProof();
  const row = { ...credential, owner_id: account.id, id: uuid(now), name, created_at: now, last_used_at: null };
  return changeFactors(db, account.id, (tx) =>
    addFactor(tx, session, 'passkey', now, async () => {
      await useToken(tx, token, now);
      requireBelowLimit('passkeys', (await queries.listPasskeys(tx, account.id)).length);
      if (!(await queries.insertPasskey(tx, row))) throw wrongProof();
    }),
  );
}

/** The first factor comes with recovery codes, and other sessions, which it did not verify, have to verify again. */
async function addFactor(
  tx: Transaction,
  { id, account }: Session,
  factor: 'codes' | 'passkey',
  now: number,
  add: () => Promise<unknown>,
): Promise<AddedFactor> {
  const isFirst = !(await queries.hasFactor(tx, account.id));
  await add();
  const recoveryCodes = isFirst ? await replaceRecoveryCodes(tx, account.id) : null;
  if (isFirst) await queries.forgetOtherVerifications(tx, account.id, id);
  await queries.setVerified(tx, account.id, id, now);
  await note(tx, account, 'second_factor_added', now, { factor });
  return { secondFactor: await readSecondFactor(tx, account.id), recoveryCodes };
}

export const removeCodes = (db: Database, account: AccountRow, now: number) =>
  changeFactors(db, account.id, async (tx) => {
    if (!(await queries.deleteGenerator(tx, account.id)))
      throw new DomainError('not_found', 'There are no codes to remove.');
    return removed(tx, account, now, { factor: 'codes' });
  });

export const removePasskey = (db: Database, account: AccountRow, id: string, now: number) =>
  changeFactors(db, account.id, async (tx) => {
    const passkey = (await queries.listPasskeys(tx, account.id)).find((row) => row.id === id);
    if (!passkey) throw new DomainError('not_found', 'There is no such passkey.');
    await queries.deletePasskey(tx, account.id, id);
    return removed(tx, account, now, { factor: 'passkey', name: passkey.name });
  });

/** Recovery codes replace a factor; without one they open nothing. */
async function removed(tx: Transaction, account: AccountRow, now: number, details: object) {
  if (!(await queries.hasFactor(tx, account.id))) await queries.replaceRecoveryCodes(tx, account.id, []);
  await note(tx, account, 'second_factor_removed', now, details);
  return readSecondFactor(tx, account.id);
}

/** The codes of before stop working. */
export const renewRecoveryCodes = (db: Database, account: AccountRow, now: number) =>
  changeFactors(db, account.id, async (tx) => {
    if (!(await queries.hasFactor(tx, account.id)))
      throw new DomainError('second_factor_missing', 'Recovery codes need a passkey or codes. Set one up first.');
    const recoveryCodes = await replaceRecoveryCodes(tx, account.id);
    await note(tx, account, 'recovery_codes_replaced', now);
    return { recoveryCodes };
  });

async function replaceRecoveryCodes(tx: Transaction, ownerId: string) {
  const codes = newRecoveryCodes();
  await queries.replaceRecoveryCodes(
    tx,
    ownerId,
    codes.map((code) => recoveryCodeHash(ownerId, code)),
  );
  return codes;
}

/** For someone who has lost every factor: the password alone signs in again. Ends all sessions. */
export async function resetSecondFactor(db: Database, email: string, now: number) {
  const account = await ownerByEmail(db, email);
  await changeFactors(db, account.id, async (tx) => {
    await queries.deleteGenerator(tx, account.id);
    await queries.deletePasskeys(tx, account.id);
    await queries.replaceRecoveryCodes(tx, account.id, []);
    await deleteSessions(tx, account.id);
    await recordOwnerHistory(tx, account, 'second_factor_reset', system, now);
  });
  return account;
}

const note = (tx: Transaction, account: AccountRow, action: Action, now: number, details = {}) =>
  recordOwnerHistory(tx, account, action, ofOwner(account), now, details);
