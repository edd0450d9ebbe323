/**
 * Reads served by two processes on one port beside one process, in turn, on the same machine with the load generator.
 * `npm run bench:pair [-- postgres]`
 */
import { child } from './child.ts';
import { option } from './options.ts';
import { placeFor, storeWith } from './place.ts';
import type { Load, Loaded } from './programs/load.ts';
import { serve } from './service.ts';
import { prepareWork } from './work.ts';

const ROUNDS = 7;
const WARM_UP_SECONDS = 4;
const SECONDS = Number(option('seconds', '1'));
const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';
const place = placeFor(engine);
const work = await prepareWork(place, await storeWith(place, 10_000));
const load = child<Load, Loaded>('load');
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number;

console.log(`\n${engine}: requests a second, 32 connections, medians of ${ROUNDS} rounds\n`);
console.log('| Operation | one process | two | ratio |\n|---|---|---|---|');
for (const [memory, suffix] of [
  ['16', ''],
  ['0', ', made anew'],
] as const) {
  const env = { RESPONSE_CACHE_MB: memory };
  const services = [
    await serve(place, env, ['--no-dispatch']),
    await serve(place, env, ['--no-dispatch'], { processes: 2 }),
  ];
  for (const { name, requests } of work.operations.filter(({ isRead }) => isRead)) {
    const rates = services.map(() => [] as number[]);
    for (let round = -1; round < ROUNDS; round++)
      for (const [index, { url }] of services.entries()) {
        const asked = {
          port: Number(new URL(url).port),
          connections: 32,
          requests,
          seconds: round < 0 ? WARM_UP_SECONDS : SECONDS,
        };
        const { perSecond, failures } = await load.ask(asked);
        if (failures) throw new Error(`${failures} answers were not as they should be`);
        if (round >= 0) rates[index]?.push(perSecond);
      }
    const [one, two] = rates as [number[], number[]];
    const ratio = median(two.map((rate, round) => rate / (one[round] as number)));
    console.log(`| ${name}${suffix} | ${median(one).toFixed(0)} | ${median(two).toFixed(0)} | ${ratio.toFixed(2)} |`);
  }
  for (const service of services) await service.stop();
}
load.stop();
await work.tidy();
