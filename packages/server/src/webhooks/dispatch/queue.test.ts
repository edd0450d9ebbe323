import { expect, test } from 'vitest';
import { isCitus } from '../../../test/database.ts';
import { planOf } from '../../../test/plan.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { empty, sql } from '../../db/sql.ts';
import { pendingStatement } from '../endpoints/switch-off.queries.ts';
import { dueStatement, nextScheduledStatement, scheduledStatement, waitingStatement } from './queue.queries.ts';

const service = await startService({ damages: 'copies of one delivery', env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { db, clock } = service;

/** Inserts `count` deliveries of one event directly into the table. */
async function insertDeliveries(storeId: string, endpointId: string, status: string, count: number) {
  const numbers = Array.from({ length: count }, (_, number) => ({ number }));
  const [dueAt, settledAt] = status === 'pending' ? [clock.now, null] : [null, clock.now];
  await db.run(
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, settled_at, created_at)
        select e.store_id, ${db.dialect.uuid(sql`e.created_at`, sql`e.id || ${endpointId + status} || copy.number`)}, ${endpointId}, e.id, ${status},
               cast(${dueAt} as bigint), cast(${settledAt} as bigint), e.created_at
        from (select * from events where store_id = ${storeId} limit 1) e
        cross join ${db.dialect.records('copy', { number: 'integer' }, numbers)}`,
  );
}

test.skipIf(isCitus)('retries that wait for their time are not read', async () => {
  const { storeId, id } = await hooks.endpoint('https://127.0.0.1:9/later');
  await hooks.record(storeId);
  await insertDeliveries(storeId, id, 'pending', 2000);
  await db.run(
    sql`update deliveries set is_scheduled = ${true}, next_attempt_at = ${clock.now + 3_600_000}
        where endpoint_id = ${id} and status = 'pending'`,
  );
  if (db.dialect.engine === 'postgres') await db.run(sql`vacuum analyze deliveries`);
  const plans = await Promise.all(
    [
      waitingStatement(clock.now),
      nextScheduledStatement(() => empty),
      scheduledStatement(db.dialect, clock.now, 500),
    ].map((statement) => planOf(db, statement)),
  );
  expect(plans[0]).toMatch(/deliveries_queue.*is_scheduled ?=/s);
  for (const plan of plans.slice(1)) {
    expect(plan).toContain('deliveries_scheduled');
    expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
  }
});

test.skipIf(isCitus)('queries for due deliveries read only the index of pending ones', async () => {
  const { storeId, id: first } = await hooks.endpoint('https://127.0.0.1:9/first');
  const { id: second } = await hooks.endpoint('https://127.0.0.1:9/second', { storeId });
  await hooks.record(storeId);
  await insertDeliveries(storeId, first, 'pending', 5000);
  await insertDeliveries(storeId, first, 'delivered', 5000);
  const isPostgres = db.dialect.engine === 'postgres';
  if (isPostgres) await db.run(sql`vacuum analyze deliveries`);
  // An endpoint unknown to the planner statistics, and a queue index that is larger than its live entries.
  await insertDeliveries(storeId, second, 'delivered', 20_000);
  await insertDeliveries(storeId, second, 'pending', 3);
  await db.run(
    sql`update deliveries set status = 'delivered', next_attempt_at = null, settled_at = ${clock.now}
        where endpoint_id = ${first} and status = 'pending'`,
  );
  if (isPostgres) await db.run(sql`vacuum deliveries`);

  for (const statement of [
    waitingStatement(clock.now),
    dueStatement(db.dialect, storeId, second, clock.now, 512),
    pendingStatement(db.dialect, storeId, second, 500),
  ]) {
    const plan = await planOf(db, statement);
    expect(plan).toMatch(/deliveries_queue/);
    expect(plan).not.toMatch(
      /deliveries_of_endpoint|deliveries_pkey|Seq Scan on deliveries|SCAN d(eliveries)?\b(?! USING)/,
    );
  }
});
