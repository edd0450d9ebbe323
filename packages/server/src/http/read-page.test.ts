import { expect, test } from 'vitest';
import { engine } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { readPage } from './read-page.ts';
import { storeLimits } from './store-limit.ts';

const { db } = await startService();
const PAGE = Buffer.alloc(1000);
const call = { caller: { store_id: 'store' }, query: {}, isGone: () => false, check: async () => {} };

/** Reads ten pages at once; returns how many were read at the same time. */
async function burst(query: object, options = {}) {
  const limit = storeLimits(engine);
  let [running, most] = [0, 0];
  const read = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return PAGE;
  };
  const pages = Array.from({ length: 10 }, () => readPage({ db, limit }, { ...call, query }, read, options));
  await Promise.all(pages);
  return most;
}

test('a store reads orders with their items one page at a time, and others together', async () => {
  expect(await burst({})).toBe(10);
  expect(await burst({}, { isLarge: true })).toBe(1);
  expect(await burst({}, { isLarge: true, isSearch: true })).toBe(1);
});

test('a filter that no index serves is limited as a slow read', async () => {
  const time = '2026-01-01T00:00:00Z';
  expect(await burst({ 'filter[updatedAt][from]': time })).toBeLessThanOrEqual(2);
  expect(await burst({ 'filter[updatedAt][from]': time, order: 'updatedAt:asc' })).toBe(10);
  expect(await burst({}, { isSearch: true })).toBeLessThanOrEqual(2);
});

test('a caller that has waited is checked again before the page is read', async () => {
  const limit = storeLimits(engine, { checkAfterMs: 0 });
  let isRevoked = false;
  const check = async () => {
    if (isRevoked) throw new Error('revoked');
  };
  const options = { isLarge: true };
  const revoke = async () => {
    isRevoked = true;
    return PAGE;
  };
  const first = readPage({ db, limit }, { ...call, check }, revoke, options);
  const second = readPage({ db, limit }, { ...call, check }, async () => PAGE, options);
  expect(await first).toBe(PAGE);
  await expect(second).rejects.toThrow('revoked');
});
