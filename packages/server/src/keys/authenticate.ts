import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Credentials } from '@store-sales/contract';
import type { Database } from '../db/database.ts';
import { iso } from '../instant.ts';
import { Refusal } from '../refusal.ts';
import * as queries from './keys.queries.ts';
import { hashOf, isWellFormed } from './secret.ts';

const MINUTE = 60_000;

/** The authenticated key and its store. */
export type Caller = queries.KeyWithStore & { rightSet: ReadonlySet<string> };

/** Maximum number of cached keys, a few hundred bytes each. */
const MAX_CACHED_KEYS = 10_000;

/**
 * Looks up the key in the database for every request, unless the database version shows that nothing was written since
 * the last lookup, so a revoked key is refused by the next request on every node. `last_used_at` is updated at most once
 * a minute, without delaying the request.
 */
export function authenticator(db: Database, onError: (error: unknown) => void) {
  const lastUses = new Map<string, number>();

  function updateLastUse(key: queries.KeyWithStore, now: number) {
    const last = lastUses.get(key.id) ?? key.last_used_at ?? 0;
    if (now - last < MINUTE) return;
    if (lastUses.size > MAX_CACHED_KEYS) lastUses.clear();
    lastUses.set(key.id, now);
    setImmediate(() => queries.markUsed(db, key.store_id, key.id, now).catch(onError));
  }

  const cache = new Map<string, Caller>();
  let cacheVersion: number | undefined;

  function find(secret: string): Caller | Promise<Caller | undefined> {
    const hash = hashOf(secret);
    const version = db.version();
    if (version !== cacheVersion || version === undefined || cache.size > MAX_CACHED_KEYS) cache.clear();
    cacheVersion = version;
    const cached = cache.get(hash);
    if (cached) return cached;
    if (!isWellFormed(secret))
      throw new Refusal('invalid_key', 'This is not a key of this service; check that all of it was copied.');
    return read(hash, version);
  }

  async function read(hash: string, version: number | undefined): Promise<Caller | undefined> {
    const key = await queries.findByHash(db.fastReads, hash);
    const caller = key && { ...key, rightSet: new Set(key.rights.split(' ')) };
    // If the version has changed during the read, the result may already be stale.
    if (caller && version !== undefined && cacheVersion === version) cache.set(hash, caller);
    return caller;
  }

  function accept(key: Caller | undefined, now: number): Caller {
    if (!key || key.revoked_at !== null) throw new Refusal('invalid_key', 'The key is unknown or was revoked.');
    if (key.expires_at <= now) throw new Refusal('expired_key', `The key expired at ${iso(key.expires_at)}.`);
    updateLastUse(key, now);
    return key;
  }

  const pending = new Map<string, Promise<Caller | undefined>>();

  /** Requests with the same key in one event loop iteration share a lookup, which starts after the last has arrived. */
  function findBatched(secret: string): Promise<Caller | undefined> {
    const batched = pending.get(secret);
    if (batched) return batched;
    const lookup = nextIteration().then(() => {
      pending.delete(secret);
      return find(secret);
    });
    pending.set(secret, lookup);
    return lookup;
  }

  return async function authenticate(header: string | undefined, now: number): Promise<Caller> {
    if (!header) throw new Refusal('missing_key', 'Send the header "Authorization: Bearer <API_KEY>".');
    const [, secret] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    if (!secret) throw new Refusal('missing_key', 'The Authorization header must be "Bearer <API_KEY>".');
    return accept(await findBatched(secret), now);
  };
}

/** Checks store, plan and right in the order that the contract defines. */
export function admit(caller: Caller, right: string | null) {
  if (!caller.is_active) throw new Refusal('store_inactive', 'The store of this key is deactivated.');
  if (caller.plan !== 'optimal')
    throw new Refusal('plan_required', `The API needs plan Optimal; this store is on plan ${caller.plan}.`);
  if (right && !caller.rightSet.has(right))
    throw new Refusal('insufficient_rights', `The key lacks the right ${right}.`);
}

export const credentialsOf = (caller: Caller): Credentials => ({
  id: caller.id,
  name: caller.name,
  store: {
    id: caller.store_id,
    name: caller.store_name,
    currency: caller.currency,
    timezone: caller.timezone,
    plan: caller.plan,
  },
  rights: caller.rights.split(' '),
  createdAt: iso(caller.created_at),
  expiresAt: iso(caller.expires_at),
});
