import { API_PREFIX } from '@store-sales/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { type Reads, startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';

const hooks: Reads = {};
const service = await startService({ reads: hooks });
const { db, clock } = service;
const ORDERS = `${API_PREFIX}/orders`;
const LEASE_MS = 15_000;
const lines = { items: [{ sku: 'P', quantity: 2 }] };
let storeId: string;
let key: string;

beforeEach(async () => {
  ({ storeId, key } = await service.shop());
  await addProduct(service, storeId, { sku: 'P' });
});
afterEach(() => {
  hooks.beforeTransaction = undefined;
});

const create = (body: object = lines) => service.post(ORDERS, body, key, { 'idempotency-key': 'k' });
const claims = () =>
  db.all<{ status: number | null }>(sql`select status from idempotency_keys where store_id = ${storeId}`);
const created = async () => ({
  orders: (await db.all(sql`select id from orders where store_id = ${storeId}`)).length,
  events: (await db.all(sql`select id from events where store_id = ${storeId}`)).length,
});

const hasLease = async () =>
  (await db.all(sql`select key from idempotency_keys where store_id = ${storeId} and leased_until_at > ${clock.now}`))
    .length > 0;

/** Holds the next request that claims the key, before the transaction of its change. */
function holdNext() {
  let resume = () => {};
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const isHeld = new Promise<void>((resolve) => {
    hooks.beforeTransaction = async () => {
      if (!(await hasLease())) return;
      hooks.beforeTransaction = undefined;
      resolve();
      await resumed;
    };
  });
  return { isHeld, resume: () => resume() };
}

test('32 concurrent requests create one order and one event', async () => {
  const replies = await Promise.all(Array.from({ length: 32 }, () => create()));
  const [first] = replies.filter(({ status, headers }) => status === 201 && !headers.has('idempotent-replayed'));
  for (const { status, body, headers, text } of replies) {
    if (status === 201) expect(text).toBe(first?.text);
    else expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'idempotency_in_progress', '1']);
  }
  expect(replies.filter((reply) => reply.status === 201 && !reply.headers.has('idempotent-replayed'))).toHaveLength(1);
  expect(await created()).toEqual({ orders: 1, events: 1 });
  expect((await create()).text).toBe(first?.text);
});

test('concurrent requests with different bodies create one order', async () => {
  const replies = await Promise.all(Array.from({ length: 16 }, (_, index) => create({ ...lines, notes: `${index}` })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status, body } of replies)
    if (status !== 201) expect(['idempotency_in_progress', 'idempotency_key_reused']).toContain(body.code);
  expect(await created()).toEqual({ orders: 1, events: 1 });
});

test('while the first request is being processed, others get 409', async () => {
  const { isHeld, resume } = holdNext();
  const first = create();
  await isHeld;
  // Whether the first will succeed is not known yet, so another body gets 409 too.
  for (const body of [lines, { ...lines, notes: 'other' }]) {
    const reply = await create(body);
    expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([
      409,
      'idempotency_in_progress',
      '1',
    ]);
  }
  clock.now += 5000;
  // By now the first has probably crashed: its lease ends in ten seconds.
  expect((await create()).headers.get('retry-after')).toBe('10');
  resume();
  const { status, text } = await first;
  expect([status, (await create()).text]).toEqual([201, text]);
  expect(await created()).toEqual({ orders: 1, events: 1 });
});

test('a request that is slower than its lease succeeds if no other took over', async () => {
  const { isHeld, resume } = holdNext();
  const first = create();
  await isHeld;
  clock.now += 2 * LEASE_MS;
  resume();
  expect((await first).status).toBe(201);
  expect((await create()).headers.get('idempotent-replayed')).toBe('true');
  expect(await created()).toEqual({ orders: 1, events: 1 });
});

test('a slow request whose lease was taken over changes nothing', async () => {
  const { isHeld, resume } = holdNext();
  const slow = create();
  await isHeld;
  clock.now += LEASE_MS - 1;
  expect((await create()).status).toBe(409);
  clock.now += 1;
  const second = await create({ ...lines, notes: 'second' });
  expect(second.status).toBe(201);
  resume();
  const late = await slow;
  expect([late.status, late.body.code, late.headers.get('retry-after')]).toEqual([409, 'idempotency_in_progress', '1']);
  expect(await created()).toEqual({ orders: 1, events: 1 });
  expect((await create({ ...lines, notes: 'second' })).text).toBe(second.text);
});

test('a slow request changes nothing if the one that took over failed', async () => {
  const { isHeld, resume } = holdNext();
  const slow = create();
  await isHeld;
  clock.now += LEASE_MS;
  expect((await create({ items: [{ sku: 'NONE', quantity: 1 }] })).status).toBe(422);
  expect(await claims()).toEqual([]);
  const third = await create();
  resume();
  expect([third.status, (await slow).status]).toEqual([201, 409]);
  expect(await created()).toEqual({ orders: 1, events: 1 });
  expect((await create()).text).toBe(third.text);
});

test('a slow request that fails does not free the key of the one that took over', async () => {
  const { isHeld, resume } = holdNext();
  const slow = create({ items: [{ sku: 'NONE', quantity: 1 }] });
  await isHeld;
  clock.now += LEASE_MS;
  const next = holdNext();
  const second = create();
  await next.isHeld;
  resume();
  expect((await slow).status).toBe(409);
  expect(await claims()).toEqual([{ status: null }]);
  expect((await create()).status).toBe(409);
  next.resume();
  expect((await second).status).toBe(201);
  expect(await created()).toEqual({ orders: 1, events: 1 });
});

test('a request that waited for a slot of its store gets a lease from the time of its claim', async () => {
  // As many as may run, held before their claims, so that the next one waits.
  let running = 0;
  let resume = () => {};
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const max = 64;
  const isFull = new Promise<void>((resolve) => {
    hooks.beforeTransaction = async () => {
      if (++running >= max) resolve();
      await resumed;
    };
  });
  const others = Array.from({ length: max }, () => service.post(ORDERS, lines, key));
  await isFull;
  const waiting = create();
  await service.get(`${API_PREFIX}/credentials`, key);
  clock.now += LEASE_MS;
  resume();
  hooks.beforeTransaction = undefined;
  const { isHeld, resume: proceed } = holdNext();
  await isHeld;
  expect((await create()).status).toBe(409);
  proceed();
  expect((await waiting).status).toBe(201);
  await Promise.all(others);
});
