import { setImmediate as nextIteration } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import type { KeyCaller } from '../http/callers.ts';
import { hashOf } from '../secrets.ts';
import { HOUR, MINUTE } from '../time/duration.ts';
import { iso } from '../time/instant.ts';
import * as queries from './keys.queries.ts';
import { isWellFormed } from './secret.ts';

type CachedKey = queries.KeyWithStore & KeyCaller;

/** Maximum number of cached keys, a few hundred bytes each. */
const MAX_CACHED_KEYS = 10_000;

/**
 * Looks up the key in the database for every request, unless the database version shows that nothing was written since
 * the last lookup, so a revoked key is rejected by the next request on every node. `last_used_at` is updated at most once
 * a minute (on Citus once an hour), without delaying the request.
 */
export function authenticator(db: Database, onError: (error: unknown) => void) {
  const lastUses = new LRUCache<string, number>({ max: MAX_CACHED_KEYS });

  function updateLastUse(key: queries.KeyWithStore, now: number) {
    const last = lastUses.get(key.id) ?? key.last_used_at ?? 0;
    // A distributed database has all keys on every server, so that this write is slow there, and one at a time.
    if (now - last < (db.dialect.isDistributed ? HOUR : MINUTE)) return;
    lastUses.set(key.id, now);
    setImmediate(() => queries.markUsed(db, key.store_id, key.id, now).catch(onError));
  }

  // A Map, because it is cleared by every write: clearing a large LRU cache takes longer.
  const cache = new Map<string, CachedKey>();
  let cacheVersion: number | undefined;

  function find(secret: string): CachedKey | Promise<CachedKey | undefined> {
    const hash = hashOf(secret);
    const version = db.version();
    if (version !== cacheVersion || version === undefined || cache.size > MAX_CACHED_KEYS) cache.clear();
    cacheVersion = version;
    const cached = cache.get(hash);
    if (cached) return cached;
    if (!isWellFormed(secret))
      throw new DomainError('invalid_key', 'This is not a key of this service; check that all of it was copied.');
    return read(hash, version);
  }

  async function read(hash: string, version: number | undefined): Promise<CachedKey | undefined> {
    const key = await queries.findByHash(db.fastReads, hash);
    const caller = key && { ...key, rightSet: new Set(key.rights.split(' ')) };
    // If the version has changed during the read, the result may already be stale.
    if (caller && version !== undefined && cacheVersion === version) cache.set(hash, caller);
    return caller;
  }

  function accept(key: CachedKey | undefined, now: number): CachedKey {
    if (!key || key.revoked_at !== null) throw new DomainError('invalid_key', 'The key is unknown or was revoked.');
    if (key.expires_at <= now) throw new DomainError('expired_key', `The key expired at ${iso(key.expires_at)}.`);
    updateLastUse(key, now);
    return key;
  }

  const pending = new Map<string, Promise<CachedKey | undefined>>();

  /** Requests with the same key in one event loop iteration share a lookup, which starts after the last has arrived. */
  function findBatched(secret: string): Promise<CachedKey | undefined> {
    const batched = pending.get(secret);
    if (batched) return batched;
    const lookup = nextIteration().then(() => {
      pending.delete(secret);
      return find(secret);
    });
    pending.set(secret, lookup);
    return lookup;
  }

  return async function authenticate(header: string | undefined, now: number): Promise<CachedKey> {
    if (!header) throw new DomainError('missing_key', 'Send the header "Authorization: Bearer <API_KEY>".');
    const [, secret] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    if (!secret) throw new DomainError('missing_key', 'The Authorization header must be "Bearer <API_KEY>".');
    return accept(await findBatched(secret), now);
  };
}
