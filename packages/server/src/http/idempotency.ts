import { hash } from 'node:crypto';
import { type FieldError, IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_KEY_PATTERN } from '@store-sales/contract';
import type { FastifyRequest } from 'fastify';
import { type Batches, deleteExpired } from '../db/batches/delete-expired.ts';
import { type Database, DatabaseUnavailable, type Queryable, within } from '../db/database.ts';
import { change, type WritePlan } from '../db/write/plan.ts';
import { DomainError } from '../domain-error.ts';
import type { Services } from '../services.ts';
import { DAY } from '../time/duration.ts';
import * as queries from './idempotency.queries.ts';
import type { Result } from './result.ts';

/** How long a response is kept. */
const KEPT_MS = DAY;
/** After a crash the key is blocked this long. The contract allows 20 s; the rest is for nodes whose clocks differ. */
const LEASE_MS = 15_000;
/** A request that takes longer has probably crashed. */
const USUAL_MS = 1000;

const HEADER = IDEMPOTENCY_KEY_HEADER.toLowerCase();
const VALID_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/**
 * Runs the work of a creation, which makes all its changes through the database it is given. If the request has an
 * `Idempotency-Key`, that is one transaction, which also stores the response; a repetition gets the stored response.
 */
export interface Write {
  <Body>(work: (db: Database) => Promise<Result<Body>>): Promise<Result<Body>>;
  /** The same for a plan; `replay` shows the stored response to this caller. */
  plan<Facts, Done, Body>(
    plan: WritePlan<Facts, Done>,
    respond: (done: Done) => Result<Body>,
    replay?: (kept: Result<Body> & { body: Buffer }) => Result<Body>,
  ): Promise<Result<Body>>;
}

/** Without an `Idempotency-Key`. */
export const writeAlways = (db: Database): Write =>
  Object.assign(<Body>(work: (at: Database) => Promise<Result<Body>>) => work(db), {
    plan: async <Facts, Done, Body>(plan: WritePlan<Facts, Done>, respond: (done: Done) => Result<Body>) =>
      respond(await db.write(plan)),
  });

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
export const bodyHash = (body: unknown) => hash('sha256', JSON.stringify(sorted(body)), 'base64url');

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
export function writeOnce(
  { db, now }: Services,
  request: queries.RequestRef,
  body: unknown,
  defaultStatus: number,
): Write {
  type Kept = Result<never> & { body: Buffer };
  async function once<Body>(
    work: (leasedUntil: number) => Promise<Result<Body>>,
    replay: (kept: Kept) => Result<Body> = (kept) => kept as Result<Body>,
  ) {
    const { kept, leasedUntil } = await claim(db, request, bodyHash(body), now());
    if (kept) {
      const { headers, ...rest } = replay(kept as Kept);
      return { ...rest, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
    }
    try {
      return await work(leasedUntil);
    } catch (error) {
      const released = release(db, request, leasedUntil);
      // If the database is unavailable, the response does not wait for it once more.
      if (!(error instanceof DatabaseUnavailable)) await released;
      throw error;
    }
  }
  const stored = ({
    status = defaultStatus,
    headers = {},
    body: content,
  }: Result<unknown>): queries.StoredResponse => ({
    status,
    headers: JSON.stringify(headers),
    body: Buffer.isBuffer(content) ? content.toString() : JSON.stringify(content),
  });

  return Object.assign(
    <Body>(work: (db: Database) => Promise<Result<Body>>) =>
      once((leasedUntil) =>
        db.transaction(
          async (tx) => {
            await requireLease(tx, request, leasedUntil);
            const result = await work(within(tx));
            await tx.run(queries.complete(request, stored(result)));
            return result;
          },
          { storeId: request.storeId },
        ),
      ),
    {
      plan: <Facts, Done, Body>(
        plan: WritePlan<Facts, Done>,
        respond: (done: Done) => Result<Body>,
        replay?: (kept: Kept) => Result<Body>,
      ) =>
        once(
          (leasedUntil) =>
            db.write<Facts, Result<Body>>({
              ...plan,
              async read(tx) {
                const [facts] = await Promise.all([plan.read(tx), requireLease(tx, request, leasedUntil)]);
                return facts;
              },
              apply(facts, clock) {
                const { writes, result } = plan.apply(facts, clock);
                const response = respond(result);
                const kept = change('idempotency_keys', () => queries.complete(request, stored(response)));
                return { writes: [...writes, kept], result: response };
              },
            }),
          replay,
        ),
    },
  );
}

/** Locks the key until the commit; throws if another request has taken it over. */
async function requireLease(tx: Queryable, request: queries.RequestRef, leasedUntil: number) {
  if (!(await queries.lockLease(tx, request, leasedUntil))) throw inProgress(1);
}

type Claim =
  | { kept: { status: number; headers: Record<string, string>; body: Buffer }; leasedUntil?: undefined }
  | { kept?: undefined; leasedUntil: number };

/** Returns the stored response, or claims the key. Throws if the request is being processed or the body differs. */
async function claim(db: Database, request: queries.RequestRef, requestHash: string, now: number): Promise<Claim> {
  const lease = { requestHash, now, until: now + LEASE_MS, expiredAt: now - KEPT_MS };
  const row = await db.transaction(
    async (tx) => ((await queries.claim(tx, request, lease)) ? undefined : queries.find(tx, request)),
    // Lost by a power failure only together with the change, which is committed later.
    { storeId: request.storeId, isLazy: true },
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
    })
    .catch(() => {});

const inProgress = (seconds: number) =>
  new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still being processed; nothing was changed.',
    [],
    seconds,
  );

/** Deletes the expired keys of a store and returns their number. */
export const pruneKeysOf = ({ db, now }: Services, storeId: string, batches?: Batches): Promise<number> =>
  deleteExpired(db, storeId, queries.expired(storeId, now() - KEPT_MS), batches);
