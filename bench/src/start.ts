/**
 * How long a process takes from its start until `/readyz` responds with 200, and its memory after 15 s without requests, in an
 * existing database. Medians and ranges. `npm run bench:start [-- postgres] [--rounds 5]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@store-sales/server/db/migrations/migrate';
import { temporaryDatabase } from './bench-database.ts';
import { memoryMb } from './child.ts';
import { engine, option } from './options.ts';
import { serve } from './service.ts';
import { median } from './stats.ts';

const ROUNDS = Number(option('rounds', '5'));
const IDLE_MS = 15_000;

const database = await temporaryDatabase(engine, 'start');
const db = database.open();
await migrate(db);
await db.close();

const seconds: number[] = [];
const megabytes: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const startedAt = performance.now();
  const service = await serve(database);
  const { status } = await fetch(`${service.url}/readyz`);
  if (status !== 200) throw new Error(`/readyz: ${status}`);
  seconds.push((performance.now() - startedAt) / 1000);
  await sleep(IDLE_MS);
  megabytes.push(memoryMb(service.pid));
  await service.stop();
}
await database.remove();

const row = (name: string, values: number[], digits: number) =>
  `| ${name} | ${[median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits)).join(' | ')} |`;
console.log(`\n${engine}: ${ROUNDS} starts\n\n| | median | least | most |\n|---|---|---|---|`);
console.log(row('ready, s', seconds, 2));
console.log(row('memory, MB', megabytes, 0));
