import { eventTypes } from '@store-sales/contract';
import type { AttemptError } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import type { Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { type SecretKeys, sealer } from '../secrets.ts';
import { HOUR, MINUTE } from '../time/duration.ts';
import { recordEndpointHistory } from '../webhooks/endpoints/endpoint-history.ts';
import { newSecret } from '../webhooks/endpoints/rotate-secret.ts';
import * as queries from './demo.queries.ts';
import type { Random } from './random.ts';

/** Reserved for examples; the endpoint is disabled as well, so that the demo sends no request. */
const URL = 'https://example.com/webhooks/tea-house';

/** The latest events have deliveries in the log. */
const LOGGED_EVENTS = 80;
/** The latest of them came after the endpoint was disabled; those before were waiting for a retry. */
const SKIPPED = 4;
const STOPPED = 3;
const FAILED = 2;

/** When the attempts of a delivery start if all fail; the last one ends it. */
const RETRY_DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];

interface Attempt {
  at: number;
  durationMs: number;
  status: number | null;
  error: AttemptError | null;
  body: string;
}

interface LoggedDelivery {
  event: queries.DemoEvent;
  status: 'delivered' | 'failed' | 'stopped' | 'skipped';
  settledAt: number;
  attempts: Attempt[];
}

/** A disabled endpoint with a log, as if it had received the latest events. */
export async function addWebhookLog(
  tx: Transaction,
  storeId: string,
  { random, secretKeys, actor }: { random: Random; secretKeys: SecretKeys; actor: Actor },
) {
  const types = Object.keys(eventTypes);
  const events = await queries.latestEvents(tx, storeId, types, LOGGED_EVENTS);
  const deliveries = planLog(random, events);
  const [firstSkipped, oldest] = [events[SKIPPED - 1], events.at(-1)];
  if (!firstSkipped || !oldest) return;
  const createdAt = oldest.created_at - MINUTE;
  const disabledAt = firstSkipped.created_at;
  const id = uuid(createdAt);
  const failures = failuresInARow(deliveries);
  await queries.insertEndpoint(tx, {
    storeId,
    id,
    url: URL,
    subscribedSeq: oldest.seq - 1,
    events: types.join(' '),
    secret: sealer(secretKeys).seal(newSecret()),
    createdAt,
    disabledAt,
    failures: failures.length,
    failingSince: failures[0]?.at ?? null,
  });
  await queries.insertDeliveries(tx, storeId, id, deliveries);
  await queries.insertHours(
    tx,
    storeId,
    id,
    deliveries.flatMap(({ attempts }) => attempts),
  );
  const endpoint = { store_id: storeId, id, url: URL };
  await recordEndpointHistory(tx, endpoint, 'created', actor, createdAt, { events: types });
  await recordEndpointHistory(tx, endpoint, 'disabled', actor, disabledAt);
}

/** `events` are newest first. */
function planLog(random: Random, events: readonly queries.DemoEvent[]): LoggedDelivery[] {
  const disabledAt = events[SKIPPED - 1]?.created_at ?? 0;
  const retried = RETRY_DELAYS.reduce((sum, delay) => sum + delay, HOUR);
  let failed = 0;
  return events.map((event, index) => {
    const at = event.created_at;
    if (index < SKIPPED) return { event, status: 'skipped', settledAt: at, attempts: [] };
    const first = at + random.between(40, 400);
    if (index < SKIPPED + STOPPED)
      return { event, status: 'stopped', settledAt: disabledAt, attempts: failedAttempts(random, first, disabledAt) };
    if (failed < FAILED && at + retried < disabledAt) {
      failed++;
      const attempts = failedAttempts(random, first, disabledAt);
      return { event, status: 'failed', settledAt: endOf(attempts, at), attempts };
    }
    const attempts = random.boolean(0.1) ? [failure(random, first)] : [];
    attempts.push(success(random, attempts.length ? endOf(attempts, at) + MINUTE : first));
    return { event, status: 'delivered', settledAt: endOf(attempts, at), attempts };
  });
}

const endOf = (attempts: readonly Attempt[], otherwise: number) => {
  const last = attempts.at(-1);
  return last ? last.at + last.durationMs : otherwise;
};

/** All attempts of the schedule that end before a time. */
function failedAttempts(random: Random, first: number, before: number): Attempt[] {
  const attempts: Attempt[] = [];
  let at = first;
  for (const delay of [...RETRY_DELAYS, 0]) {
    const attempt = failure(random, at);
    if (endOf([attempt], at) > before) break;
    attempts.push(attempt);
    at = endOf([attempt], at) + delay;
  }
  return attempts;
}

const success = (random: Random, at: number): Attempt => {
  return { at, durationMs: random.between(60, 420), status: 200, error: null, body: '{"ok":true}' };
};

const failure = (random: Random, at: number): Attempt =>
  random.boolean(0.3)
    ? { at, durationMs: 10_000, status: null, error: 'timeout', body: '' }
    : { at, durationMs: random.between(30, 200), status: 503, error: 'http_status', body: 'Service Unavailable' };

/** The failed attempts since the last success. */
function failuresInARow(deliveries: readonly LoggedDelivery[]): Attempt[] {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts).sort((a, b) => a.at - b.at);
  return attempts.slice(attempts.findLastIndex(({ error }) => !error) + 1);
}
