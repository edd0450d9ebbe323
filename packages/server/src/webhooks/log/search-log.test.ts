import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { deliveryLog, type LoggedDelivery } from './log.ts';
import { type LogFilter, matching, resolved, searchLog } from './search-log.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { db, clock, services } = service;

const [WANTED, OTHER] = ['order.payment_status_changed', 'order.status_changed'] as const;
const { storeId, id: endpointId } = await hooks.endpoint('https://127.0.0.1:9/');
const place = { storeId, endpointId };
// Every fifth delivery is of the wanted type and is left alone by the writers; the rest are theirs.
for (let index = 0; index < 12; index++) {
  await hooks.record(storeId, 1, WANTED);
  clock.now += 1;
  await hooks.record(storeId, 4, OTHER);
  clock.now += 1;
}
await db.run(
  sql`update deliveries set status = 'failed', next_attempt_at = null, settled_at = ${clock.now}
      where endpoint_id = ${endpointId}`,
);
const untouched = (await deliveryLog(services, endpointId, { limit: 1000 }))
  .filter(({ eventType }) => eventType === WANTED)
  .map(({ id }) => id);
const ofOthers = sql`store_id = ${storeId} and endpoint_id = ${endpointId} and event_id in
                     (select id from events where store_id = ${storeId} and type = ${OTHER})`;
let isPending = false;
/** Takes the others out of the filter by status, or puts them back, as resending and failing do. */
async function write() {
  isPending = !isPending;
  const [status, dueAt, settledAt] = isPending ? ['pending', 1, null] : ['failed', null, clock.now];
  await db.run(
    sql`update deliveries set status = ${status}, next_attempt_at = cast(${dueAt} as bigint),
               settled_at = cast(${settledAt} as bigint) where ${ofOthers}`,
  );
}

/** The same database with a writer that commits before every statement: the worst that a busy endpoint can do. */
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

const filters = fc.constantFrom<LogFilter>(
  {},
  { status: 'failed' },
  { type: WANTED },
  { status: 'failed', type: WANTED },
);
const size = fc.integer({ min: 2, max: 20 });

test('paging under writers neither skips nor repeats a delivery that nobody touches', async () => {
  await fc.assert(
    fc.asyncProperty(filters, size, size, async (filter, limit, reach) => {
      const seen: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const options = { cursor, limit, reach };
        const { found, nextCursor } = await searchLog({ ...services, db: busy }, place, filter, options);
        seen.push(...found.filter(({ type }) => type === WANTED).map(({ id }) => id));
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      expect(seen).toEqual(untouched);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('so does the walk through everything that matches', async () => {
  await fc.assert(
    fc.asyncProperty(filters, size, async (filter, block) => {
      const wanted = await resolved(db, storeId, filter);
      const seen: string[] = [];
      for await (const rows of matching(busy, place, wanted, block))
        seen.push(...rows.filter(({ type }) => type === WANTED).map(({ id }) => id));
      expect(seen).toEqual(untouched);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('the log of the command line goes on where a page ended, though its last delivery has been pruned', async () => {
  const { storeId, id } = await hooks.endpoint('https://127.0.0.1:9/');
  await hooks.record(storeId, 3);
  const [, second, third] = await deliveryLog(services, id);
  await db.run(sql`delete from deliveries where store_id = ${storeId} and id = ${second?.id}`);
  expect(await deliveryLog(services, id, { before: second as LoggedDelivery })).toEqual([third]);
});
