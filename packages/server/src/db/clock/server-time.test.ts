import { expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { MINUTE, YEAR } from '../../time/duration.ts';
import { postgres, sqlite } from '../dialect.ts';
import { serverTime, timeOf } from './server-time.ts';

const START = Date.parse('2026-09-27T10:00:00Z');

/** Simulated clocks: time passes on all of them, and the wall clock can be set. */
async function clocks(dialect = postgres) {
  const state = { passed: 0, wallError: 0, serverError: 0, isReachable: true, readings: 0 };
  const warnings: number[] = [];
  const db = { dialect, all: unused, one: unused, run: unused };
  const time = await serverTime(db, (ahead) => warnings.push(ahead), {
    wall: () => START + state.passed + state.wallError,
    monotonic: () => state.passed,
    async server() {
      state.readings++;
      if (!state.isReachable) throw new Error('unreachable');
      return START + state.passed + state.serverError;
    },
  });
  time.stop();
  return { state, warnings, time, real: () => START + state.passed };
}
const unused = () => Promise.reject(new Error('not used'));

test('a clock that is right, behind, or ahead by less than a minute is used', async () => {
  const { state, warnings, time, real } = await clocks();
  for (const error of [0, -YEAR, -MINUTE, 59_000, MINUTE]) {
    state.wallError = error;
    state.passed += 1000;
    expect(time.now()).toBe(real() + error);
    expect([time.isOverridden(), time.offset()]).toEqual([false, error]);
  }
  expect(warnings).toEqual([]);
});

test('a clock that jumps a year ahead between two readings is overridden until it is right again', async () => {
  const { state, warnings, time, real } = await clocks();
  const year = YEAR;
  state.passed += 5000;
  state.wallError = year;
  expect(time.now()).toBe(real());
  expect([time.isOverridden(), time.offset()]).toEqual([true, year]);
  state.passed += 20 * MINUTE;
  expect(time.now()).toBe(real());
  state.wallError = 0;
  expect(time.now()).toBe(real());
  expect(time.isOverridden()).toBe(false);
  expect(warnings).toEqual([year, year]);
});

test('a node that starts a year ahead never uses its clock', async () => {
  const state = { passed: 0 };
  const db = { dialect: postgres, all: unused, one: unused, run: unused };
  const time = await serverTime(db, () => {}, {
    wall: () => START + state.passed + YEAR,
    monotonic: () => state.passed,
    server: async () => START + state.passed,
  });
  time.stop();
  expect(time.now()).toBe(START);
});

test('the warning is logged at most once a minute', async () => {
  const { state, warnings, time } = await clocks();
  state.wallError = 2 * MINUTE;
  for (let second = 0; second < 150; second++) {
    time.now();
    state.passed += 1000;
  }
  expect(warnings).toHaveLength(3);
});

test('after sleep, the time of the server is read again and shows that the clock is right', async () => {
  const { state, time, real } = await clocks();
  // The monotonic clock stopped for an hour.
  state.wallError = state.serverError = 60 * MINUTE;
  expect(time.now()).toBe(real());
  await new Promise(setImmediate);
  expect(time.now()).toBe(real() + 60 * MINUTE);
});

test('after a failed reading, the previous one stays in use', async () => {
  const { state, time, real } = await clocks();
  state.isReachable = false;
  await expect(time.read()).rejects.toThrow('unreachable');
  state.wallError = 10 * MINUTE;
  state.passed += 3 * MINUTE;
  expect(time.now()).toBe(real());
});

test('SQLite uses the clock of the machine', async () => {
  const { state, time, real } = await clocks(sqlite);
  state.wallError = 10 * MINUTE;
  expect(time.now()).toBe(real() + 10 * MINUTE);
  expect([time.offset(), time.isOverridden(), state.readings]).toEqual([0, false, 0]);
});

test('the time of the database is read in milliseconds', async () => {
  const { db } = await startService();
  const time = await timeOf(db);
  expect(Number.isInteger(time)).toBe(true);
  expect(Math.abs(time - Date.now())).toBeLessThan(MINUTE);
});
