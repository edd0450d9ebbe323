/**
 * What the service does in a second beside what the bare stack does on the same machine in the same run, the two
 * taking turns. `npm run bench [-- sqlite|postgres] [--write] [--full] [--orders 10000] [--only create]`
 */
import { child, memory, processorTime } from './child.ts';
import { option } from './options.ts';
import { placeFor, storeWith } from './place.ts';
import type { Loop, Work } from './programs/bare-engine.ts';
import type { Sample } from './programs/bare-http.ts';
import type { Load, Loaded } from './programs/load.ts';
import { type Figure, publish, table } from './report.ts';
import { serve } from './service.ts';
import { type Operation, prepareWork } from './work.ts';

const CONNECTIONS = 32;
/** A service runs for days: its first thousands of requests, while the compiler is at work, are not what it costs. */
const WARM_UP_SECONDS = 3;
const WARM_UP_REQUESTS = 6000;
const isFull = process.argv.includes('--full');
const rounds = Number(option('rounds', isFull ? '9' : '5'));
const seconds = Number(option('seconds', isFull ? '2' : '0.6'));
const only = option('only', '');
const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';

const place = placeFor(engine);
const orders = Number(option('orders', '10000'));
const store = await storeWith(place, orders);
const work = await prepareWork(place, store);
const service = await serve(place, {}, ['--no-dispatch']);
/** The same without its memory: what an answer costs when something has changed since the last. */
const forgetful = await serve(place, { RESPONSE_CACHE_MB: '0' }, ['--no-dispatch']);
const load = child<Load, Loaded>('load');
const http = child<Sample, number>('bare-http');
const engineLoop = child<Loop, number>('bare-engine');

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number;
const ask = (port: number, requests: string[], length = seconds) =>
  load.ask({ port, connections: CONNECTIONS, requests, seconds: length });
const loop = (task: Work) =>
  engineLoop.ask({
    databaseUrl: place.env.DATABASE_URL,
    dataDir: place.env.DATA_DIR as string,
    workers: CONNECTIONS,
    seconds,
    work: task,
  });

interface Round {
  service: Loaded;
  bare: number;
  processor: number;
}

async function round({ requests, bare, sample }: Operation, { url, pid }: typeof service): Promise<Round> {
  const before = processorTime(pid);
  const loaded = await ask(Number(new URL(url).port), requests);
  if (loaded.failures) throw new Error(`${loaded.failures} answers were not as they should be`);
  const processor = (processorTime(pid) - before) / (loaded.perSecond * seconds);
  if (bare) return { service: loaded, bare: await loop(bare), processor };
  const other = await http.ask(await sample(url));
  return { service: loaded, bare: (await ask(other, requests)).perSecond, processor };
}

const tasks = work.operations
  .filter(({ name }) => name.includes(only))
  .flatMap((operation) => [
    { operation, name: operation.name, by: service },
    ...(operation.isRead ? [{ operation, name: `${operation.name}, made anew`, by: forgetful }] : []),
  ]);
const figures: Figure[] = [];
for (const { operation, name, by } of tasks) {
  const done: Round[] = [];
  for (let warm = 0; warm < WARM_UP_REQUESTS; ) {
    warm += (await ask(Number(new URL(by.url).port), operation.requests, WARM_UP_SECONDS)).perSecond * WARM_UP_SECONDS;
    await round(operation, by);
  }
  for (let turn = 0; turn < rounds; turn++) done.push(await round(operation, by));
  const of = (pick: (round: Round) => number) => median(done.map(pick));
  figures.push({
    name,
    perSecond: of(({ service }) => service.perSecond),
    bare: of(({ bare }) => bare),
    ratio: of(({ service, bare }) => service.perSecond / bare),
    p50: of(({ service }) => service.p50),
    p99: of(({ service }) => service.p99),
    processorMs: of(({ processor }) => processor * 1000),
  });
  console.error(`${name}: ${figures.at(-1)?.ratio.toFixed(2)}`);
}
const about = `${orders} orders in the store; medians of ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections.`;
const room = `Memory of the process after it: ${memory(service.pid).toFixed(0)} MB, at most ${memory(service.pid, 'VmHWM').toFixed(0)} MB.`;
console.log(`\n${engine}: ${about}\n\n${table(figures)}\n\n${room}`);
if ((isFull || process.argv.includes('--write')) && !only) publish(engine, about, figures, room);
for (const each of [load, http, engineLoop]) each.stop();
await Promise.all([service.stop(), forgetful.stop()]);
await work.tidy();
