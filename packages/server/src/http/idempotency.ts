import { createHash } from 'node:crypto';
import { type FieldError, IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_KEY_PATTERN } from '@store-sales/contract';
import type { FastifyRequest } from 'fastify';
import { type Database, DatabaseUnavailable, type TransactionOptions, within } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { DAY } from '../duration.ts';
import type { Services } from '../services.ts';
import * as queries from './idempotency.queries.ts';
import type { Result } from './result.ts';

/** How long a response is kept. */
const KEPT_MS = DAY;
/** After a crash the key is blocked this long. The contract allows 20 s; the rest is for nodes whose clocks differ. */
const LEASE_MS = 15_000;
/** A request that takes longer has probably crashed. */
const USUAL_MS = 1000;
/** On SQLite one batch blocks other writers for some milliseconds. */
const BATCH_SIZE = 500;

const HEADER = IDEMPOTENCY_KEY_HEADER.toLowerCase();
const VALID_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/**
 * Runs the work of a creation, which makes all its changes through the database it is given. If the request has an
 * `Idempotency-Key`, that is one transaction, which also stores the response and may share a group; a repetition gets the
 * stored response, as `replay` shows it to this caller.
 */
export type Write = <Body>(
  work: (db: Database) => Promise<Result<Body>>,
  replay?: (kept: Result<Body> & { body: Buffer }) => Result<Body>,
  group?: TransactionOptions['group'],
) => Promise<Result<Body>>;

/** The errors of the header `Idempotency-Key`. */
export function keyErrors({ raw }: FastifyRequest): FieldError[] {
  if (raw.headers[HEADER] === undefined) return [];
  const values = raw.headersDistinct[HEADER] ?? [];
  if (values.length > 1)
    return [{ parameter: IDEMPOTENCY_KEY_HEADER, code: 'repeated', message: 'was given more than once' }];
  if (VALID_KEY.test(values[0] ?? '')) return [];
  const message = 'must be 1 to 255 visible ASCII characters';
  return [{ parameter: IDEMPOTENCY_KEY_HEADER, code: 'invalid_format', message }];
}

/** The key of a request without errors in its header. */
export const keyOf = ({ headers }: FastifyRequest) => headers[HEADER] as string | undefined;

/** A hash of the body as JSON: white space, the order of fields and the spelling of values make no difference. */
export const hashOf = (body: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(sorted(body)))
    .digest('base64url');

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((name) => [name, sorted(fields[name])]),
  );
}

/**
 * Claims the key, runs the work, and stores the response in the transaction of the change. So a change never exists
 * without its stored response, and a request that lost its lease changes nothing. A failed request frees the key.
 */
export const writeOnce =
  ({ db, now }: Services, request: queries.RequestRef, body: unknown, defaultStatus: number): Write =>
  async (work, replay = (kept) => kept, group = undefined) => {
    const { kept, leasedUntil } = await claim(db, request, hashOf(body), now());
    if (kept) {
      const { headers, ...rest } = replay({ ...kept });
      return { ...rest, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
    }
    try {
      return await db.transaction(
        async (tx) => {
          const result = await work(within(tx));
          const { status = defaultStatus, headers = {} } = result;
          const text = Buffer.isBuffer(result.body) ? result.body.toString() : JSON.stringify(result.body);
          const response = { status, headers: JSON.stringify(headers), body: text };
          if (!(await queries.complete(tx, request, leasedUntil, response))) throw inProgress(1);
          return result;
        },
        { storeId: request.storeId, ...(group && { group }) },
      );
    } catch (error) {
      const released = release(db, request, leasedUntil);
      // If the database is unavailable, the response does not wait for it once more.
      if (!(error instanceof DatabaseUnavailable)) await released;
      throw error;
    }
  };

type Claim =
  | { kept: { status: number; headers: Record<string, string>; body: Buffer }; leasedUntil?: undefined }
  | { kept?: undefined; leasedUntil: number };

/** Returns the stored response, or claims the key. Throws if the request is being processed or the body differs. */
async function claim(db: Database, request: queries.RequestRef, requestHash: string, now: number): Promise<Claim> {
  const lease = { requestHash, now, until: now + LEASE_MS, expiredAt: now - KEPT_MS };
  const row = await db.transaction(
    async (tx) => ((await queries.claim(tx, request, lease)) ? undefined : queries.find(tx, request)),
    // Lost by a power failure only together with the change, which is committed later.
    { storeId: request.storeId, isLazy: true, group: {} },
  );
  if (!row) return { leasedUntil: lease.until };
  if (row.status === null) {
    const isUsual = now - row.created_at < USUAL_MS;
    throw inProgress(isUsual ? 1 : Math.max(1, Math.ceil((row.leased_until_at - now) / 1000)));
  }
  if (row.request_hash !== requestHash)
    throw new DomainError('idempotency_key_reused', 'This Idempotency-Key was used with another body.');
  return { kept: { status: row.status, headers: JSON.parse(row.headers), body: row.body } };
}

/** If this fails, the key is free when its lease ends. */
const release = (db: Database, request: queries.RequestRef, leasedUntil: number) =>
  db
    .transaction((tx) => queries.release(tx, request, leasedUntil), {
      storeId: request.storeId,
      isLazy: true,
      group: {},
    })
    .catch(() => {});

const inProgress = (seconds: number) =>
  new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still being processed; nothing was changed.',
    [],
    seconds,
  );

/** Deletes expired keys in batches and returns their number. */
export async function pruneIdempotencyKeys({ db, now }: Services, batchSize = BATCH_SIZE): Promise<number> {
  const expiredAt = now() - KEPT_MS;
  for (let deleted = 0; ; ) {
    const count = await db.transaction((tx) => queries.deleteExpired(tx, expiredAt, batchSize));
    deleted += count;
    if (count < batchSize) return deleted;
  }
}
