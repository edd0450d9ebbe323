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

test('a store reads few pages of orders with their items at a time, and others together', async () => {
  expect(await burst({})).toBe(10);
  const few = engine === 'sqlite' ? 1 : 2;
  expect(await burst({}, { isLarge: true })).toBe(few);
  expect(await burst({}, { isLarge: true, isSearch: true })).toBe(few);
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
  const read = () => {
    const revoke = async () => {
      isRevoked = true;
      return PAGE;
    };
    return readPage({ db, limit }, { ...call, check }, revoke, { isLarge: true });
  };
  const results = await Promise.allSettled(Array.from({ length: 3 }, read));
  expect(results[0]).toMatchObject({ status: 'fulfilled' });
  expect(results[2]).toMatchObject({ status: 'rejected', reason: new Error('revoked') });
});
