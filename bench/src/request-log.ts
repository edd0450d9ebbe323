/**
 * Reads with the request log on compared with off, alternating, with the load generator on the same machine. CPU time is
 * that of the service, with the writing of all lines; it is the better figure on a machine that has other work.
 * `npm run bench:request-log [-- postgres]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { separateDatabase, storeWith } from './bench-database.ts';
import { cpuSeconds, forkProgram } from './child.ts';
import { prepareOperations } from './operations.ts';
import { engine, option } from './options.ts';
import type { LoadOptions, LoadResult } from './programs/load.ts';
import { serve } from './service.ts';
import { median } from './stats.ts';

const ROUNDS = Number(option('rounds', '7'));
const SECONDS = Number(option('seconds', '3'));
/** Longer than the lines in memory take to be written, so that the other service is not measured meanwhile. */
const PAUSE_MS = 12_000;
const measured = ['read one order', 'page of 50'];

const load = forkProgram<LoadOptions, LoadResult>('load');
const services = await Promise.all(
  ['7', '0'].map(async (REQUEST_LOG_DAYS) => {
    // Each has a database of its own: a write of one process would empty the caches of the other.
    const database = await separateDatabase(engine, `log${REQUEST_LOG_DAYS}`);
    const { operations, cleanUp } = await prepareOperations(database, await storeWith(database, 10_000));
    const { url, pid, stop } = await serve(database, { REQUEST_LOG_DAYS }, ['--no-dispatch']);
    return { url, pid, operations, stop: () => stop().then(cleanUp) };
  }),
);
console.log(`\n${engine}: requests per second, 32 connections, medians of ${ROUNDS} rounds of ${SECONDS} s\n`);
console.log('| Operation | log off | log on | ratio | CPU ms off | CPU ms on | ratio |\n|---|---|---|---|---|---|---|');
for (const name of measured) {
  const rounds = services.map(() => [] as { perSecond: number; cpuMs: number }[]);
  for (let round = -1; round < ROUNDS; round++)
    for (const [index, { url, pid, operations }] of services.entries()) {
      const requests = operations.find((operation) => operation.name === name)?.requests as string[];
      const before = cpuSeconds(pid);
      const options = { port: Number(new URL(url).port), connections: 32, requests, seconds: SECONDS };
      const { perSecond, failures } = await load.call(options);
      if (failures) throw new Error(`${failures} requests failed`);
      await sleep(PAUSE_MS);
      const cpuMs = ((cpuSeconds(pid) - before) * 1000) / (perSecond * SECONDS);
      if (round >= 0) rounds[index]?.push({ perSecond, cpuMs });
    }
  const figures = (['perSecond', 'cpuMs'] as const).flatMap((figure) => {
    const [on, off] = rounds.map((each) => each.map((measurement) => measurement[figure])) as [number[], number[]];
    const ratio = median(on.map((value, round) => value / (off[round] as number)));
    return [median(off), median(on), ratio].map((value, column) =>
      value.toFixed(figure === 'cpuMs' || column === 2 ? 3 : 0),
    );
  });
  console.log(`| ${[name, ...figures].join(' | ')} |`);
}
for (const { stop } of services) await stop();
load.stop();
