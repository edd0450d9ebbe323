import type { CursorScope } from '../../db/cursor.ts';
import type { Queryable } from '../../db/database.ts';
import { asUuid } from '../../db/uuid.ts';
import { notFound } from '../../refusal.ts';
import type { Services } from '../../services.ts';
import type { DeliveryStatus } from '../dispatch/outcome.ts';
import { attemptsOf } from './log.queries.ts';
import * as queries from './search-log.queries.ts';

/** Maximum number of deliveries that one search by event type examines. */
const MAX_EXAMINED = 5000;
const PAGE_SIZE = 50;
/** Counting stops here; the result then has `isMore`. */
const MAX_COUNTED = 10_000;

export interface LogFilter {
  status?: DeliveryStatus;
  type?: string;
  /** Order number, id or external id. */
  order?: string;
}

export interface FoundAttempt {
  startedAt: number;
  durationMs: number;
  responseStatus: number | null;
  error: string | null;
  responseBody: string;
}

export interface Found {
  id: string;
  eventId: string;
  type: string;
  order: { id: string; number: number | null } | null;
  status: DeliveryStatus;
  /** Null if no attempt is scheduled, or while one is in flight. */
  nextAttemptAt: number | null;
  createdAt: number;
  attempts: FoundAttempt[];
}

/** A page of the log, newest first; the attempts of each delivery oldest first. */
export async function searchLog(
  { db, cursors, now }: Services,
  endpoint: queries.EndpointRef,
  filter: LogFilter,
  {
    cursor,
    limit = PAGE_SIZE,
    reach: maxExamined = MAX_EXAMINED,
  }: { cursor?: string | undefined; limit?: number; reach?: number } = {},
): Promise<{ found: Found[]; nextCursor: string | null }> {
  const scope: CursorScope = {
    resource: `deliveries of ${endpoint.endpointId}`,
    storeId: endpoint.storeId,
    order: 'createdAt:desc',
  };
  const before = cursor === undefined ? undefined : (cursors.read(scope, cursor) as queries.Key);
  const criteria = await resolveFilter(db, endpoint.storeId, filter);
  const { rows, end: reached } = await queries.search(db, endpoint, criteria, {
    before,
    limit: limit + 1,
    maxExamined,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const end = rows.length > limit && last ? keyOf(last) : reached;
  return { found: await withAttempts(db, shown, now()), nextCursor: end ? cursors.write(scope, end) : null };
}

export async function findDelivery({ db, now }: Services, endpoint: queries.EndpointRef, id: string): Promise<Found> {
  const uuid = asUuid(id);
  const row = uuid && (await queries.findOne(db, endpoint, uuid));
  if (!row) throw notFound('delivery');
  const [found] = await withAttempts(db, [row], now());
  return found as Found;
}

/** Counts the matching deliveries that are not pending, and how many of them were delivered; stops at `max`. */
export async function countMatching(
  { db }: Services,
  endpoint: queries.EndpointRef,
  filter: LogFilter,
  max = MAX_COUNTED,
) {
  const criteria = await resolveFilter(db, endpoint.storeId, filter);
  let count = 0;
  let delivered = 0;
  for await (const rows of matching(db, endpoint, criteria)) {
    count += rows.length;
    delivered += rows.filter(({ status }) => status === 'delivered').length;
    if (count > max) return { count: max, delivered: Math.min(delivered, max), isMore: true };
  }
  return { count, delivered, isMore: false };
}

/** Counts the deliveries an endpoint missed while it was off. */
export async function countMissed({ db }: Services, endpoint: queries.EndpointRef, max = MAX_COUNTED) {
  const count = Number(await queries.countMissed(db, endpoint, max + 1));
  return { count: Math.min(count, max), isMore: count > max };
}

/** All matching deliveries that are not pending, in batches; those created during the iteration are left out. */
export async function* matching(
  db: Queryable,
  endpoint: queries.EndpointRef,
  criteria: queries.Criteria,
  batchSize = batchSizeOf(db),
) {
  for (let before: queries.Key | undefined; ; ) {
    const { rows, end } = await matchingBatch(db, endpoint, criteria, { before, batchSize });
    if (rows.length) yield rows;
    if (!end) return;
    before = end;
  }
}

/** One batch of `matching`, and the position of the next; examines at most `batchSize` deliveries. */
export async function matchingBatch(
  db: Queryable,
  endpoint: queries.EndpointRef,
  criteria: queries.Criteria,
  { before, batchSize }: { before: queries.Key | undefined; batchSize: number },
): Promise<{ rows: queries.FoundRow[]; end: queries.Key | undefined }> {
  if (criteria.status === 'pending') return { rows: [], end: undefined };
  const { rows, end } = await queries.search(db, endpoint, criteria, {
    before,
    limit: batchSize,
    maxExamined: batchSize,
  });
  const last = rows.at(-1);
  return {
    rows: rows.filter(({ status }) => status !== 'pending'),
    end: end ?? (rows.length === batchSize && last ? keyOf(last) : undefined),
  };
}

const keyOf = ({ created_at, id }: queries.FoundRow): queries.Key => [created_at, id];

/** On SQLite small enough to delay other requests only a little. */
const batchSizeOf = ({ dialect }: Queryable) => Math.min(dialect.maxRowsPerStatement, MAX_EXAMINED);

/** Looks up the orders that the filter names. */
export async function resolveFilter(
  db: Queryable,
  storeId: string,
  { status, type, order }: LogFilter,
): Promise<queries.Criteria> {
  if (order === undefined) return { status, type };
  const text = order.trim().replace(/^[#№]\s*/, '');
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const orderIds = await queries.ordersNamed(db, storeId, { id: asUuid(text), number, externalId: text });
  // No order has the nil UUID, so nothing is found.
  return { status, type, orderIds: orderIds.length ? orderIds : ['00000000-0000-0000-0000-000000000000'] };
}

async function withAttempts(db: Queryable, rows: readonly queries.FoundRow[], now: number): Promise<Found[]> {
  const attempts = new Map<string, FoundAttempt[]>(rows.map(({ id }) => [id, []]));
  if (rows.length)
    for (const row of await attemptsOf(db, rows))
      attempts.get(row.delivery_id)?.push({
        startedAt: row.started_at,
        durationMs: row.duration_ms,
        responseStatus: row.response_status,
        error: row.error,
        responseBody: row.response_body,
      });
  return rows.map((row) => ({
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    order: row.order_id === null ? null : { id: row.order_id, number: row.order_number },
    status: row.status,
    nextAttemptAt: row.next_attempt_at === null || (row.leased_until_at ?? 0) > now ? null : row.next_attempt_at,
    createdAt: row.created_at,
    attempts: attempts.get(row.id) ?? [],
  }));
}
