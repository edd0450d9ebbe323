import type { CursorScope } from '../../db/cursor.ts';
import type { Queryable } from '../../db/database.ts';
import { asUuid } from '../../db/uuid.ts';
import { notFound } from '../../refusal.ts';
import type { Services } from '../../services.ts';
import type { DeliveryStatus } from '../dispatch/outcome.ts';
import { attemptsOf } from './log.queries.ts';
import * as queries from './search-log.queries.ts';

/** Most deliveries that one search for a rare event looks at. */
const REACH = 5000;
const PAGE = 50;
/** Further than this nobody wants to know how many there are. */
const MOST_COUNTED = 10_000;

/** What is looked for in the log of an endpoint. */
export interface LogFilter {
  status?: DeliveryStatus;
  type?: string;
  /** Number, id or external id. */
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
  /** Null when none is to come, and while one is under way. */
  nextAttemptAt: number | null;
  createdAt: number;
  attempts: FoundAttempt[];
}

/** A page of the log, newest first, each delivery with its attempts in the order they were made. */
export async function searchLog(
  { db, cursors, now }: Services,
  place: queries.Place,
  filter: LogFilter,
  { cursor, limit = PAGE, reach = REACH }: { cursor?: string | undefined; limit?: number; reach?: number } = {},
): Promise<{ found: Found[]; nextCursor: string | null }> {
  const scope: CursorScope = {
    resource: `deliveries of ${place.endpointId}`,
    storeId: place.storeId,
    order: 'createdAt:desc',
  };
  const before = cursor === undefined ? undefined : (cursors.read(scope, cursor) as queries.Key);
  const wanted = await resolved(db, place.storeId, filter);
  const { rows, end: reached } = await queries.search(db, place, wanted, { before, limit: limit + 1, reach });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const end = rows.length > limit && last ? keyOf(last) : reached;
  return { found: await withAttempts(db, shown, now()), nextCursor: end ? cursors.write(scope, end) : null };
}

/** One delivery of the endpoint. */
export async function findDelivery({ db, now }: Services, place: queries.Place, id: string): Promise<Found> {
  const wanted = asUuid(id);
  const row = wanted && (await queries.findOne(db, place, wanted));
  if (!row) throw notFound('delivery');
  const [found] = await withAttempts(db, [row], now());
  return found as Found;
}

/** How many deliveries that are not waiting match, and how many of them were delivered; counted only so far. */
export async function countMatching({ db }: Services, place: queries.Place, filter: LogFilter, most = MOST_COUNTED) {
  const wanted = await resolved(db, place.storeId, filter);
  let count = 0;
  let delivered = 0;
  for await (const rows of matching(db, place, wanted)) {
    count += rows.length;
    delivered += rows.filter(({ status }) => status === 'delivered').length;
    if (count > most) return { count: most, delivered: Math.min(delivered, most), isMore: true };
  }
  return { count, delivered, isMore: false };
}

/** What an endpoint that was off would be sent on demand. */
export async function countMissed({ db }: Services, place: queries.Place, most = MOST_COUNTED) {
  const count = Number(await queries.countMissed(db, place, most + 1));
  return { count: Math.min(count, most), isMore: count > most };
}

/** All deliveries that match and are not waiting, block by block; those that came later are left out. */
export async function* matching(db: Queryable, place: queries.Place, wanted: queries.Wanted, block = blockOf(db)) {
  for (let before: queries.Key | undefined; ; ) {
    const { rows, end } = await matchingBlock(db, place, wanted, { before, block });
    if (rows.length) yield rows;
    if (!end) return;
    before = end;
  }
}

/** One block of them, and where the next one begins; no more than `block` deliveries are examined. */
export async function matchingBlock(
  db: Queryable,
  place: queries.Place,
  wanted: queries.Wanted,
  { before, block }: { before: queries.Key | undefined; block: number },
): Promise<{ rows: queries.FoundDelivery[]; end: queries.Key | undefined }> {
  if (wanted.status === 'pending') return { rows: [], end: undefined };
  const { rows, end } = await queries.search(db, place, wanted, { before, limit: block, reach: block });
  const last = rows.at(-1);
  return {
    rows: rows.filter(({ status }) => status !== 'pending'),
    end: end ?? (rows.length === block && last ? keyOf(last) : undefined),
  };
}

const keyOf = ({ created_at, id }: queries.FoundDelivery): queries.Key => [created_at, id];

/** Deliveries read at once: on SQLite few enough that other requests hardly wait. */
const blockOf = ({ dialect }: Queryable) => Math.min(dialect.maxRowsPerStatement, REACH);

/** The filter with the order that it names looked up. */
export async function resolved(
  db: Queryable,
  storeId: string,
  { status, type, order }: LogFilter,
): Promise<queries.Wanted> {
  if (order === undefined) return { status, type };
  const text = order.trim().replace(/^[#№]\s*/, '');
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const orderIds = await queries.ordersNamed(db, storeId, { id: asUuid(text), number, externalId: text });
  // No order has this id, so nothing is found.
  return { status, type, orderIds: orderIds.length ? orderIds : ['00000000-0000-0000-0000-000000000000'] };
}

async function withAttempts(db: Queryable, rows: readonly queries.FoundDelivery[], now: number): Promise<Found[]> {
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
