import type { FastifyReply } from 'fastify';
import { DomainError } from '../domain-error.ts';
import { MINUTE } from '../duration.ts';

/** A fixed-window rate limit per key and minute on this node; 0 disables it. */
export function rateLimiter(limit: number) {
  let minute = 0;
  let counts = new Map<string, number>();

  return function count(keyId: string, reply: FastifyReply, now: number) {
    if (!limit) return;
    const current = Math.floor(now / MINUTE);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    const used = (counts.get(keyId) ?? 0) + 1;
    counts.set(keyId, used);
    const reset = Math.max(1, Math.ceil(((current + 1) * MINUTE - now) / 1000));
    reply
      .header('RateLimit-Limit', limit)
      .header('RateLimit-Remaining', Math.max(0, limit - used))
      .header('RateLimit-Reset', reset);
    if (used > limit)
      throw new DomainError('rate_limited', `A key may make ${limit} requests a minute; wait ${reset} s.`, [], reset);
  };
}
