import { iso } from '../../instant.ts';
import { Refusal } from '../../refusal.ts';
import type { Services } from '../../services.ts';
import { type DeliveryStatus, deliveryStatuses } from '../dispatch/outcome.ts';
import { findEndpoint } from '../endpoints/endpoints.ts';
import type { NoticeKind } from '../endpoints/switch-off.ts';
import * as queries from './log.queries.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

export interface LoggedAttempt {
  at: string;
  responseStatus: number | null;
  durationMs: number;
  /** Failure text; null after a success. */
  error: string | null;
  /** The first 4 KiB. */
  responseBody: string;
}

export interface LoggedDelivery {
  id: string;
  eventId: string;
  eventType: string;
  orderId: string | null;
  status: DeliveryStatus;
  /** Null if no attempt is scheduled, or while one is in flight. */
  nextAttemptAt: string | null;
  createdAt: string;
  attempts: LoggedAttempt[];
}

export interface LogQuery {
  status?: string | undefined;
  /** 100 by default. */
  limit?: number;
  /** The last delivery of the previous page. */
  before?: Pick<LoggedDelivery, 'id' | 'createdAt'>;
}

/** The deliveries of an endpoint, newest first; the attempts of each oldest first. */
export async function deliveryLog(
  services: Services,
  endpointId: string,
  { status, limit = 100, before }: LogQuery = {},
): Promise<LoggedDelivery[]> {
  const { db, now } = services;
  const endpoint = await findEndpoint(services, endpointId);
  const rows = await queries.deliveriesOf(
    db,
    { storeId: endpoint.storeId, endpointId: endpoint.id },
    { status: checkedStatus(status), limit, before: before && [Date.parse(before.createdAt), before.id] },
  );
  const attempts = new Map<string, LoggedAttempt[]>(rows.map(({ id }) => [id, []]));
  for (const row of await queries.attemptsOf(db, rows)) attempts.get(row.delivery_id)?.push(attemptView(row));
  return rows.map((row) => ({
    id: row.id,
    eventId: row.event_id,
    eventType: row.type,
    orderId: row.order_id,
    status: row.status,
    nextAttemptAt: row.next_attempt_at === null || (row.leased_until_at ?? 0) > now() ? null : iso(row.next_attempt_at),
    createdAt: iso(row.created_at),
    attempts: attempts.get(row.id) ?? [],
  }));
}

export interface EndpointHealth {
  attempts: number;
  /** From 0 to 1; null when nothing was sent. */
  successShare: number | null;
  averageMs: number | null;
  slowestMs: number | null;
}

/** Figures of the last 24 hours, with a precision of an hour. */
export async function endpointHealth(services: Services, endpointId: string): Promise<EndpointHealth> {
  const { id, storeId } = await findEndpoint(services, endpointId);
  const figures = await queries.healthOf(services.db, id, storeId, services.now() - DAY - HOUR);
  const attempts = Number(figures?.attempts ?? 0);
  if (!figures || !attempts) return { attempts: 0, successShare: null, averageMs: null, slowestMs: null };
  return {
    attempts,
    successShare: Number(figures.successes) / attempts,
    averageMs: Math.round(Number(figures.total_ms) / attempts),
    slowestMs: Number(figures.slowest_ms),
  };
}

export interface Notice {
  kind: NoticeKind;
  /** Consecutive failures at that time. */
  failures: number;
  at: string;
}

/** Warnings, switch-offs and switch-ons of an endpoint, newest first. */
export async function endpointNotices(services: Services, endpointId: string): Promise<Notice[]> {
  const { id, storeId } = await findEndpoint(services, endpointId);
  const rows = await queries.noticesOf(services.db, id, storeId);
  return rows.map(({ kind, failures, created_at }) => ({ kind, failures, at: iso(created_at) }));
}

function checkedStatus(text: string | undefined): DeliveryStatus | undefined {
  if (text === undefined) return undefined;
  const status = deliveryStatuses.find((known) => known === text);
  if (!status)
    throw new Refusal('invalid_parameter', `Unknown status ${text}; valid statuses: ${deliveryStatuses.join(', ')}.`);
  return status;
}

const attemptView = (row: queries.AttemptRow): LoggedAttempt => ({
  at: iso(row.started_at),
  responseStatus: row.response_status,
  durationMs: row.duration_ms,
  error: row.error,
  responseBody: row.response_body,
});
