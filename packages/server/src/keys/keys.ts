import { isRight, rights as knownRights, type Right, retiredRights } from '@store-sales/contract';
import { type Actor, system } from '../actor.ts';
import type { Database, Queryable } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { parseDuration } from '../duration.ts';
import { recordHistory } from '../history/history.ts';
import { MAX_ENDED_KEYS, MAX_KEYS, requireBelowLimit } from '../limits.ts';
import { invalidField, notFound, Refusal } from '../refusal.ts';
import * as queries from './keys.queries.ts';
import { hashOf, newSecret, visiblePrefix } from './secret.ts';

const DAY = 86_400_000;
const DEFAULT_LIFE = 365 * DAY;
/** Five years, leap days included. */
const LONGEST_LIFE = (5 * 365 + 2) * DAY;

export interface NewKey {
  storeId: string;
  name: string;
  rights: readonly string[];
  /** In milliseconds; a year when left out. */
  life?: number | undefined;
}

/** A key as its owner sees it: never the secret. */
export interface KeyView {
  id: string;
  name: string;
  prefix: string;
  rights: string[];
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** Makes a key and returns its secret, the only time it is ever seen. */
export async function createKey(
  db: Database,
  { storeId, name, rights, life = DEFAULT_LIFE }: NewKey,
  now: number,
  actor: Actor = system,
) {
  const chosen = checkedRights(rights);
  const title = name.trim();
  if (!title || title.length > 200)
    throw invalidField('/name', 'invalid_format', 'The name of a key has 1 to 200 characters.');
  if (life <= 0 || life > LONGEST_LIFE) throw invalidField('/life', 'too_large', 'A key lives at most 5 years.');
  const secret = newSecret();
  const key = {
    id: uuid(now),
    store_id: storeId,
    name: title,
    prefix: visiblePrefix(secret),
    key_hash: hashOf(secret),
    rights: chosen.join(' '),
    created_at: now,
    expires_at: now + life,
    revoked_at: null,
    last_used_at: null,
  };
  await db.transaction(async (tx) => {
    await tx.lock(storeId, ['keys']);
    requireBelowLimit(
      await queries.countWorking(tx, storeId, now),
      MAX_KEYS,
      'store',
      'keys that work; revoke one first',
    );
    await queries.deleteEnded(tx, storeId, now, MAX_ENDED_KEYS);
    await queries.insert(tx, key);
    const details = { rights: chosen, expiresAt: key.expires_at };
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject: subjectOf(key), details, at: now });
  });
  return { secret, key: view(key) };
}

export const listKeys = async (db: Queryable, storeId: string) => (await queries.listOf(db, storeId)).map(view);

/**
 * Refuses the key from the very next request on. Revoking twice changes nothing. Given a store, a key of
 * another one is not found.
 */
export async function revokeKey(
  db: Database,
  id: string,
  now: number,
  storeId?: string,
  actor: Actor = system,
): Promise<KeyView> {
  const wanted = asUuid(id);
  const key = wanted && (await queries.find(db, wanted));
  if (!key || (storeId && key.store_id !== storeId)) throw notFound('key');
  await db.transaction(async (tx) => {
    if (await queries.revoke(tx, key.store_id, key.id, now))
      await recordHistory(tx, { scopeId: key.store_id, actor, action: 'revoked', subject: subjectOf(key), at: now });
  });
  return view({ ...key, revoked_at: key.revoked_at ?? now });
}

const subjectOf = ({ id, name }: queries.KeyRow) => ({ kind: 'key' as const, id, name });

function checkedRights(wanted: readonly string[]): Right[] {
  const list = [...new Set(wanted.map((right) => right.trim()).filter(Boolean))];
  if (!list.length)
    throw new Refusal('invalid_body', `Choose at least one right of ${Object.keys(knownRights).join(', ')}.`);
  for (const right of list) {
    if ((retiredRights as readonly string[]).includes(right))
      throw new Refusal('invalid_body', `The right ${right} is no longer issued.`);
    if (!isRight(right))
      throw new Refusal(
        'invalid_body',
        `There is no right ${right}; there are ${Object.keys(knownRights).join(', ')}.`,
      );
  }
  return list as Right[];
}

/** The life of a key as it is typed: `90d`, `1y`. */
export function parseLife(text: string): number {
  const life = parseDuration(text);
  if (life === undefined)
    throw invalidField('/life', 'invalid_format', `${text} is not a duration such as 12h, 90d or 1y.`);
  return life;
}

const view = (row: queries.KeyRow): KeyView => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  rights: row.rights.split(' '),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
});
