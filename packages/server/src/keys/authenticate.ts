import { setImmediate as roundOfLoop } from 'node:timers/promises';
import type { Credentials } from '@store-sales/contract';
import type { Database } from '../db/database.ts';
import { iso } from '../instant.ts';
import { Refusal } from '../refusal.ts';
import * as queries from './keys.queries.ts';
import { hashOf, isWellFormed } from './secret.ts';

const MINUTE = 60_000;

/** Who makes the request: a valid key and the store it opens. */
export type Caller = queries.KeyWithStore & { rightSet: ReadonlySet<string> };

/** Keys kept in mind: each is a few hundred bytes. */
const MOST = 10_000;

/** So many have a look of their own as soon as the one before is over; fewer wait for those who are about to arrive. */
const ENOUGH = 12;

/** A look at a key, and how many wait for it. */
interface Look {
  answer: Promise<Caller | undefined>;
  sharers: number;
}

/**
 * Looks for the key in the database at every request, unless nothing at all was written since the last look: a
 * revoked key is refused by the very next one, on every node. Requests that arrive together share a look, which is
 * taken after the last of them has arrived. Last use is noted at most once a minute, after the request and never in
 * its way.
 */
export function authenticator(db: Database, onError: (error: unknown) => void) {
  const noted = new Map<string, number>();

  function noteUse(key: queries.KeyWithStore, now: number) {
    const last = noted.get(key.id) ?? key.last_used_at ?? 0;
    if (now - last < MINUTE) return;
    if (noted.size > MOST) noted.clear();
    noted.set(key.id, now);
    setImmediate(() => queries.markUsed(db, key.store_id, key.id, now).catch(onError));
  }

  const known = new Map<string, Caller>();
  let knownAt: number | undefined;

  function find(secret: string): Caller | Promise<Caller | undefined> {
    const hash = hashOf(secret);
    const version = db.version();
    if (version !== knownAt || version === undefined || known.size > MOST) known.clear();
    knownAt = version;
    const before = known.get(hash);
    if (before) return before;
    if (!isWellFormed(secret))
      throw new Refusal('invalid_key', 'This is not a key of this service; check that all of it was copied.');
    return read(hash, version);
  }

  async function read(hash: string, version: number | undefined): Promise<Caller | undefined> {
    const key = await queries.findByHash(db.fastReads, hash);
    const caller = key && { ...key, rightSet: new Set(key.rights.split(' ')) };
    // Read under an older version than the one that counts now, it may be out of date already.
    if (caller && version !== undefined && knownAt === version) known.set(hash, caller);
    return caller;
  }

  function accept(key: Caller | undefined, now: number): Caller {
    if (!key || key.revoked_at !== null) throw new Refusal('invalid_key', 'The key is unknown or was revoked.');
    if (key.expires_at <= now) throw new Refusal('expired_key', `The key expired at ${iso(key.expires_at)}.`);
    noteUse(key, now);
    return key;
  }

  const over = ({ answer }: Look) => answer.catch(() => {});
  const waiting = new Map<string, Look>();
  const underWay = new Map<string, Look>();

  /** One look for all who come with the key in this round of the event loop, or while the look before is under way. */
  function findTogether(secret: string): Promise<Caller | undefined> {
    const others = waiting.get(secret);
    if (others) {
      others.sharers++;
      return others.answer;
    }
    const before = underWay.get(secret);
    const gathered = before
      ? over(before).then(() => (look.sharers < ENOUGH ? roundOfLoop() : undefined))
      : roundOfLoop();
    const answer = gathered.then(() => {
      waiting.delete(secret);
      underWay.set(secret, look);
      return find(secret);
    });
    const look: Look = { answer, sharers: 1 };
    waiting.set(secret, look);
    const done = () => {
      if (underWay.get(secret) === look) underWay.delete(secret);
    };
    answer.then(done, done);
    return answer;
  }

  return async function authenticate(header: string | undefined, now: number): Promise<Caller> {
    if (!header) throw new Refusal('missing_key', 'Send the header "Authorization: Bearer <API_KEY>".');
    const [, secret] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    if (!secret) throw new Refusal('missing_key', 'The Authorization header must be "Bearer <API_KEY>".');
    return accept(await findTogether(secret), now);
  };
}

/** What the key's plan, store and rights allow, checked in the contract's order. */
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
