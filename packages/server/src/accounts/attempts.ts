import { Refusal } from '../refusal.ts';

const WINDOW = 15 * 60_000;
const FIRST_WAIT = 5_000;
const MOST_REMEMBERED = 10_000;

/** Asked to wait before the next attempt. */
export class TooSoon extends Refusal {
  constructor(readonly seconds: number) {
    super('too_many_attempts', `Too many attempts; wait ${seconds} s.`);
  }
}

interface Record {
  failures: number;
  last: number;
}

/**
 * Slows guessing down: a few failures are free, then each doubles the wait before the next attempt, up to 15
 * minutes; after 15 quiet minutes all is forgotten. In memory and bounded: whoever comes when it is full
 * pushes out the name that failed longest ago.
 */
export function attempts(free: number) {
  const records = new Map<string, Record>();

  function recent(name: string, now: number): Record {
    const record = records.get(name);
    return record && now - record.last < WINDOW ? record : { failures: 0, last: now };
  }

  return {
    check(name: string, now: number) {
      const { failures, last } = recent(name, now);
      if (failures < free) return;
      const until = last + Math.min(FIRST_WAIT * 2 ** (failures - free), WINDOW);
      if (now < until) throw new TooSoon(Math.ceil((until - now) / 1000));
    },
    /** Counts the attempt as failed until told otherwise, so that guesses made at once count too. */
    begin(name: string, now: number) {
      const failures = recent(name, now).failures + 1;
      records.delete(name);
      if (records.size >= MOST_REMEMBERED) records.delete(records.keys().next().value as string);
      records.set(name, { failures, last: now });
    },
    /** The attempt was right: it was no failure. */
    forgive(name: string) {
      const record = records.get(name);
      if (record) record.failures -= 1;
    },
    /** The attempt was right, and what went before it no longer matters. */
    forget(name: string) {
      records.delete(name);
    },
  };
}

export type Attempts = ReturnType<typeof attempts>;
