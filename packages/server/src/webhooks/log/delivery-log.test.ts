import type { DeliveryFilter } from '@store-sales/contract/console';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { listDeliveries, matching, resolveFilter } from './delivery-log.ts';

const service = await startService({
  damages: 'deliveries of other types and states',
  env: { WEBHOOK_ALLOW_INTERNAL: 'true' },
});
const hooks = webhooksOf(service);
const { db, clock, services } = service;

const [SEARCHED, OTHER] = ['order.payment_status_changed', 'order.status_changed'] as const;
const { storeId, id: endpointId } = await hooks.endpoint('https://127.0.0.1:9/');
const endpoint = { storeId, endpointId };
// Every fifth delivery has the type searched for and is not touched by the writers.
for (let index = 0; index < 12; index++) {
  await hooks.record(storeId, 1, SEARCHED);
  clock.now += 1;
  await hooks.record(storeId, 4, OTHER);
  clock.now += 1;
}
await db.run(
  sql`update deliveries set status = 'failed', next_attempt_at = null, settled_at = ${clock.now}
      where endpoint_id = ${endpointId}`,
);
const untouched = (await hooks.log(endpointId)).filter(({ type }) => type === SEARCHED).map(({ id }) => id);
const ofOthers = sql`store_id = ${storeId} and endpoint_id = ${endpointId} and event_id in
                     (select id from events where store_id = ${storeId} and type = ${OTHER})`;
let isPending = false;
/** Changes the status of the other deliveries so that they stop or start matching, as resending and failing do. */
async function write() {
  isPending = !isPending;
  const [status, dueAt, settledAt] = isPending ? ['pending', 1, null] : ['failed', null, clock.now];
  await db.run(
    sql`update deliveries set status = ${status}, next_attempt_at = cast(${dueAt} as bigint),
               settled_at = cast(${settledAt} as bigint) where ${ofOthers}`,
  );
}

/** The same database with a writer that commits before every statement: the worst case of a busy endpoint. */
const busy: Database = {
  ...db,
  all: async (query) => {
    await write();
    return db.all(query);
  },
  one: async (query) => {
    await write();
    return db.one(query);
  },
};

const filters = fc.constantFrom<DeliveryFilter>(
  {},
  { status: 'failed' },
  { type: SEARCHED },
  { status: 'failed', type: SEARCHED },
);
const size = fc.integer({ min: 2, max: 20 });

test('paging under concurrent writes neither skips nor repeats an unchanged delivery', async () => {
  await fc.assert(
    fc.asyncProperty(filters, size, size, async (filter, limit, maxExamined) => {
      const seen: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const options = { cursor, limit, maxExamined };
        const { deliveries, nextCursor } = await listDeliveries({ ...services, db: busy }, endpoint, filter, options);
        seen.push(...deliveries.filter(({ type }) => type === SEARCHED).map(({ id }) => id));
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      expect(seen).toEqual(untouched);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('iterating over all matching deliveries neither skips nor repeats one', async () => {
  await fc.assert(
    fc.asyncProperty(filters, size, async (filter, batchSize) => {
      const criteria = await resolveFilter(db, storeId, filter);
      const seen: string[] = [];
      for await (const rows of matching(busy, endpoint, criteria, batchSize))
        seen.push(...rows.filter(({ type }) => type === SEARCHED).map(({ id }) => id));
      expect(seen).toEqual(untouched);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('the log continues after a page whose last delivery has been pruned', async () => {
  const { storeId, id } = await hooks.endpoint('https://127.0.0.1:9/');
  await hooks.record(storeId, 3);
  const endpoint = { storeId, endpointId: id };
  const [, second, third] = await hooks.log(id);
  const { nextCursor } = await listDeliveries(services, endpoint, {}, { limit: 2 });
  await db.run(sql`delete from deliveries where store_id = ${storeId} and id = ${second?.id}`);
  const next = await listDeliveries(services, endpoint, {}, { cursor: nextCursor as string });
  expect(next).toEqual({ deliveries: [third], nextCursor: null });
});
