import { expect, test } from 'vitest';
import { engine } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { MINUTE } from '../time/duration.ts';
import { pageLimits } from './page-limits.ts';
import { storeLimits } from './store-limit.ts';

const { db } = await startService();
const SMALL = Buffer.alloc(1000);
const LARGE = Buffer.alloc(256 * 1024);

/** Reads ten pages at once; returns how many were read at the same time. */
function burstOf(readWithinLimits: ReturnType<typeof pageLimits>) {
  return async (page: Buffer, now: number, query = {}, options = {}) => {
    let [running, most] = [0, 0];
    const read = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return page;
    };
    const call = { caller: { store_id: 'store' }, query, now, isGone: () => false };
    await Promise.all(Array.from({ length: 10 }, () => readWithinLimits(call, read, options)));
    return most;
  };
}

test('a store reads large pages one at a time, and pages whose size is not known yet', async () => {
  const burst = burstOf(pageLimits({ db, limit: storeLimits(engine) }));
  expect(await burst(SMALL, 0)).toBe(1);
  expect(await burst(SMALL, 0)).toBe(10);
  expect(await burst(LARGE, 0)).toBe(10);
  expect(await burst(LARGE, 1)).toBe(1);
  expect(await burst(SMALL, 10 * MINUTE - 1)).toBe(1);
  expect(await burst(SMALL, 20 * MINUTE)).toBe(10);
});

test('a filter that no index serves is limited as a slow read', async () => {
  const burst = burstOf(pageLimits({ db, limit: storeLimits(engine) }));
  const time = '2026-01-01T00:00:00Z';
  await burst(SMALL, 0);
  expect(await burst(SMALL, 0, { 'filter[updatedAt][from]': time })).toBeLessThanOrEqual(2);
  expect(await burst(SMALL, 0, { 'filter[updatedAt][from]': time, order: 'updatedAt:asc' })).toBe(10);
  expect(await burst(SMALL, 0, {}, { isSearch: true })).toBeLessThanOrEqual(2);
});

test('a caller that has waited is checked again before the page is read', async () => {
  const limit = storeLimits(engine, { checkAfterMs: 0 });
  const readWithinLimits = pageLimits({ db, limit });
  let isRevoked = false;
  const check = async () => {
    if (isRevoked) throw new Error('revoked');
  };
  const call = { caller: { store_id: 'store' }, query: {}, now: 0, isGone: () => false, check };
  const first = readWithinLimits(call, async () => {
    isRevoked = true;
    return SMALL;
  });
  const second = readWithinLimits(call, async () => SMALL);
  expect(await first).toBe(SMALL);
  await expect(second).rejects.toThrow('revoked');
});
