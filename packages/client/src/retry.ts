export interface RetryOptions {
  /** Maximum number of retries. */
  limit?: number | undefined;
  /** Milliseconds before the first retry; doubled each time. */
  delay?: number | undefined;
  /** Maximum delay in milliseconds. If `Retry-After` is longer, the request is not retried. */
  longest?: number | undefined;
}

export interface RetryPolicy {
  limit: number;
  delay: number;
  longest: number;
}

export const retryPolicy = (options: number | RetryOptions = {}): RetryPolicy => {
  const { limit = 3, delay = 500, longest = 60_000 } = typeof options === 'number' ? { limit: options } : options;
  return { limit, delay, longest };
};

/** 0 means no response. */
const RETRYABLE_STATUSES = [0, 429, 500, 502, 503, 504];

/**
 * Idempotent are reads, creations (by `externalId` or `Idempotency-Key`), and changes with `If-Match`. After 429 any
 * request can be retried: the service has not processed it.
 */
export const canRetry = (isIdempotent: boolean, { status, code }: { status: number; code: string }) =>
  isIdempotent ? RETRYABLE_STATUSES.includes(status) || code === 'idempotency_in_progress' : status === 429;

/** Whole milliseconds before the retry after `attempt` (from 1), with up to 50 % jitter; undefined for no retry. */
export function retryDelay(
  attempt: number,
  { delay, longest, limit }: RetryPolicy,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  if (attempt > limit) return undefined;
  const backoff = Math.min(longest, delay * 2 ** (attempt - 1));
  if (retryAfter === undefined) return Math.round(backoff * (0.5 + random / 2));
  const requested = retryAfter * 1000;
  return requested > longest ? undefined : Math.round(requested + (backoff * random) / 2);
}

/** Seconds, from a header with seconds or a date. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
