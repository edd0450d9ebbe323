/**
 * Reads with the request log on compared with off. Both services run at the same time under the same load, so that other
 * work of the machine slows both. `npm run bench:request-log [-- postgres]`
 */
import { separateDatabase, storeWith } from './bench-database.ts';
import { cpuSeconds, forkProgram } from './child.ts';
import { prepareOperations } from './operations.ts';
import { engine, option } from './options.ts';
import type { LoadOptions, LoadResult } from './programs/load.ts';
import { serve } from './service.ts';
import { median } from './stats.ts';

const ROUNDS = Number(option('rounds', '9'));
const SECONDS = Number(option('seconds', '5'));
const measured = ['read one order', 'page of 50'];

const services = await Promise.all(
  ['7', '0'].map(async (REQUEST_LOG_DAYS) => {
    // Each has a database of its own: a write of one process would empty the key cache of the other.
    const database = await separateDatabase(engine, `log${REQUEST_LOG_DAYS}`);
    const { operations, cleanUp } = await prepareOperations(database, await storeWith(database, 10_000));
    const { url, pid, stop } = await serve(database, { REQUEST_LOG_DAYS }, ['--no-dispatch']);
    const load = forkProgram<LoadOptions, LoadResult>('load');

    async function measure(name: string) {
      const requests = operations.find((operation) => operation.name === name)?.requests as string[];
      const before = cpuSeconds(pid);
      const options = { port: Number(new URL(url).port), connections: 16, requests, seconds: SECONDS };
      const { perSecond, failures } = await load.call(options);
      if (failures) throw new Error(`${failures} requests failed`);
      return { perSecond, cpuMs: ((cpuSeconds(pid) - before) * 1000) / (perSecond * SECONDS) };
    }
    const end = async () => {
      load.stop();
      await stop();
      await cleanUp();
    };
    return { measure, end };
  }),
);

console.log(`\n${engine}: requests per second, 16 connections each, medians of ${ROUNDS} rounds of ${SECONDS} s\n`);
console.log('| Operation | log off | log on | ratio | CPU ms off | CPU ms on | ratio |\n|---|---|---|---|---|---|---|');
for (const name of measured) {
  const rounds: { perSecond: number; cpuMs: number }[][] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const measurements = await Promise.all(services.map(({ measure }) => measure(name)));
    if (round >= 0) rounds.push(measurements);
  }
  const figures = (['perSecond', 'cpuMs'] as const).flatMap((figure) => {
    const [on, off] = [0, 1].map((index) => rounds.map((round) => round[index]?.[figure] as number));
    const ratio = median(rounds.map((_, round) => (on?.[round] as number) / (off?.[round] as number)));
    const digits = figure === 'cpuMs' ? 3 : 0;
    return [median(off ?? []).toFixed(digits), median(on ?? []).toFixed(digits), ratio.toFixed(3)];
  });
  console.log(`| ${[name, ...figures].join(' | ')} |`);
}
for (const { end } of services) await end();
