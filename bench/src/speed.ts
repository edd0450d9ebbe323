/**
 * Requests per second compared with a baseline on the same machine, alternating in one run.
 * `npm run bench [-- sqlite|postgres] [--write] [--full] [--orders 10000] [--only create]`
 */
import { benchDatabase, storeWith } from './bench-database.ts';
import { cpuSeconds, forkProgram, memoryMb } from './child.ts';
import { type Operation, prepareOperations } from './operations.ts';
import { engine, option } from './options.ts';
import type { DatabaseLoop, DatabaseWork } from './programs/baseline-database.ts';
import type { SampleResponse } from './programs/baseline-http.ts';
import type { LoadOptions, LoadResult } from './programs/load.ts';
import { type Measurement, table, writeToDocs } from './report.ts';
import { serve } from './service.ts';
import { median } from './stats.ts';

const CONNECTIONS = 32;
/** The first thousands of requests run before the JIT has optimized the code, and are not counted. */
const WARM_UP_SECONDS = 3;
const WARM_UP_REQUESTS = 6000;
const isFull = process.argv.includes('--full');
const rounds = Number(option('rounds', isFull ? '9' : '5'));
const seconds = Number(option('seconds', isFull ? '2' : '0.6'));
const only = option('only', '');

const database = benchDatabase(engine);
const orders = Number(option('orders', '10000'));
const store = await storeWith(database, orders);
const { operations, cleanUp } = await prepareOperations(database, store);
const cached = await serve(database, {}, ['--no-dispatch']);
const uncached = await serve(database, { RESPONSE_CACHE_MB: '0' }, ['--no-dispatch']);
const load = forkProgram<LoadOptions, LoadResult>('load');
const baselineHttp = forkProgram<SampleResponse, number>('baseline-http');
const baselineDatabase = forkProgram<DatabaseLoop, number>('baseline-database');

const send = (port: number, requests: string[], length = seconds) =>
  load.call({ port, connections: CONNECTIONS, requests, seconds: length });
const runOnDatabase = (work: DatabaseWork) =>
  baselineDatabase.call({
    databaseUrl: database.env.DATABASE_URL,
    dataDir: database.env.DATA_DIR as string,
    workers: CONNECTIONS,
    seconds,
    work,
  });

interface Round {
  service: LoadResult;
  baseline: number;
  cpu: number;
}

async function runRound({ requests, baseline, sample }: Operation, { url, pid }: typeof cached): Promise<Round> {
  const before = cpuSeconds(pid);
  const service = await send(Number(new URL(url).port), requests);
  if (service.failures) throw new Error(`${service.failures} requests failed`);
  const cpu = (cpuSeconds(pid) - before) / (service.perSecond * seconds);
  if (baseline) return { service, baseline: await runOnDatabase(baseline), cpu };
  const port = await baselineHttp.call(await sample(url));
  return { service, baseline: (await send(port, requests)).perSecond, cpu };
}

const runs = operations
  .filter(({ name }) => name.includes(only))
  .flatMap((operation) =>
    operation.isCached
      ? [
          { operation, name: `${operation.name}, cache hit`, server: cached },
          { operation, name: `${operation.name}, cache miss`, server: uncached },
        ]
      : [{ operation, name: operation.name, server: cached }],
  );
const measurements: Measurement[] = [];
for (const { operation, name, server } of runs) {
  const done: Round[] = [];
  for (let warm = 0; warm < WARM_UP_REQUESTS; ) {
    const { perSecond } = await send(Number(new URL(server.url).port), operation.requests, WARM_UP_SECONDS);
    warm += perSecond * WARM_UP_SECONDS;
    await runRound(operation, server);
  }
  for (let index = 0; index < rounds; index++) done.push(await runRound(operation, server));
  const medianOf = (pick: (round: Round) => number) => median(done.map(pick));
  measurements.push({
    name,
    perSecond: medianOf(({ service }) => service.perSecond),
    baseline: medianOf(({ baseline }) => baseline),
    ratio: medianOf(({ service, baseline }) => service.perSecond / baseline),
    p50: medianOf(({ service }) => service.p50),
    p99: medianOf(({ service }) => service.p99),
    cpuMs: medianOf(({ cpu }) => cpu * 1000),
  });
  console.error(`${name}: ${measurements.at(-1)?.ratio.toFixed(2)}`);
}
const setup = `${orders} orders in the store; medians of ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections.`;
const memory = `Memory of the process afterwards: ${memoryMb(cached.pid).toFixed(0)} MB, peak ${memoryMb(cached.pid, 'VmHWM').toFixed(0)} MB.`;
console.log(`\n${engine}: ${setup}\n\n${table(measurements)}\n\n${memory}`);
if ((isFull || process.argv.includes('--write')) && !only) writeToDocs(engine, setup, measurements, memory);
for (const child of [load, baselineHttp, baselineDatabase]) child.stop();
await Promise.all([cached.stop(), uncached.stop()]);
await cleanUp();
