import { isRight, rights as knownRights, type Right, retiredRights } from '@store-sales/contract';
import { type Actor, system } from '../actor.ts';
import type { Database, Queryable } from '../db/database.ts';
import { lockStore } from '../db/lock-row.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, invalidField, notFound } from '../domain-error.ts';
import { recordHistory } from '../history/history.ts';
import { MAX_ENDED_KEYS, requireBelowLimit } from '../limits.ts';
import { hashOf } from '../secrets.ts';
import { parseDuration, YEAR } from '../time/duration.ts';
import * as queries from './keys.queries.ts';
import { newSecret, visiblePrefix } from './secret.ts';

const DEFAULT_LIFE = YEAR;
const MAX_YEARS = 5;

export interface NewKey {
  storeId: string;
  name: string;
  rights: readonly string[];
  /** In milliseconds; one year by default. */
  life?: number | undefined;
}

/** A key without its secret. */
export interface KeyView {
  id: string;
  name: string;
  prefix: string;
  rights: string[];
  /** null: it was made on the command line. */
  createdBy: { id: string; name: string } | null;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/**
 * Returns the secret, which is not stored. `check` throws if the actor may not make keys any more: it is called under the
 * lock that the removal of a member takes too, so nobody makes a key that whoever removes them does not see.
 */
export async function createKey(
  db: Database,
  { storeId, name, rights, life = DEFAULT_LIFE }: NewKey,
  now: number,
  actor: Actor = system,
  check: (tx: Queryable) => Promise<void> = async () => {},
) {
  const chosen = checkedRights(rights);
  const title = name.trim();
  if (!title || [...title].length > 200)
    throw invalidField('/name', 'invalid_format', 'The name of a key must have 1 to 200 characters.');
  if (life <= 0) throw invalidField('/life', 'too_small', 'The lifetime of a key must be more than 0.');
  const latest = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + MAX_YEARS);
  if (now + life > latest) throw invalidField('/life', 'too_large', `A key is valid for at most ${MAX_YEARS} years.`);
  const secret = newSecret();
  const key = {
    id: uuid(now),
    store_id: storeId,
    name: title,
    prefix: visiblePrefix(secret),
    key_hash: hashOf(secret),
    rights: chosen.join(' '),
    created_by: actor.kind === 'owner' ? actor.id : null,
    created_at: now,
    expires_at: now + life,
    revoked_at: null,
    last_used_at: null,
  };
  const created = await db.transaction(async (tx) => {
    await lockStore(tx, storeId);
    await check(tx);
    if (chosen.includes('references:write')) await requireOwnerOfOthers(tx, storeId, actor);
    requireBelowLimit('active_keys', await queries.countWorking(tx, storeId, now));
    await queries.deleteEnded(tx, storeId, now, MAX_ENDED_KEYS);
    await queries.insert(tx, key);
    const details = { rights: chosen, expiresAt: key.expires_at };
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject: subjectOf(key), details, at: now });
    return queries.find(tx, key.id);
  });
  return { secret, key: view(created as queries.KeyWithMaker) };
}

/** Payment and delivery types are shared by all stores of an owner, and the right changes those of all of them. */
async function requireOwnerOfOthers(tx: Queryable, storeId: string, { kind, id }: Actor) {
  if (kind !== 'owner' || !(await queries.sharesTypesWithOthers(tx, storeId, id as string))) return;
  const message =
    'must not have references:write, which changes the payment and delivery types of stores that you do not own';
  throw invalidField('/rights', 'not_allowed', message);
}

export const listKeys = async (db: Queryable, storeId: string) => (await queries.listOf(db, storeId)).map(view);

/** The next request with the key is rejected. Revoking twice changes nothing. */
export async function revokeKey(
  db: Database,
  id: string,
  now: number,
  storeId?: string,
  actor: Actor = system,
): Promise<KeyView> {
  const validId = asUuid(id);
  const key = validId && (await queries.find(db, validId));
  if (!key || (storeId && key.store_id !== storeId)) throw notFound('key');
  await db.transaction(async (tx) => {
    if (await queries.revoke(tx, key.store_id, key.id, now))
      await recordHistory(tx, { scopeId: key.store_id, actor, action: 'revoked', subject: subjectOf(key), at: now });
  });
  return view({ ...key, revoked_at: key.revoked_at ?? now });
}

const subjectOf = ({ id, name }: Pick<queries.KeyRow, 'id' | 'name'>) => ({ kind: 'key' as const, id, name });

function checkedRights(names: readonly string[]): Right[] {
  const list = [...new Set(names.map((right) => right.trim()).filter(Boolean))];
  if (!list.length)
    throw new DomainError('invalid_body', `Choose at least one right: ${Object.keys(knownRights).join(', ')}.`);
  for (const right of list) {
    if ((retiredRights as readonly string[]).includes(right))
      throw new DomainError('invalid_body', `The right ${right} is no longer issued.`);
    if (!isRight(right))
      throw new DomainError(
        'invalid_body',
        `Unknown right ${right}; valid rights: ${Object.keys(knownRights).join(', ')}.`,
      );
  }
  return list as Right[];
}

/** Parses `90d` or `1y`. */
export function parseLife(text: string): number {
  const life = parseDuration(text);
  if (life === undefined)
    throw invalidField('/life', 'invalid_format', `${text} is not a duration such as 12h, 90d or 1y.`);
  return life;
}

const view = (row: queries.KeyWithMaker): KeyView => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  rights: row.rights.split(' '),
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.maker ?? '' },
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
});
