/**
 * Deliveries a second beside the bare HTTP client's to the same HTTPS receiver, the two taking turns, and the time from
 * a change to the arrival of its event: idle, and at 200 orders a second. `npm run bench:webhooks [-- postgres]`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@store-sales/server/config';
import { sql } from '@store-sales/server/db/sql';
import { servicesFor } from '@store-sales/server/services';
import { addEndpoint } from '@store-sales/server/webhooks/endpoints/endpoints';
import { pino } from 'pino';
import { child } from './child.ts';
import { option } from './options.ts';
import { placeFor, storeWith } from './place.ts';
import type { Posting } from './programs/bare-client.ts';
import type { Load, Loaded } from './programs/load.ts';
import type { Received } from './programs/receiver.ts';
import { stopwatch } from './programs/stopwatch.ts';
import { serve } from './service.ts';
import { creation } from './work.ts';

const ROUNDS = Number(option('rounds', '3'));
const EVENTS = 5000;
/** Of each event: enough for a drain to last as long as the bare client's turn. */
const COPIES = 4;
const DELIVERIES = EVENTS * COPIES;
const CONNECTIONS = 32;
const place = placeFor(process.argv.includes('postgres') ? 'postgres' : 'sqlite');
const store = await storeWith(place, 10_000);

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
const trusting = { NODE_EXTRA_CA_CERTS: RECEIVER_CERTIFICATE, WEBHOOK_ALLOW_INTERNAL: 'true' };
const receiver = child<'look' | 'forget', Received>('receiver', { RECEIVER_CERTIFICATE, RECEIVER_KEY });
const url = `https://127.0.0.1:${(await receiver.ask('forget')).port}/`;

const db = place.open();
const services = servicesFor(readConfig({ ...place.env, ...trusting }), db, pino({ level: 'silent' }));
const { id: endpointId } = await addEndpoint(services, store.storeId, { url, events: ['order.created'] });
const service = await serve(place, trusting);
const bare = child<Posting, number>('bare-client', trusting);
const load = child<Load, Loaded>('load');

/** So many at once, for events that are there already: the clock runs from the first arrivals to the last. */
async function drained(): Promise<number> {
  await receiver.ask('forget');
  const now = Date.now();
  await db.run(
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, created_at)
        select e.store_id, ${db.dialect.uuid(sql`e.created_at`)}, ${endpointId}, e.id, 'pending', cast(${now} as bigint),
               e.created_at
        from (select * from events where store_id = ${store.storeId} and type = 'order.created'
              order by id desc limit ${EVENTS}) e
        cross join ${db.dialect.records(
          'copy',
          { number: 'integer' },
          Array.from({ length: COPIES }, (_, number) => ({ number })),
        )}`,
  );
  let taken: (() => number) | undefined;
  for (let before = 0; ; await sleep(20)) {
    const { count } = await receiver.ask('look');
    if (count >= DELIVERIES) return (count - before) / (taken?.() ?? 0);
    if (taken || !count) continue;
    taken = stopwatch();
    before = count;
  }
}

async function delays(pace: number, seconds: number): Promise<Received> {
  await sleep(1500);
  await receiver.ask('forget');
  const { port } = new URL(service.url);
  const made = await load.ask({
    port: Number(port),
    connections: CONNECTIONS,
    requests: [creation(store.key)],
    seconds,
    pace,
  });
  if (made.failures) throw new Error(`${made.failures} orders were refused`);
  await sleep(2000);
  return receiver.ask('forget');
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number;
// Warm connections; idle before busy, whose writes the engine is putting in order for a while after.
await delays(20, 5);
const idle = await delays(20, 10);
const busy = await delays(200, 10);
// The events that are delivered.
for (let made = 0; made < EVENTS; ) made += (await delays(2000, 5)).count;
const rates: { ours: number; theirs: number }[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const rate = { theirs: await bare.ask({ url, connections: CONNECTIONS, seconds: 2 }), ours: await drained() };
  // The first is for both to warm up.
  if (round) rates.push(rate);
  // As autovacuum would within the minute.
  else if (place.engine === 'postgres') await db.run(sql`vacuum analyze events, deliveries, attempts`);
}

const of = (pick: (rate: (typeof rates)[number]) => number) => median(rates.map(pick));
const at = ({ ages }: Received, share: number) => ages[Math.floor((ages.length - 1) * share)];
console.log(`\n${place.engine}: webhooks to an HTTPS receiver on the same machine\n`);
console.log('| | a second | bare client | ratio |\n|---|---|---|---|');
console.log(
  `| deliveries | ${of(({ ours }) => ours).toFixed(0)} | ${of(({ theirs }) => theirs).toFixed(0)} | ${of(({ ours, theirs }) => ours / theirs).toFixed(2)} |`,
);
console.log('\n| From the change to the arrival | events | p50 ms | p99 ms |\n|---|---|---|---|');
for (const [name, seen] of Object.entries({ '20 orders a second': idle, '200 orders a second': busy }))
  console.log(`| ${name} | ${seen.count} | ${at(seen, 0.5)} | ${at(seen, 0.99)} |`);

await db.run(
  sql`update webhook_endpoints set is_active = false where store_id = ${store.storeId} and id = ${endpointId}`,
);
for (const each of [receiver, bare, load]) each.stop();
await service.stop();
await db.close();
rmSync(dir, { recursive: true, force: true });
