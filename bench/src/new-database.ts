/**
 * How fast the first orders of a new database are created: one store, 32 requests in flight, a rate for each thousand,
 * and the ratio of the first thousand to the last.
 *
 *     npm run bench:new-database [-- postgres] [-- --orders 10000]
 */
import { Agent, request } from 'node:http';
import { migrate } from '@store-sales/server/db/migrate';
import { separateDatabase } from './bench-database.ts';
import { generateStore } from './generate.ts';
import { newOrder } from './operations.ts';
import { engine, option } from './options.ts';
import { serve } from './service.ts';

const IN_FLIGHT = 32;
const STEP = 1000;
const count = Number(option('orders', '10000'));

const database = await separateDatabase(engine, `new_${Date.now()}`);
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

async function createMany(orders: number) {
  let left = orders;
  const worker = async () => {
    while (left-- > 0) await create();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

console.log(`\n${engine}: orders created in a second, in a new database\n\n| Orders | a second |\n|---|---|`);
const rates: number[] = [];
for (let created = 0; created < count; created += STEP) {
  const startedAt = performance.now();
  await createMany(STEP);
  const rate = (STEP * 1000) / (performance.now() - startedAt);
  rates.push(rate);
  console.log(`| ${created} to ${created + STEP} | ${rate.toFixed(0)} |`);
}
const [first = 0, last = 0] = [rates[0], rates.at(-1)];
console.log(`\nfirst thousand to last: ${(first / last).toFixed(2)}`);
agent.destroy();
await service.stop();
