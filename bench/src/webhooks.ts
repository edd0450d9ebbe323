/**
 * Deliveries per second compared with a plain HTTP client to the same HTTPS receiver, alternating, and the time from a
 * change to the arrival of its event at 20 and at 200 orders per second. `npm run bench:webhooks [-- postgres]`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@store-sales/server/config';
import { sql } from '@store-sales/server/db/sql';
import { servicesFor } from '@store-sales/server/services';
import { addEndpoint } from '@store-sales/server/webhooks/endpoints/edit-endpoints';
import { pino } from 'pino';
import { benchDatabase, storeWith } from './bench-database.ts';
import { forkProgram } from './child.ts';
import { createOrderRequest } from './operations.ts';
import { engine, option } from './options.ts';
import type { PostOptions } from './programs/baseline-client.ts';
import type { LoadOptions, LoadResult } from './programs/load.ts';
import type { Received } from './programs/receiver.ts';
import { stopwatch } from './programs/stopwatch.ts';
import { serve } from './service.ts';
import { median, percentile } from './stats.ts';

const ROUNDS = Number(option('rounds', '3'));
const EVENTS = 5000;
/** With this many deliveries per event, draining the queue takes about as long as a round of the baseline client. */
const DELIVERIES_PER_EVENT = 4;
const DELIVERIES = EVENTS * DELIVERIES_PER_EVENT;
const CONNECTIONS = 32;
const database = benchDatabase(engine);
const store = await storeWith(database, 10_000);

const dir = mkdtempSync(join(tmpdir(), 'store-sales-bench-'));
const [RECEIVER_CERTIFICATE, RECEIVER_KEY] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-keyout', RECEIVER_KEY, '-out', RECEIVER_CERTIFICATE],
  ],
  { stdio: 'ignore' },
);
const webhookEnv = { NODE_EXTRA_CA_CERTS: RECEIVER_CERTIFICATE, WEBHOOK_ALLOW_INTERNAL: 'true' };
const receiver = forkProgram<'count' | 'reset', Received>('receiver', { RECEIVER_CERTIFICATE, RECEIVER_KEY });
const url = `https://127.0.0.1:${(await receiver.call('reset')).port}/`;

const db = database.open();
const services = servicesFor(readConfig({ ...database.env, ...webhookEnv }), db, pino({ level: 'silent' }));
const { id: endpointId } = await addEndpoint(services, store.storeId, { url, events: ['order.created'] });
const service = await serve(database, webhookEnv);
const baselineClient = forkProgram<PostOptions, number>('baseline-client', webhookEnv);
const load = forkProgram<LoadOptions, LoadResult>('load');

/** Queues deliveries of existing events and returns deliveries per second, from the first arrivals to the last. */
async function drainQueue(): Promise<number> {
  await receiver.call('reset');
  const now = Date.now();
  await db.run(
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, created_at)
        select e.store_id, ${db.dialect.uuid(sql`e.created_at`, sql`e.id || ${String(now)} || copy.number`)}, ${endpointId}, e.id, 'pending', cast(${now} as bigint),
               e.created_at
        from (select * from events where store_id = ${store.storeId} and type = 'order.created'
              order by id desc limit ${EVENTS}) e
        cross join ${db.dialect.records(
          'copy',
          { number: 'integer' },
          Array.from({ length: DELIVERIES_PER_EVENT }, (_, number) => ({ number })),
        )}`,
  );
  let elapsed: (() => number) | undefined;
  for (let before = 0; ; await sleep(20)) {
    const { count } = await receiver.call('count');
    if (count >= DELIVERIES) return (count - before) / (elapsed?.() ?? 0);
    if (elapsed || !count) continue;
    elapsed = stopwatch();
    before = count;
  }
}

async function createAndReceive(ordersPerSecond: number, seconds: number): Promise<Received> {
  await sleep(1500);
  await receiver.call('reset');
  const { port } = new URL(service.url);
  const created = await load.call({
    port: Number(port),
    connections: CONNECTIONS,
    requests: [createOrderRequest(store.key)],
    seconds,
    rate: ordersPerSecond,
  });
  if (created.failures) throw new Error(`${created.failures} orders failed`);
  await sleep(2000);
  return receiver.call('reset');
}

// Warms up the connections. Idle is measured before busy: the database checkpoints for a while after many writes.
await createAndReceive(20, 5);
const idle = await createAndReceive(20, 10);
const busy = await createAndReceive(200, 10);
// Creates the events that drainQueue delivers.
for (let count = 0; count < EVENTS; ) count += (await createAndReceive(2000, 5)).count;
const rates: { service: number; baseline: number }[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const baseline = await baselineClient.call({ url, connections: CONNECTIONS, seconds: 2 });
  const rate = { baseline, service: await drainQueue() };
  // The first round is the warm-up.
  if (round) rates.push(rate);
  // Does at once what autovacuum would do within a minute.
  else if (engine === 'postgres') await db.run(sql`vacuum analyze events, deliveries, attempts`);
}

const medianOf = (pick: (rate: (typeof rates)[number]) => number) => median(rates.map(pick));
console.log(`\n${engine}: webhooks to an HTTPS receiver on the same machine\n`);
console.log('| | service/s | baseline/s | ratio |\n|---|---|---|---|');
console.log(
  `| deliveries | ${medianOf(({ service }) => service).toFixed(0)} | ${medianOf(({ baseline }) => baseline).toFixed(0)} | ${medianOf(({ service, baseline }) => service / baseline).toFixed(2)} |`,
);
console.log('\n| From the change to its arrival | events | p50 ms | p99 ms |\n|---|---|---|---|');
for (const [name, { count, delays }] of Object.entries({ '20 orders/s': idle, '200 orders/s': busy }))
  console.log(`| ${name} | ${count} | ${percentile(delays, 0.5)} | ${percentile(delays, 0.99)} |`);

await db.run(
  sql`update webhook_endpoints set is_active = false where store_id = ${store.storeId} and id = ${endpointId}`,
);
for (const child of [receiver, baselineClient, load]) child.stop();
await service.stop();
await db.close();
rmSync(dir, { recursive: true, force: true });
