import { afterAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { engine, testDatabase } from '../../../test/database.ts';
import { doneOrBlocked } from '../../../test/lock-wait.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';

/** Writes of one store that wait at the same time share a transaction on both engines; see db/write/plan.ts. */
const database = await testDatabase();
afterAll(() => database.drop());
const service = await startService({ database });
const { db } = service;

async function shop() {
  const opened = await service.shop();
  await addProduct(service, opened.storeId, { sku: 'TEA', price: 100 });
  return opened;
}

const items = [{ sku: 'TEA', quantity: 1 }];
const create = (key: string, body: object = {}, headers: Record<string, string> = {}) =>
  service.send('POST', '/api/v1/orders', { key, body: { items, ...body }, headers });
const many = <Result>(count: number, send: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
const numbersOf = (storeId: string) =>
  db.all<{ number: number; seq: number }>(
    sql`select number, seq from orders where store_id = ${storeId} order by number`,
  );
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Locks the store's clock, so that writes gather; on SQLite, where a group never waits for another store, only runs. */
async function whileClockIsLocked(storeId: string, work: (waiting: () => Promise<void>) => Promise<unknown>) {
  if (engine === 'sqlite') return work(async () => {});
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const holding = db.transaction(async (tx) => {
    await tx.run(sql`update store_clocks set ts = ts where store_id = ${storeId}`);
    isLocked();
    await isReleased;
  });
  await locked;
  try {
    await work(() => doneOrBlocked(db, new Promise(() => {})));
  } finally {
    release();
    await holding;
  }
}

test('one of twenty fails, the others succeed with consecutive numbers', async () => {
  const { key, storeId } = await shop();
  const replies = await many(20, (index) =>
    create(key, index === 7 ? { items: [{ sku: 'NONE', quantity: 1 }] } : { externalId: `A-${index}` }),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map((_, index) => (index === 7 ? 422 : 201)));
  const orders = await numbersOf(storeId);
  expect(orders.map(({ number }) => number)).toEqual(upTo(19));
  expect(new Set(orders.map(({ seq }) => seq)).size).toBe(19);
  const clock = await db.one(sql`select last_number from store_clocks where store_id = ${storeId}`);
  expect(clock).toEqual({ last_number: 19 });
});

test('one external id sent twenty times at once creates one order', async () => {
  const { key, storeId } = await shop();
  const replies = await many(20, (index) => create(key, { externalId: index % 2 ? 'A' : 'B' }));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(2);
  expect(await numbersOf(storeId)).toHaveLength(2);
});

test('orders of one customer, known by phone and by e-mail, fill it in once', async () => {
  const { key, storeId } = await shop();
  await create(key, { customer: { phone: '+7 900 000 00 00', email: 'a@example.test' } });
  const replies = await many(20, (index) =>
    create(key, {
      customer: index % 2 ? { name: 'Phone', phone: '79000000000' } : { name: 'Mail', email: 'a@example.test' },
    }),
  );
  expect(replies.every(({ status }) => status === 201)).toBe(true);
  const customers = await db.all<{ name: string; seq: number }>(
    sql`select name, seq from customers where store_id = ${storeId}`,
  );
  expect(customers).toHaveLength(1);
  // Creation and one change: had two orders filled it in, one would have overwritten the other.
  const changes = await db.one(sql`select seq from store_clocks where store_id = ${storeId}`);
  expect(changes).toEqual({ seq: 1 + 2 + 20 + 1 });
});

test('orders that fill in the phone of a customer, beside some that would create one with it, on two nodes', async () => {
  const { key, storeId } = await shop();
  const other = await startService({ database });
  const contact = (index: number) => ({ email: `${index % 10}@example.test`, phone: `+7 900 000 00 0${index % 10}` });
  await many(10, (index) => create(key, { customer: { email: contact(index).email } }));
  let writes: Promise<unknown> | undefined;
  await whileClockIsLocked(storeId, async (waiting) => {
    writes = many(40, (index) => {
      const { email, phone } = contact(index >> 1);
      const customer = index % 2 ? { email, phone } : { phone };
      return (index % 3 ? service : other).post('/api/v1/orders', { items, customer }, key);
    });
    await waiting();
  });
  await writes;
  const phones = await db.all(
    sql`select phone_key from customers where store_id = ${storeId} and phone_key is not null group by phone_key`,
  );
  const customers = await db.all(sql`select id from customers where store_id = ${storeId} and phone_key is not null`);
  expect([phones.length, customers.length]).toEqual([10, 10]);
});

test('changes of one order and of others, with a version: one of each succeeds', async () => {
  const { key } = await shop();
  const made = await many(4, () => create(key));
  const replies = await many(24, (index) => {
    const { body, headers } = made[index % 4] as (typeof made)[number];
    return service.send('PATCH', `/api/v1/orders/${body.data.id}`, {
      key,
      body: { notes: `note ${index}` },
      headers: { 'If-Match': headers.get('etag') as string },
    });
  });
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(replies.filter(({ status }) => status === 412)).toHaveLength(20);
});

test('creations beside edits, which record events that no endpoint gets, each have their delivery', async () => {
  const { key, storeId } = await shop();
  const { endpoint, log } = webhooksOf(service);
  const { id: endpointId } = await endpoint('https://93.184.216.34/', { storeId });
  const made = await many(6, () => create(key));
  const edits = [{ notes: 'n' }, { customer: { name: 'Anna' } }, { items: [{ sku: 'TEA', quantity: 2 }] }];
  let writes: Promise<Awaited<ReturnType<typeof create>>[]> | undefined;
  await whileClockIsLocked(storeId, async (waiting) => {
    // The first runs alone and waits for the clock; the others are the next group.
    writes = many(18, (index) => {
      const { id } = made[index / 3]?.body.data ?? {};
      const body = edits[(index / 3) % 3] as object;
      return id ? service.patch(`/api/v1/orders/${id}`, body, key) : create(key);
    });
    await waiting();
  });
  expect((await writes)?.map(({ status }) => status).filter((status) => status > 201)).toEqual([]);
  const delivered = (await log(endpointId)).map(({ order }) => order?.id).sort();
  const orders = await db.all<{ id: string }>(sql`select id from orders where store_id = ${storeId} order by id`);
  expect(delivered).toEqual(orders.map(({ id }) => id));
});

test('each reads its write as soon as it has the response', async () => {
  const { key } = await shop();
  const found = await many(40, async () => {
    const { body } = await create(key);
    return (await service.get(`/api/v1/orders/${body.data.id}`, key)).status;
  });
  expect(found.every((status) => status === 200)).toBe(true);
});

test('a store with 200 waiting writes does not delay a store with one', async () => {
  const [busy, other] = [await shop(), await shop()];
  let isServed = false;
  // On SQLite, where they do not wait for a lock, they go on until the other store is served.
  const write = async () => {
    do expect((await create(busy.key)).status).toBe(201);
    while (engine === 'sqlite' && !isServed);
  };
  let writes: Promise<unknown> | undefined;
  await whileClockIsLocked(busy.storeId, async (waiting) => {
    writes = many(200, write);
    await waiting();
    expect((await create(other.key)).status).toBe(201);
    isServed = true;
  });
  await writes;
  const orders = await numbersOf(busy.storeId);
  expect(orders.length).toBeGreaterThanOrEqual(200);
  expect(orders.map(({ number }) => number)).toEqual(upTo(orders.length));
});

test('a client that follows by cursor sees every order once, written on two nodes', async () => {
  const { key, storeId } = await shop();
  const other = await startService({ database });
  const seen: number[] = [];
  let isWriting = true;
  let query = 'order=updatedAt:asc&limit=7';
  const follow = async () => {
    for (;;) {
      const isLast = !isWriting;
      const { body } = await service.get(`/api/v1/orders?${query}`, key);
      const { data, page } = body as { data: { number: number }[]; page: { nextCursor: string | null } };
      // The last page has no cursor: it is read again until it is full.
      if (page.nextCursor || isLast) seen.push(...data.map(({ number }) => number));
      if (page.nextCursor) query = `order=updatedAt:asc&limit=7&cursor=${page.nextCursor}`;
      else if (isLast) return;
    }
  };
  const following = follow();
  const replies = await many(150, (index) =>
    (index % 2 ? service : other).post('/api/v1/orders', { items, customer: { phone: `+7900${index % 40}` } }, key),
  );
  isWriting = false;
  await following;
  expect(replies.every(({ status }) => status === 201)).toBe(true);
  // In the order of their change numbers, which is that of their commits.
  const orders = await db.all<{ number: number }>(
    sql`select number from orders where store_id = ${storeId} order by seq`,
  );
  expect(seen).toEqual(orders.map(({ number }) => number));
  expect(seen.sort((a, b) => a - b)).toEqual(upTo(150));
});

describe.runIf(engine === 'postgres')('when the connection of a group is lost', () => {
  test('every member fails with 503 and changes nothing; a repetition with its key creates one order', async () => {
    const { key, storeId } = await shop();
    const repeatable = (index: number) => create(key, {}, { 'Idempotency-Key': `k${index}` });
    const statuses: number[] = [];
    await whileClockIsLocked(storeId, async () => {
      // Some run alone, the others gather behind them.
      const writes = many(20, async (index) => {
        statuses.push((await repeatable(index)).status);
      });
      while (statuses.length < 20) {
        await db.all(
          sql`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
        );
        await new Promise(setImmediate);
      }
      await writes;
    });
    expect(statuses).toEqual(Array(20).fill(503));
    expect(await numbersOf(storeId)).toEqual([]);
    service.clock.now += 20_000;
    const again = await many(20, repeatable);
    expect(again.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect((await numbersOf(storeId)).map(({ number }) => number)).toEqual(upTo(20));
  });
});
