import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { storeWalk } from '../db/batches/each-store.ts';
import { startTasks, type Task } from './start-tasks.ts';

const service = await startService();
const { services } = service;

/** Much longer than the tests take, which are due again at once. */
const options = { firstMs: 0, budgetMs: 60_000 };
const task = (name: string, run: Task['run']): Task => ({ name, everyMs: 0, run });

test('tasks never run at the same time, neither two nor one twice', async () => {
  let running = 0;
  let most = 0;
  const runs: string[] = [];
  const tasks = ['a', 'b'].map((name) =>
    task(name, async () => {
      most = Math.max(most, ++running);
      for (let loop = 0; loop < 20; loop++) await nextLoop();
      running--;
      runs.push(name);
    }),
  );
  const maintenance = startTasks(services, tasks, options);
  await expect.poll(() => runs.length).toBeGreaterThan(8);
  await maintenance.stop();
  expect(most).toBe(1);
  expect(runs.join('')).toMatch(/^(ab)+a?$/);
});

test('a task that fails does not keep the others from running', async () => {
  const runs: string[] = [];
  const log = { ...services.log, error: (...call: unknown[]) => void runs.push(`logged ${(call[0] as any).task}`) };
  const failing = task('a', () => Promise.reject(new Error('lost')));
  const maintenance = startTasks(
    { ...services, log: log as never },
    [failing, task('b', async () => void runs.push('b'))],
    options,
  );
  await expect.poll(() => runs.length).toBeGreaterThan(4);
  await maintenance.stop();
  expect(runs.slice(0, 4)).toEqual(['logged a', 'b', 'logged a', 'b']);
});

test('a task that has more to do than its time allows is cut off, and the next one has its time', async () => {
  const runs: string[] = [];
  const endless = task('a', async (_, isOver) => {
    runs.push('a');
    while (!isOver()) await nextLoop();
  });
  const maintenance = startTasks(services, [endless, task('b', async () => void runs.push('b'))], {
    firstMs: 0,
    budgetMs: 5,
  });
  await expect.poll(() => runs.length).toBeGreaterThan(4);
  await maintenance.stop();
  expect(runs.slice(0, 4)).toEqual(['a', 'b', 'a', 'b']);
});

test('a stop waits for the batch under way and starts no other', async () => {
  let batches = 0;
  const maintenance = startTasks(
    services,
    [
      task('a', async (_, isOver) => {
        do {
          await nextLoop();
          batches++;
        } while (!isOver());
      }),
    ],
    options,
  );
  await expect.poll(() => batches).toBeGreaterThan(0);
  await maintenance.stop();
  const last = batches;
  await nextLoop();
  expect(batches).toBe(last);
});

test('a walk through the stores skips one that fails, and goes on where it was cut short', async () => {
  const ids = (await Promise.all(Array.from({ length: 3 }, () => service.store()))).map(({ id }) => id).sort();
  const all = () => walked.filter((id) => ids.includes(id));
  let walked: string[] = [];
  const walk = storeWalk();
  const visit = async (id: string) => {
    walked.push(id);
    if (id === ids[0]) throw new Error('lost');
    return 1;
  };
  await expect(walk(service.db, visit)).rejects.toThrow('lost');
  expect(all()).toEqual(ids);

  walked = [];
  const stopAt = ids[1];
  await expect(walk(service.db, visit, () => walked.at(-1) === stopAt)).rejects.toThrow('lost');
  await walk(service.db, visit).catch(() => {});
  expect(all()).toEqual(ids.flatMap((id) => (id === stopAt ? [id, id] : [id])));
});
