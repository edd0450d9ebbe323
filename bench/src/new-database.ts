/**
 * How fast the first orders of a new database are created: one store, 32 requests in flight, a rate for each thousand,
 * and the ratio of the first thousand to the last. With `--minutes` it goes on for that long, and `--write` draws the
 * chart of docs/performance.md.
 *
 *     npm run bench:new-database [-- postgres] [-- --orders 10000] [-- --minutes 10 --write]
 */
import { Agent, request } from 'node:http';
import { migrate } from '@store-sales/server/db/migrations/migrate';
import { temporaryDatabase } from './bench-database.ts';
import { generateStore } from './generate.ts';
import { newOrder } from './operations.ts';
import { engine, option } from './options.ts';
import { writeRateChart } from './report.ts';
import { serve } from './service.ts';

const IN_FLIGHT = 32;
const STEP = 1000;
const minutes = Number(option('minutes', '0'));
const count = Number(option('orders', minutes ? 'Infinity' : '10000'));

const database = await temporaryDatabase(engine, 'new');
const db = database.open();
await migrate(db);
const { key } = await generateStore(db, 0);
await db.close();

const service = await serve(database, {}, ['--no-dispatch']);
const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
const body = JSON.stringify(newOrder);
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

const create = () =>
  new Promise<void>((resolve, reject) => {
    request(`${service.url}/api/v1/orders`, { agent, method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 201 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
      );
    })
      .on('error', reject)
      .end(body);
  });

console.log(`\n${engine}: orders created in a second, in a new database\n\n| Orders | a second |\n|---|---|`);
const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
const rates: { untilSeconds: number; perSecond: number }[] = [];
let sent = 0;
let created = 0;

function noteStep() {
  const untilSeconds = seconds();
  const perSecond = STEP / (untilSeconds - (rates.at(-1)?.untilSeconds ?? 0));
  rates.push({ untilSeconds, perSecond });
  console.log(`| ${created - STEP} to ${created} | ${perSecond.toFixed(0)} |`);
}

async function createOrders() {
  while (sent < count && !(minutes && seconds() > minutes * 60)) {
    sent++;
    await create();
    if (++created % STEP === 0) noteStep();
  }
}
await Promise.all(Array.from({ length: IN_FLIGHT }, createOrders));

const [first, last] = [rates[0]?.perSecond ?? 0, rates.at(-1)?.perSecond ?? 0];
console.log(`\nfirst thousand to last: ${(first / last).toFixed(2)}`);
if (process.argv.includes('--write')) writeRateChart(engine, rates);
agent.destroy();
await service.stop();
await database.remove();
