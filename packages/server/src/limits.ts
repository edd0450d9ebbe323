import { Refusal } from './refusal.ts';

/** Keys of a store that still work. */
export const MAX_KEYS = 100;
/** Keys of a store that no longer work and stay listed; older ones are deleted. */
export const MAX_ENDED_KEYS = 1000;
/** Records of each reference list of a store, and of each kind of type of an owner; disabled ones count. */
export const MAX_REFERENCES = 200;
export const MAX_CATEGORIES = 10_000;
export const MAX_STORES = 100;

/** Count and insert under one lock, or concurrent requests can exceed the limit. */
export function requireBelowLimit(count: number, limit: number, whose: 'store' | 'owner', what: string) {
  if (count < limit) return;
  const subject = whose === 'store' ? 'A store' : 'An owner';
  throw new Refusal('limit_reached', `${subject} has at most ${limit.toLocaleString('en')} ${what}.`);
}
