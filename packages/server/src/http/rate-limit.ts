import type { FastifyReply } from 'fastify';
import { Refusal } from '../refusal.ts';

const MINUTE = 60_000;

/** Counts the requests of each key in fixed minutes, on this node. A limit of 0 counts nothing. */
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
    if (used > limit) {
      reply.header('Retry-After', reset);
      throw new Refusal('rate_limited', `A key may make ${limit} requests a minute; wait ${reset} s.`);
    }
  };
}
