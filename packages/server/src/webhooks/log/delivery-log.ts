import { eventHeaders, standardHeaders } from '@store-sales/contract';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryPage,
  OrderDelivery,
} from '@store-sales/contract/console';
import type { Queryable } from '../../db/database.ts';
import type { CursorScope } from '../../db/lists/cursor.ts';
import { asUuid } from '../../db/uuid.ts';
import { notFound } from '../../domain-error.ts';
import type { Services } from '../../services.ts';
import { iso } from '../../time/instant.ts';
import { bodyOf } from '../outbox/body.ts';
import * as queries from './delivery-log.queries.ts';

// A receiver may respond with anything that it knows of an order.
export { eraseResponses, type ReceiverResponse, responses } from './responses.queries.ts';

/** Maximum number of deliveries that one search by event type examines. */
const MAX_EXAMINED = 5000;
const PAGE_SIZE = 50;
/** Counting stops here; the result then has `isMore`. */
const MAX_COUNTED = 10_000;

/** A page of an endpoint's deliveries, newest first; the attempts of each oldest first. */
export async function listDeliveries(
  { db, cursors, now }: Services,
  endpoint: queries.EndpointRef,
  filter: DeliveryFilter = {},
  {
    cursor,
    limit = PAGE_SIZE,
    maxExamined = MAX_EXAMINED,
  }: { cursor?: string | undefined; limit?: number; maxExamined?: number } = {},
): Promise<DeliveryPage> {
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
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const end = rows.length > limit && last ? keyOf(last) : reached;
  return { deliveries: await withAttempts(db, page, now()), nextCursor: end ? cursors.write(scope, end) : null };
}

export async function findDelivery(
  { db, now }: Services,
  endpoint: queries.EndpointRef,
  id: string,
): Promise<Delivery> {
  const uuid = asUuid(id);
  const row = uuid && (await queries.findOne(db, endpoint, uuid));
  const [delivery] = row ? await withAttempts(db, [row], now()) : [];
  if (!delivery) throw notFound('delivery');
  return delivery;
}

/** The deliveries of some events with their endpoints, by event id; oldest first. */
export async function deliveriesOfEvents(
  { db, now }: Services,
  storeId: string,
  eventIds: readonly string[],
): Promise<Map<string, OrderDelivery[]>> {
  const rows = await queries.ofEvents(db, storeId, eventIds);
  const deliveries = await withAttempts(db, rows, now());
  const byEvent = new Map<string, OrderDelivery[]>(eventIds.map((id) => [id, []]));
  for (const [index, { id, eventId, status, nextAttemptAt, attempts }] of deliveries.entries()) {
    const { url, is_active: canResend } = rows[index] as (typeof rows)[number];
    const withoutBodies = attempts.map(({ responseBody: _, ...attempt }) => attempt);
    byEvent.get(eventId)?.push({ id, url, status, nextAttemptAt, attempts: withoutBodies, canResend });
  }
  return byEvent;
}

/** Counts the matching deliveries that are not pending, and how many of them were delivered; stops at `max`. */
export async function countMatching(
  { db }: Services,
  endpoint: queries.EndpointRef,
  filter: DeliveryFilter,
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

/** Counts the deliveries an endpoint missed while it was disabled. */
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
): Promise<{ rows: queries.DeliveryRow[]; end: queries.Key | undefined }> {
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

const keyOf = ({ created_at, id }: queries.DeliveryRow): queries.Key => [created_at, id];

/** On SQLite small enough to delay other requests only a little. */
const batchSizeOf = ({ dialect }: Queryable) => Math.min(dialect.maxRowsPerStatement, MAX_EXAMINED);

/** Looks up the orders that the filter names. */
export async function resolveFilter(
  db: Queryable,
  storeId: string,
  { status, type, order }: DeliveryFilter,
): Promise<queries.Criteria> {
  if (order === undefined) return { status, type };
  const text = order.trim().replace(/^[#№]\s*/, '');
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const orderIds = await queries.ordersNamed(db, storeId, { id: asUuid(text), number, externalId: text });
  // No order has the nil UUID, so nothing is found.
  return { status, type, orderIds: orderIds.length ? orderIds : ['00000000-0000-0000-0000-000000000000'] };
}

async function withAttempts(db: Queryable, rows: readonly queries.DeliveryRow[], now: number): Promise<Delivery[]> {
  const attempts = new Map<string, DeliveryAttempt[]>(rows.map(({ id }) => [id, []]));
  const [first] = rows;
  const found = first ? await queries.attemptsOf(db, first.store_id, [...attempts.keys()]) : [];
  for (const row of found) attempts.get(row.delivery_id)?.push(attemptView(row));
  return rows.map((row) => deliveryView(row, attempts.get(row.id) ?? [], now));
}

/** `nextAttemptAt` is null if no attempt is scheduled, or while one is in flight. */
function deliveryView(row: queries.DeliveryRow, attempts: DeliveryAttempt[], now: number): Delivery {
  const isInFlight = (row.leased_until_at ?? 0) > now;
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    order: row.order_id === null ? null : { id: row.order_id, number: row.order_number },
    status: row.status,
    nextAttemptAt: row.next_attempt_at === null || isInFlight ? null : iso(row.next_attempt_at),
    createdAt: iso(row.created_at),
    request: {
      headers: {
        'Content-Type': 'application/json',
        [eventHeaders.event]: row.type,
        [eventHeaders.delivery]: row.id,
        [standardHeaders.id]: row.event_id,
      },
      body: bodyOf(row),
    },
    attempts,
  };
}

const attemptView = (row: queries.AttemptRow): DeliveryAttempt => ({
  at: iso(row.started_at),
  durationMs: row.duration_ms,
  responseStatus: row.response_status,
  error: row.error,
  responseBody: row.response_body,
});
