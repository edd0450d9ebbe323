import type { Transaction } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import { HOUR } from '../../time/duration.ts';
import type { MailDisabled } from '../endpoints/endpoint-mails.ts';
import { addNotice, switchOff } from '../endpoints/switch-off.ts';
import type { AttemptResponse } from './exchange.ts';
import { outcomeOf } from './failures.ts';
import { applyOutcome, type EndpointState, type Rules } from './outcome.ts';
import * as queries from './record-outcomes.queries.ts';

export interface FinishedAttempt {
  storeId: string;
  endpointId: string;
  deliveryId: string;
  /** Expiry of the lease; identifies the claim, since another dispatcher's lease has a different one. */
  lease: number;
  startedAt: number;
  endedAt: number;
  response: AttemptResponse;
}

/** Records a batch of attempts in a fixed number of statements. */
export async function recordOutcomes(
  tx: Transaction,
  batch: readonly FinishedAttempt[],
  rules: Rules,
  mailDisabled?: MailDisabled,
) {
  const refs = new Map(batch.map((each) => [each.endpointId, { store_id: each.storeId, id: each.endpointId }]));
  const succeeded = batch.filter(isSuccess).map((attempt) => ({ ...leaseOf(attempt), at: attempt.endedAt }));
  const failedLeases = batch.filter((attempt) => !isSuccess(attempt)).map(leaseOf);
  const [rows, delivered, failed] = await Promise.all([
    queries.lockEndpoints(tx, [...refs.values()]),
    succeeded.length ? queries.markDelivered(tx, succeeded) : [],
    failedLeases.length ? queries.findDeliveries(tx, failedLeases) : [],
  ]);
  const endpoints = new Map(rows.map((row) => [row.id, row]));
  const deliveries = new Map([...delivered, ...failed].map((row) => [row.id, row]));
  const states = new Map<string, EndpointState>();
  const updated: queries.RecordedDelivery[] = [];
  const notices: { attempt: FinishedAttempt; kind: 'warning' | 'disabled'; failures: number }[] = [];

  for (const attempt of batch) {
    const row = endpoints.get(attempt.endpointId);
    const delivery = deliveries.get(attempt.deliveryId);
    // Our lease expired and another dispatcher claimed the delivery: only the attempt is logged.
    if (!row || !delivery) continue;
    const result = applyOutcome(
      { status: delivery.status, attempts: delivery.attempt_count, nextAttemptAt: delivery.next_attempt_at },
      states.get(row.id) ?? stateOf(row),
      { kind: outcomeOf(attempt.response.error), at: attempt.endedAt },
      rules,
    );
    states.set(row.id, result.endpoint);
    if (result.notice) notices.push({ attempt, kind: result.notice, failures: result.endpoint.failures });
    if (isSuccess(attempt)) continue;
    const { status, attempts, nextAttemptAt } = result.delivery;
    updated.push({
      ...leaseOf(attempt),
      status,
      attempts,
      next_at: nextAttemptAt,
      settled_at: status === 'pending' ? null : attempt.endedAt,
    });
  }

  // An endpoint may have been deleted meanwhile, and nothing is recorded for it.
  const recorded = batch.filter(({ endpointId }) => endpoints.has(endpointId));
  const changed = [...states].flatMap(([id, state]) => {
    const row = endpoints.get(id) as queries.EndpointFigures;
    // Compare both: after a success within the batch the count may be equal with a later first failure.
    if (row.consecutive_failures === state.failures && row.failing_since_at === state.failingSince) return [];
    return [{ store_id: row.store_id, id, failures: state.failures, failing_since_at: state.failingSince }];
  });
  await Promise.all([
    updated.length && queries.updateDeliveries(tx, updated),
    recorded.length && queries.addToHours(tx, hoursOf(recorded)),
    recorded.length && queries.insertAttempts(tx, recorded.map(attemptRow)),
    changed.length && queries.updateEndpoints(tx, changed),
  ]);
  for (const { attempt, kind, failures } of notices) {
    const { storeId, endpointId, endedAt } = attempt;
    if (kind === 'disabled') {
      await switchOff(tx, storeId, endpointId, 'failures', endedAt);
      await mailDisabled?.(tx, storeId, endpointId, endedAt);
    } else await addNotice(tx, storeId, endpointId, kind, failures, endedAt);
  }
}

const isSuccess = ({ response }: FinishedAttempt) => response.error === null;

const leaseOf = ({ storeId, deliveryId, lease }: FinishedAttempt) => ({ store_id: storeId, id: deliveryId, lease });

const stateOf = (row: queries.EndpointFigures): EndpointState => ({
  isActive: row.is_active,
  failures: row.consecutive_failures,
  failingSince: row.failing_since_at,
});

const attemptRow = ({ storeId, deliveryId, startedAt, response }: FinishedAttempt): queries.AttemptRow => ({
  store_id: storeId,
  delivery_id: deliveryId,
  id: uuid(startedAt),
  started_at: startedAt,
  duration_ms: response.durationMs,
  response_status: response.responseStatus,
  error: response.error,
  response_body: response.responseBody,
});

/** Sums of the batch per endpoint and hour. */
function hoursOf(batch: readonly FinishedAttempt[]): queries.HourRow[] {
  const hours = new Map<string, queries.HourRow>();
  for (const { storeId, endpointId, endedAt, response } of batch) {
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
    row.successes += response.error === null ? 1 : 0;
    row.total_ms += response.durationMs;
    row.slowest_ms = Math.max(row.slowest_ms, response.durationMs);
    hours.set(key, row);
  }
  return [...hours.values()];
}
