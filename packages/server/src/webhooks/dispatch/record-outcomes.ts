import type { Transaction } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import { addNotice, switchOff } from '../endpoints/switch-off.ts';
import type { Answer } from './exchange.ts';
import { isOwnFailure } from './failures.ts';
import { type EndpointState, type Rules, settle } from './outcome.ts';
import * as queries from './record-outcomes.queries.ts';

const HOUR = 3_600_000;

/** An attempt that is over, with all that is needed to settle it. */
export interface Ended {
  storeId: string;
  endpointId: string;
  deliveryId: string;
  /** Until when the delivery was taken; by this we know it again as ours. */
  lease: number;
  startedAt: number;
  endedAt: number;
  answer: Answer;
}

/** Settles a batch of attempts in a handful of statements, however many there are. */
export async function recordOutcomes(tx: Transaction, batch: readonly Ended[], rules: Rules) {
  const refs = new Map(batch.map((e) => [e.endpointId, { store_id: e.storeId, id: e.endpointId }]));
  const [rows, delivered, failed] = await Promise.all([
    queries.lockEndpoints(tx, [...refs.values()]),
    queries.endDelivered(
      tx,
      batch.filter(isSuccess).map((ended) => ({ ...leaseOf(ended), at: ended.endedAt })),
    ),
    queries.findDeliveries(tx, batch.filter((ended) => !isSuccess(ended)).map(leaseOf)),
  ]);
  const endpoints = new Map(rows.map((row) => [row.id, row]));
  const deliveries = new Map([...delivered, ...failed].map((row) => [row.id, row]));
  const states = new Map<string, EndpointState>();
  const settled: queries.RecordedDelivery[] = [];
  const noticed: { ended: Ended; kind: 'warning' | 'disabled'; failures: number }[] = [];

  for (const ended of batch) {
    const row = endpoints.get(ended.endpointId);
    const delivery = deliveries.get(ended.deliveryId);
    // Taken over by another after our lease ran out: theirs to settle. The attempt is logged all the same.
    if (!row || !delivery) continue;
    const result = settle(
      { status: delivery.status, attempts: delivery.attempt_count, nextAttemptAt: delivery.next_attempt_at },
      states.get(row.id) ?? stateOf(row),
      { at: ended.endedAt, isSuccess: isSuccess(ended), isOwnFailure: isOwnFailure(ended.answer.error) },
      rules,
    );
    states.set(row.id, result.endpoint);
    if (result.notice) noticed.push({ ended, kind: result.notice, failures: result.endpoint.failures });
    if (isSuccess(ended)) continue;
    const { status, attempts, nextAttemptAt } = result.delivery;
    settled.push({
      ...leaseOf(ended),
      status,
      attempts,
      next_at: nextAttemptAt,
      settled_at: status === 'pending' ? null : ended.endedAt,
    });
  }

  if (settled.length) queries.updateDeliveries(tx, settled);
  queries.insertAttempts(tx, batch.map(attemptRow));
  queries.addToHours(tx, hoursOf(batch));
  const changed = [...states].flatMap(([id, state]) => {
    const row = endpoints.get(id) as queries.EndpointFigures;
    // After a success within the batch the count may be the same again, with a later first failure.
    if (row.consecutive_failures === state.failures && row.failing_since_at === state.failingSince) return [];
    return [{ store_id: row.store_id, id, failures: state.failures, failing_since_at: state.failingSince }];
  });
  if (changed.length) queries.updateEndpoints(tx, changed);
  for (const { ended, kind, failures } of noticed) {
    const { storeId, endpointId, endedAt } = ended;
    if (kind === 'disabled') await switchOff(tx, storeId, endpointId, 'failures', endedAt);
    else await addNotice(tx, storeId, endpointId, kind, failures, endedAt);
  }
}

const isSuccess = ({ answer }: Ended) => answer.error === null;

const leaseOf = ({ storeId, deliveryId, lease }: Ended) => ({ store_id: storeId, id: deliveryId, lease });

const stateOf = (row: queries.EndpointFigures): EndpointState => ({
  isActive: row.is_active,
  failures: row.consecutive_failures,
  failingSince: row.failing_since_at,
});

const attemptRow = ({ storeId, deliveryId, startedAt, answer }: Ended): queries.AttemptRow => ({
  store_id: storeId,
  delivery_id: deliveryId,
  id: uuid(startedAt),
  started_at: startedAt,
  duration_ms: answer.durationMs,
  response_status: answer.responseStatus,
  error: answer.error,
  response_body: answer.responseBody,
});

/** The batch summed up by endpoint and hour. */
function hoursOf(batch: readonly Ended[]): queries.HourRow[] {
  const hours = new Map<string, queries.HourRow>();
  for (const { storeId, endpointId, endedAt, answer } of batch) {
    const hourAt = endedAt - (endedAt % HOUR);
    const key = `${endpointId} ${hourAt}`;
    const row = hours.get(key) ?? {
      store_id: storeId,
      endpoint_id: endpointId,
      hour_at: hourAt,
      attempts: 0,
      successes: 0,
      total_ms: 0,
      slowest_ms: 0,
    };
    row.attempts++;
    row.successes += answer.error === null ? 1 : 0;
    row.total_ms += answer.durationMs;
    row.slowest_ms = Math.max(row.slowest_ms, answer.durationMs);
    hours.set(key, row);
  }
  return [...hours.values()];
}
