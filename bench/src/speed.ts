/**
 * What the service does in a second beside what the bare stack does on the same machine in the same run, the two
 * taking turns. `npm run bench [-- sqlite|postgres] [--full] [--orders 10000] [--only create]`
 */
import { child, memory, processorTime } from './child.ts';
import { option } from './options.ts';
import { placeFor, storeWith } from './place.ts';
import type { Loop, Work } from './programs/bare-engine.ts';
import type { Load, Loaded } from './programs/load.ts';
import { serve } from './service.ts';
import { prepareWork } from './work.ts';

const CONNECTIONS = 32;
const isFull = process.argv.includes('--full');
const rounds = Number(option('rounds', isFull ? '7' : '3'));
const seconds = Number(option('seconds', isFull ? '3' : '1'));
const only = option('only', '');
const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';

const place = placeFor(engine);
const store = await storeWith(place, Number(option('orders', '10000')));
const work = await prepareWork(place, store);
const service = await serve(place, {}, ['--no-dispatch']);
const load = child<Load, Loaded>('load');
const http = child<string, number>('bare-http');
const engineLoop = child<Loop, number>('bare-engine');

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number;
const port = Number(new URL(service.url).port);
const ask = (target: number, requests: string[]) =>
  load.ask({ port: target, connections: CONNECTIONS, requests, seconds });
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

async function round({ requests, bare, sample }: (typeof work.operations)[number]): Promise<Round> {
  const before = processorTime(service.pid);
  const loaded = await ask(port, requests);
  if (loaded.failures) throw new Error(`${loaded.failures} answers were not as they should be`);
  const processor = (processorTime(service.pid) - before) / (loaded.perSecond * seconds);
  if (bare) return { service: loaded, bare: await loop(bare), processor };
  const other = await http.ask(await sample(service.url));
  return { service: loaded, bare: (await ask(other, requests)).perSecond, processor };
}

console.log(`\n${engine}, ${store.storeId}: medians of ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections\n`);
console.log('| Operation | a second | bare | ratio | p50 ms | p99 ms | CPU ms |\n|---|---|---|---|---|---|---|');
for (const operation of work.operations.filter(({ name }) => name.includes(only))) {
  const done: Round[] = [];
  await round(operation);
  for (let turn = 0; turn < rounds; turn++) done.push(await round(operation));
  const of = (pick: (round: Round) => number) => median(done.map(pick));
  const cells = [
    operation.name,
    of(({ service }) => service.perSecond).toFixed(0),
    of(({ bare }) => bare).toFixed(0),
    of(({ service, bare }) => service.perSecond / bare).toFixed(2),
    of(({ service }) => service.p50).toFixed(1),
    of(({ service }) => service.p99).toFixed(1),
    of(({ processor }) => processor * 1000).toFixed(3),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
console.log(`\nmemory: ${memory(service.pid).toFixed(0)} MB, at most ${memory(service.pid, 'VmHWM').toFixed(0)} MB`);
for (const each of [load, http, engineLoop]) each.stop();
await service.stop();
await work.tidy();
