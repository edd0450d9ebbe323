/** How often and how patiently a failed request is repeated. */
export interface RetryOptions {
  /** Attempts after the first one. */
  limit?: number | undefined;
  /** Milliseconds before the first repeat; doubled each time. */
  delay?: number | undefined;
  /** The longest wait in milliseconds. A service that asks for more is not waited for. */
  longest?: number | undefined;
}

export interface RetryPolicy {
  limit: number;
  delay: number;
  longest: number;
}

export const retryPolicy = (given: number | RetryOptions = {}): RetryPolicy => {
  const { limit = 3, delay = 500, longest = 60_000 } = typeof given === 'number' ? { limit: given } : given;
  return { limit, delay, longest };
};

/**
 * What a repeat can do.
 * `safe`: nothing that the first attempt has not done already (reads; creations with an `externalId`; changes with
 * `If-Match`, which the service refuses once the record has changed).
 * `unsafe`: the same thing twice, or over the work of somebody else, if the first attempt got through unnoticed.
 */
export type Repeat = 'safe' | 'unsafe';

/** Answers after which another attempt may fare better. 0 stands for no answer. */
const passing = [0, 429, 500, 502, 503, 504];

/** 429 is given before anything is done, so even an unsafe request may follow it. */
export const mayRepeat = (repeat: Repeat, status: number) =>
  repeat === 'safe' ? passing.includes(status) : status === 429;

/**
 * Milliseconds to wait before attempt `attempt` + 1 (`attempt` counts from 1), or undefined for not at all. Half of
 * the wait is left to chance, so that clients who failed together do not come back together.
 */
export function waitBefore(
  attempt: number,
  { delay, longest, limit }: RetryPolicy,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  if (attempt > limit) return undefined;
  const backOff = Math.min(longest, delay * 2 ** (attempt - 1));
  if (retryAfter === undefined) return backOff * (0.5 + random / 2);
  const asked = retryAfter * 1000;
  return asked > longest ? undefined : asked + (backOff * random) / 2;
}

/** Seconds, from a header that holds seconds or a date. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
