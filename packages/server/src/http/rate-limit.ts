import type { FastifyReply } from 'fastify';
import { DomainError } from '../domain-error.ts';
import { MINUTE } from '../time/duration.ts';

/** Counts requests over all nodes. */
export interface SharedCounter {
  /** Adds to the count of a key in a minute and returns the total; rejects if the counter cannot be reached. */
  add(keyId: string, minute: number, amount: number): Promise<number>;
}

/** The requests of a key in a minute. */
interface Usage {
  minute: number;
  used: number;
  /** How many this node may admit. */
  granted: number;
  /** How many all nodes together may admit so far. */
  total: number;
  /** Requests that wait for a grant. */
  waiting: number;
  asking: Promise<void> | undefined;
}

/**
 * A fixed-window rate limit per key and minute; 0 disables it. With a shared counter, a node takes parts of the limit
 * from it: all nodes together never admit more than the limit, and most requests do not wait for the counter. If it
 * cannot be reached, the node counts alone until the minute ends.
 */
export function rateLimiter(limit: number, shared?: SharedCounter) {
  /** A part is a thousandth of the limit: what a node has taken and does not use is lost to the others. */
  const part = Math.max(1, Math.floor(limit / 1000));
  let minute = 0;
  let usages = new Map<string, Usage>();

  const policy = `"minute";q=${limit};w=60`;
  const none = { granted: 0, total: 0 };
  const alone = { granted: limit, total: limit };

  async function ask(counter: SharedCounter, keyId: string, usage: Usage) {
    const amount = Math.max(part, usage.waiting);
    try {
      usage.total = await counter.add(keyId, usage.minute, amount);
      usage.granted += Math.max(0, amount - Math.max(0, usage.total - limit));
    } catch {
      Object.assign(usage, alone);
    } finally {
      usage.asking = undefined;
    }
  }

  /** Whether the request is admitted. */
  function take(usage: Usage): boolean {
    if (usage.used >= usage.granted) return false;
    usage.used++;
    return true;
  }

  async function takeShared(counter: SharedCounter, keyId: string, usage: Usage): Promise<boolean> {
    usage.waiting++;
    let isAdmitted = take(usage);
    while (!isAdmitted && usage.total < limit) {
      usage.asking ??= ask(counter, keyId, usage);
      await usage.asking;
      isAdmitted = take(usage);
    }
    usage.waiting--;
    return isAdmitted;
  }

  function respond(isAdmitted: boolean, usage: Usage, reply: FastifyReply, now: number) {
    const reset = Math.max(1, Math.ceil(((usage.minute + 1) * MINUTE - now) / 1000));
    const remaining = Math.max(0, limit - usage.total) + usage.granted - usage.used;
    reply
      .header('RateLimit-Limit', limit)
      .header('RateLimit-Remaining', remaining)
      .header('RateLimit-Reset', reset)
      // The same in the form of draft-ietf-httpapi-ratelimit-headers.
      .header('RateLimit-Policy', policy)
      .header('RateLimit', `"minute";r=${remaining};t=${reset}`);
    if (!isAdmitted)
      throw new DomainError('rate_limited', `A key may make ${limit} requests a minute; wait ${reset} s.`, [], reset);
  }

  /** Throws if the key has used its limit; returns a promise if the shared counter has to be asked. */
  return function count(keyId: string, reply: FastifyReply, now: number): Promise<void> | undefined {
    if (!limit) return undefined;
    const current = Math.floor(now / MINUTE);
    if (current !== minute) {
      minute = current;
      usages = new Map();
    }
    const usage = usages.get(keyId) ?? { minute, used: 0, waiting: 0, asking: undefined, ...(shared ? none : alone) };
    usages.set(keyId, usage);
    const isAdmitted = take(usage);
    if (shared && !isAdmitted && usage.total < limit)
      return takeShared(shared, keyId, usage).then((isAdmittedNow) => respond(isAdmittedNow, usage, reply, now));
    respond(isAdmitted, usage, reply, now);
    return undefined;
  };
}
