import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { DatabaseUnavailable, OutcomeUnknown } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';
import { DAY } from '../time/duration.ts';
import { countRequests, listRequests } from './find-requests.ts';
import type { PendingLine } from './line.ts';
import { pruneRequestsOf } from './prune.ts';
import { requestLog } from './request-log.ts';

const service = await startService();
const { db, services, clock } = service;

/** A log of its own on the same database, in which transactions may fail. */
function logWith(options: Parameters<typeof requestLog>[1] = {}) {
  const state: { error?: Error | undefined; transactions: number } = { transactions: 0 };
  const registry = new Registry();
  const failing: typeof db.transaction = async (...call) => {
    state.transactions++;
    if (state.error) throw state.error;
    return db.transaction(...call);
  };
  const parts = { ...services, registry, db: { ...db, transaction: failing } };
  const log = requestLog(parts, options);
  const value = async (name: string) =>
    (await registry.getSingleMetric(`store_sales_request_log_${name}_total`)?.get())?.values[0]?.value;
  return {
    ...log,
    state,
    add(storeId: string, count = 1, more: Partial<PendingLine> = {}) {
      for (let index = 0; index < count; index++) log.add(storeId, () => ({ ...line(storeId), ...more }));
    },
    figures: async () => ({ written: await value('lines'), dropped: await value('dropped') }),
  };
}

const keyId = uuid(clock.now);
const line = (storeId: string): PendingLine => ({
  storeId,
  keyId,
  at: clock.now,
  method: 'GET',
  path: '/api/v1/orders',
  status: 200,
  elapsedMs: 1.4,
  requestId: 'r',
  address: '127.0.0.1',
  url: '/api/v1/orders',
  problem: null,
});
const newStore = () => uuid(clock.now);
const linesOf = async (storeId: string) => (await listRequests(services, storeId, {}, { limit: 100_000 })).rows;
const sizeOf = async (storeId: string) =>
  (await db.one<{ lines: number }>(sql`select lines from request_log_sizes where store_id = ${storeId}`))?.lines;
const countOf = async (storeId: string) => (await linesOf(storeId)).length;

describe('memory', () => {
  test('is limited for each store; what does not fit is dropped and counted', async () => {
    const log = logWith({ maxPerStore: 1000 });
    const [noisy, quiet] = [newStore(), newStore()];
    log.add(noisy, 10_000);
    log.add(quiet);
    await log.flush();
    const kept = await countOf(noisy);
    expect(kept).toBeLessThan(5);
    expect(await countOf(quiet)).toBe(1);
    expect(await log.figures()).toEqual({ written: kept + 1, dropped: 10_000 - kept });
  });

  test('is limited in total; the largest buffers lose their lines', async () => {
    const log = logWith({ maxTotal: 50_000 });
    const noisy = Array.from({ length: 5 }, newStore);
    const quiet = Array.from({ length: 20 }, newStore);
    for (const storeId of noisy) log.add(storeId, 1000);
    for (const storeId of quiet) log.add(storeId);
    for (const storeId of noisy) log.add(storeId, 1000);
    await log.flush();
    expect(await Promise.all(quiet.map(countOf))).toEqual(quiet.map(() => 1));
    const { written = 0, dropped = 0 } = await log.figures();
    expect(written).toBeLessThanOrEqual(50_000 / 300);
    expect(written + dropped).toBe(10_020);
  });

  test('long texts count', async () => {
    const log = logWith({ maxPerStore: 20_000 });
    const storeId = newStore();
    log.add(storeId, 100, {
      url: `/api/v1/orders?${'x'.repeat(1900)}`,
      problem: JSON.stringify({ code: 'x', detail: 'y'.repeat(3000) }),
    });
    await log.flush();
    expect(await countOf(storeId)).toBe(4);
  });
});

describe('a flush', () => {
  test('writes few lines after many requests, first those of a quiet store', async () => {
    const log = logWith({ maxWhenBusy: 20, maxPerFlush: 50, busyAt: 30 });
    const [noisy, quiet] = [newStore(), newStore()];
    log.add(noisy, 60);
    log.add(quiet, 5);
    await log.flush();
    expect([await countOf(noisy), await countOf(quiet)]).toEqual([15, 5]);
    await log.flush();
    expect(await countOf(noisy)).toBe(60);
    expect(await log.figures()).toEqual({ written: 65, dropped: 0 });
  });

  test('takes one transaction for the lines of many stores', async () => {
    const log = logWith();
    for (let index = 0; index < 100; index++) log.add(newStore(), 3);
    await log.flush();
    expect(log.state.transactions).toBe(1);
    expect(await log.figures()).toEqual({ written: 300, dropped: 0 });
  });

  test('several at once write each line once', async () => {
    const log = logWith();
    const storeId = newStore();
    log.add(storeId, 30);
    await Promise.all([log.flush(), log.flush(), log.flush()]);
    log.add(storeId, 30);
    await Promise.all([log.flush(), log.stop()]);
    expect(await countOf(storeId)).toBe(60);
  });
});

describe('while the database is away', () => {
  test('lines wait within the limit, the rest is dropped, and they are written later', async () => {
    const log = logWith({ maxPerStore: 10_000 });
    const storeId = newStore();
    log.state.error = new DatabaseUnavailable('away');
    for (let second = 0; second < 20; second++) {
      log.add(storeId, 100);
      await log.flush();
    }
    log.state.error = undefined;
    await log.flush();
    const kept = await countOf(storeId);
    expect(kept).toBeGreaterThan(20);
    expect(kept).toBeLessThan(40);
    expect(await log.figures()).toEqual({ written: kept, dropped: 2000 - kept });
  });

  test('lines that may have been written, or never can be, are dropped', async () => {
    const log = logWith();
    const storeId = newStore();
    for (const error of [new OutcomeUnknown('commit lost'), new Error('some defect')]) {
      log.add(storeId, 10);
      log.state.error = error;
      await log.flush();
      log.state.error = undefined;
      await log.flush();
    }
    expect(await log.figures()).toEqual({ written: 0, dropped: 20 });
    expect(await countOf(storeId)).toBe(0);
  });

  test('it stops all the same', async () => {
    const log = logWith();
    log.add(newStore(), 10);
    log.state.error = new DatabaseUnavailable('away');
    await log.stop();
    expect(await log.figures()).toEqual({ written: 0, dropped: 10 });
  });
});

describe('old lines', () => {
  test('above the limit of a store are deleted when new ones are written', async () => {
    const log = logWith({ maxLines: 700 });
    const [full, other] = [newStore(), newStore()];
    log.add(other, 5);
    log.add(full, 1500);
    clock.now += 1;
    log.add(full, 1);
    await log.stop();
    const lines = await linesOf(full);
    expect(lines).toHaveLength(700);
    expect(lines[0]?.received_at).toBe(clock.now);
    expect(await countOf(other)).toBe(5);
    expect(await sizeOf(full)).toBe(700);
  });

  test('expire after REQUEST_LOG_DAYS, store by store', async () => {
    const log = logWith();
    const [a, b] = [newStore(), newStore()];
    log.add(a, 1200);
    log.add(b, 3);
    await log.stop();
    clock.now += 7 * DAY;
    log.add(a, 2);
    await log.stop();
    await pruneRequestsOf(services, a);
    expect([await countOf(a), await countOf(b)]).toEqual([1202, 3]);
    clock.now += 1;
    // What is left when its time is over is deleted the next time.
    const batches = { isOver: () => true, batchSize: 500 };
    expect(await pruneRequestsOf(services, a, batches)).toBe(500);
    expect(await pruneRequestsOf(services, a, { batchSize: 500 })).toBe(700);
    expect(await countOf(b)).toBe(3);
    expect(await pruneRequestsOf(services, b)).toBe(3);
    expect([await countOf(a), await countOf(b)]).toEqual([2, 0]);
    expect([await sizeOf(a), await sizeOf(b)]).toEqual([2, 0]);
    expect(await pruneRequestsOf(services, a)).toBe(0);
  });

  test('are all deleted when the log is turned off', async () => {
    const log = logWith();
    const storeId = newStore();
    log.add(storeId, 3);
    await log.stop();
    clock.now += 1;
    await pruneRequestsOf({ ...services, config: { ...services.config, REQUEST_LOG_DAYS: 0 } }, storeId);
    expect(await countOf(storeId)).toBe(0);
  });
});

test('a filtered list and the counts examine the log in parts', async () => {
  const log = logWith();
  const storeId = newStore();
  const other = uuid(clock.now);
  const midnight = Math.floor(clock.now / DAY) * DAY;
  for (let index = 0; index < 40; index++) {
    log.add(storeId, 1, index % 4 ? {} : { keyId: other, status: 404 });
    clock.now += 1;
  }
  await log.stop();
  const all = await linesOf(storeId);
  const expected = all.filter(({ key_id }) => key_id === other).map(({ id }) => id);
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listRequests(services, storeId, { keyId: other }, { cursor, limit: 3, sliceSize: 7 });
    found.push(...page.rows.map(({ id }) => id));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(found).toEqual(expected);
  const days = [{ date: '2026-09-27', from: midnight, to: midnight + DAY }];
  expect(await countRequests(services, storeId, {}, days, 7)).toEqual({
    days: [{ date: '2026-09-27', succeeded: 30, refused: 10, failed: 0 }],
    statuses: [
      { status: 200, count: 30 },
      { status: 404, count: 10 },
    ],
  });
});
