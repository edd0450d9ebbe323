/**
 * What the service does in a second beside what the bare stack does on the same machine in the same run, the two
 * taking turns. `npm run bench [-- sqlite|postgres] [--write] [--full] [--orders 10000] [--only create]`
 */
import { child, memory, processorTime } from './child.ts';
import { option } from './options.ts';
import { placeFor, storeWith } from './place.ts';
import type { Loop, Work } from './programs/bare-engine.ts';
import type { Load, Loaded } from './programs/load.ts';
import { type Figure, publish, table } from './report.ts';
import { serve } from './service.ts';
import { prepareWork } from './work.ts';

const CONNECTIONS = 32;
const isFull = process.argv.includes('--full');
const rounds = Number(option('rounds', isFull ? '7' : '3'));
const seconds = Number(option('seconds', isFull ? '3' : '1'));
const only = option('only', '');
const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';

const place = placeFor(engine);
const orders = Number(option('orders', '10000'));
const store = await storeWith(place, orders);
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

const figures: Figure[] = [];
for (const operation of work.operations.filter(({ name }) => name.includes(only))) {
  const done: Round[] = [];
  await round(operation);
  for (let turn = 0; turn < rounds; turn++) done.push(await round(operation));
  const of = (pick: (round: Round) => number) => median(done.map(pick));
  figures.push({
    name: operation.name,
    perSecond: of(({ service }) => service.perSecond),
    bare: of(({ bare }) => bare),
    ratio: of(({ service, bare }) => service.perSecond / bare),
    p50: of(({ service }) => service.p50),
    p99: of(({ service }) => service.p99),
    processorMs: of(({ processor }) => processor * 1000),
  });
  console.error(`${operation.name}: ${figures.at(-1)?.ratio.toFixed(2)}`);
}
const about = `${orders} orders in the store; medians of ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections.`;
const room = `Memory of the process after it: ${memory(service.pid).toFixed(0)} MB, at most ${memory(service.pid, 'VmHWM').toFixed(0)} MB.`;
console.log(`\n${engine}: ${about}\n\n${table(figures)}\n\n${room}`);
if ((isFull || process.argv.includes('--write')) && !only) publish(engine, about, figures, room);
for (const each of [load, http, engineLoop]) each.stop();
await service.stop();
await work.tidy();
