import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';
import { HOUR, MINUTE } from '../../time/duration.ts';
import { endpointNotices, findEndpoint } from '../endpoints/find-endpoints.ts';
import type { Rules } from './outcome.ts';
import { type FinishedAttempt, recordOutcomes } from './record-outcomes.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { clock, db, services } = service;

const LEASE = clock.now + HOUR;
const owner = await service.owner();

interface Outcome {
  at: number;
  status: number;
}

/** An endpoint, and one claimed delivery for each outcome. */
async function claimed(outcomes: readonly Outcome[], failing: { failures: number; since: number | null }) {
  const { id: storeId } = await service.store({ ownerId: owner.id });
  const { id } = await hooks.endpoint('http://127.0.0.1:9/', { storeId });
  await hooks.record(storeId, outcomes.length);
  await db.run(
    sql`update deliveries set leased_until_at = ${LEASE} where store_id = ${storeId} and endpoint_id = ${id}`,
  );
  await db.run(
    sql`update webhook_endpoints set consecutive_failures = ${failing.failures}, failing_since_at = ${failing.since}
        where store_id = ${storeId} and id = ${id}`,
  );
  const deliveries = (await hooks.log(id)).reverse();
  const batch = outcomes.map(
    ({ at, status }, index): FinishedAttempt => ({
      storeId,
      endpointId: id,
      deliveryId: deliveries[index]?.id as string,
      lease: LEASE,
      startedAt: at,
      endedAt: at,
      response: {
        responseStatus: status,
        error: status === 200 ? null : 'http_status',
        responseBody: '',
        durationMs: 1,
      },
    }),
  );
  return { storeId, id, batch };
}

const recordAll = (batch: readonly FinishedAttempt[], rules: Rules) =>
  db.transaction((tx) => recordOutcomes(tx, batch, rules));

/** The resulting state of the endpoint, its notices and its deliveries. */
async function stateOf({ id }: { id: string }) {
  const { isActive, consecutiveFailures, failingSince, disabledReason, disabledAt } = await findEndpoint(services, id);
  const deliveries = (await hooks.log(id)).map(({ status, nextAttemptAt }) => [status, nextAttemptAt]);
  const notices = (await endpointNotices(services, id)).map(({ kind, failures, at }) => [kind, failures, at]);
  return { isActive, consecutiveFailures, failingSince, disabledReason, disabledAt, deliveries, notices };
}

const rules: Rules = { retryDelays: [MINUTE], disableFailures: 50, disableAfter: 24 * HOUR };

test('after a success, failures count from the first one after it, even if their number is the same as before', async () => {
  const start = clock.now;
  const { id, batch } = await claimed(
    [
      { at: start + 1, status: 200 },
      { at: start + 2, status: 500 },
    ],
    { failures: 1, since: start - 48 * HOUR },
  );
  await recordAll(batch, rules);
  expect(await findEndpoint(services, id)).toMatchObject({ consecutiveFailures: 1, failingSince: start + 2 });
});

test('outcomes applied in one batch, in several, or one by one leave the same state', async () => {
  const outcome = fc.record({ wait: fc.integer({ min: 0, max: 2 * HOUR }), status: fc.constantFrom(200, 500, 500) });
  const given = fc.record({
    retryDelays: fc.constantFrom<number[]>([], [MINUTE]),
    disableFailures: fc.integer({ min: 1, max: 5 }),
    disableAfter: fc.integer({ min: 0, max: 3 * HOUR }),
  });
  const property = fc.asyncProperty(
    fc.array(outcome, { minLength: 1, maxLength: 8 }),
    given,
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 1, max: 9 }),
    async (steps, rules, failures, size) => {
      let at = clock.now;
      const outcomes = steps.map(({ wait, status }) => {
        at += wait;
        return { at, status };
      });
      const failing = { failures, since: failures ? clock.now - HOUR : null };
      const states: unknown[] = [];
      for (const batchSize of [steps.length, size, 1]) {
        const endpoint = await claimed(outcomes, failing);
        for (let start = 0; start < steps.length; start += batchSize)
          await recordAll(endpoint.batch.slice(start, start + batchSize), rules);
        states.push(await stateOf(endpoint));
      }
      expect(states[0]).toEqual(states[2]);
      expect(states[1]).toEqual(states[2]);
    },
  );
  await fc.assert(property, { numRuns: 20 });
});
