import { DomainError } from '../domain-error.ts';
import { shortHash } from '../text/short-hash.ts';
import { MINUTE } from '../time/duration.ts';

const WINDOW_MS = 15 * MINUTE;
const FIRST_WAIT_MS = 5_000;
/** Per map; a counter has two. */
const MAX_RECORDS = 20_000;

/** Too many failures: wait before the next attempt. */
export class TooSoon extends DomainError {
  constructor(seconds: number) {
    super('too_many_attempts', `Too many attempts; wait ${seconds} s.`, [], seconds);
  }
}

interface Record {
  failures: number;
  last: number;
}

/**
 * Slows down guessing: the first failures are free, then each doubles the wait before the next attempt, up to
 * `maxWaitMs`. A record expires after `windowMs` without a failure. Counted in memory, per node.
 *
 * Memory is bounded. Records that have used up their free failures are kept in a separate map, so that an attacker who
 * invents names evicts only records like their own: evicting a record that blocks a client takes as many failures as
 * there are records times free failures, each of which costs a password hash.
 */
export function attempts(free: number, maxWaitMs = WINDOW_MS, windowMs = WINDOW_MS) {
  const light = new Map<string, Record>();
  const heavy = new Map<string, Record>();

  function recent(key: string, now: number): Record {
    const record = heavy.get(key) ?? light.get(key);
    return record && now - record.last < windowMs ? record : { failures: 0, last: now };
  }

  function save(key: string, record: Record) {
    light.delete(key);
    heavy.delete(key);
    if (record.failures <= 0) return;
    const map = record.failures < free ? light : heavy;
    if (map.size >= MAX_RECORDS) map.delete(map.keys().next().value as string);
    map.set(key, record);
  }

  return {
    failures: (name: string, now: number) => recent(keyOf(name), now).failures,
    check(name: string, now: number) {
      const { failures, last } = recent(keyOf(name), now);
      if (failures < free) return;
      const until = last + Math.min(FIRST_WAIT_MS * 2 ** (failures - free), maxWaitMs);
      if (now < until) throw new TooSoon(Math.ceil((until - now) / 1000));
    },
    /** Counts the attempt as a failure until it succeeds, so that concurrent guesses count too. */
    begin(name: string, now: number) {
      const key = keyOf(name);
      save(key, { failures: recent(key, now).failures + 1, last: now });
    },
    /** The attempt does not count as a failure. */
    cancel(name: string) {
      const key = keyOf(name);
      const record = heavy.get(key) ?? light.get(key);
      if (record) save(key, { ...record, failures: record.failures - 1 });
    },
    /** The attempt succeeded; earlier failures no longer count. */
    reset(name: string) {
      save(keyOf(name), { failures: 0, last: 0 });
    },
  };
}

export type Attempts = ReturnType<typeof attempts>;

/** Fixed-length key for input of any length. */
const keyOf = (name: string) => shortHash(name);
