/**
 * Reads and creates by two processes on one port compared with one process, alternating, with the load generator on the
 * same machine. `npm run bench:pair [-- postgres] [--only create]`
 */
import { benchDatabase, storeWith } from './bench-database.ts';
import { forkProgram } from './child.ts';
import { prepareOperations } from './operations.ts';
import { engine, option } from './options.ts';
import type { LoadOptions, LoadResult } from './programs/load.ts';
import { serve } from './service.ts';
import { median } from './stats.ts';

const ROUNDS = 7;
const WARM_UP_SECONDS = 4;
const SECONDS = Number(option('seconds', '1'));
const only = option('only', '');
const database = benchDatabase(engine);
const { operations, cleanUp } = await prepareOperations(database, await storeWith(database, 10_000));
const load = forkProgram<LoadOptions, LoadResult>('load');

console.log(`\n${engine}: requests per second, 32 connections, medians of ${ROUNDS} rounds\n`);
console.log('| Operation | one process | two processes | ratio |\n|---|---|---|---|');
const reads = operations.filter(({ isCached }) => isCached);
for (const [cacheMb, suffix, measured] of [
  ['16', ', cache hit', reads],
  ['0', ', cache miss', reads],
  ['16', '', operations.filter(({ name }) => name === 'create')],
] as const) {
  const env = { RESPONSE_CACHE_MB: cacheMb };
  const services = [
    await serve(database, env, ['--no-dispatch']),
    await serve(database, env, ['--no-dispatch'], { processes: 2 }),
  ];
  for (const { name, requests } of measured.filter(({ name }) => name.includes(only))) {
    const rates = services.map(() => [] as number[]);
    for (let round = -1; round < ROUNDS; round++)
      for (const [index, { url }] of services.entries()) {
        const { perSecond, failures } = await load.call({
          port: Number(new URL(url).port),
          connections: 32,
          requests,
          seconds: round < 0 ? WARM_UP_SECONDS : SECONDS,
        });
        if (failures) throw new Error(`${failures} requests failed`);
        if (round >= 0) rates[index]?.push(perSecond);
      }
    const [one, two] = rates as [number[], number[]];
    const ratio = median(two.map((rate, round) => rate / (one[round] as number)));
    console.log(`| ${name}${suffix} | ${median(one).toFixed(0)} | ${median(two).toFixed(0)} | ${ratio.toFixed(2)} |`);
  }
  for (const service of services) await service.stop();
}
load.stop();
await cleanUp();
