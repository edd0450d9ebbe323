import { beforeEach, describe, expect, test } from 'vitest';
import { follower } from '../../../../../e2e/follower.ts';
import { insertProducts } from '../../../test/rows.ts';
import { type Service, startService } from '../../../test/service.ts';
import { HOUR } from '../../time/duration.ts';
import { iso } from '../../time/instant.ts';
import { sql } from '../sql.ts';
import { tick } from './store-clock.ts';

let service: Service;
let storeId: string;
let key: string;
let start: number;
beforeEach(async () => {
  service = await startService();
  ({ storeId, key } = await service.shop());
  await insertProducts(service.db, storeId, [{ sku: 'P' }]);
  start = service.clock.now;
});

const get = async (path: string) => {
  const { status, body } = await service.get(`/api/v1/${path}`, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

let serial = 0;
interface Times {
  id: string;
  number: number;
  createdAt: string;
  updatedAt: string;
}

async function create(count = 1): Promise<Times[]> {
  const orders: Times[] = [];
  for (let index = 0; index < count; index++) {
    const body = { items: [{ sku: 'P', quantity: 1 }], customer: { phone: `+7900${1_000_000 + (++serial % 9)}` } };
    const reply = await service.post('/api/v1/orders', body, key);
    expect(reply.status).toBe(201);
    orders.push(reply.body.data);
  }
  return orders;
}

async function change({ id }: { id: string }): Promise<Times> {
  const reply = await service.patch(`/api/v1/orders/${id}`, { notes: `note ${++serial}` }, key);
  expect(reply.status).toBe(200);
  return reply.body.data;
}

/** As a change of a catalog stamps it. */
const touchProduct = () =>
  service.db.transaction(async (tx) => {
    const { seq, at } = await tick(tx, storeId, service.clock.now);
    await tx.run(sql`update products set updated_at = ${at}, seq = ${seq} where store_id = ${storeId} and sku = 'P'`);
  });

/** All orders by walking a list in small pages. */
async function walk(order: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, page } = await get(`orders?order=${order}&limit=5${cursor}`);
    ids.push(...data.map(({ id }: { id: string }) => id));
    if (!page.nextCursor) return ids;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** A client that continues from its last cursor, one page at a time. */
function cursorClient(path: string) {
  const records = new Map<string, string>();
  let last = '';
  return {
    records,
    async step() {
      const { data, page } = await get(`${path}?order=updatedAt:asc&limit=5${last}`);
      for (const record of data) records.set(record.id, JSON.stringify(record));
      if (page.nextCursor) last = `&cursor=${page.nextCursor}`;
      return page.nextCursor !== null;
    },
    async catchUp() {
      while (await this.step());
    },
  };
}

async function finalState(path: string) {
  const fresh = follower(path, get);
  await fresh.catchUp();
  return fresh.records;
}

describe('after a clock was an hour ahead', () => {
  test('times stay there until the present has caught up, and then go on', async () => {
    const [before] = await create();
    service.clock.now = start + HOUR;
    const [ahead] = await create();
    service.clock.now = start + 1000;
    const [created] = await create();
    const changed = await change(before as Times);
    expect([ahead, created, changed].map((order) => order?.updatedAt)).toEqual(Array(3).fill(iso(start + HOUR)));
    expect([before, ahead, created].map((order) => order?.number)).toEqual([1, 2, 3]);
    expect(await walk('updatedAt:asc')).toEqual([ahead?.id, created?.id, before?.id]);
    service.clock.now = start + 2 * HOUR;
    expect((await change(created as Times)).updatedAt).toBe(iso(start + 2 * HOUR));
  });

  test('synchronizing clients reach the final state from any position', async () => {
    const clients = ['orders', 'customers', 'products'].flatMap((path) =>
      Array.from({ length: 4 }, () => ({ path, byTime: follower(path, get), byCursor: cursorClient(path) })),
    );
    const [halfway, ahead, correct] = [0, 1, 2].map((index) =>
      clients.filter((_, position) => position % 4 === index),
    ) as [typeof clients, typeof clients, typeof clients];
    const catchUp = async (group: typeof clients) => {
      for (const { byTime, byCursor } of group) {
        await byTime.catchUp();
        await byCursor.catchUp();
      }
    };
    const orders = await create(12);
    await catchUp(clients);
    service.clock.now = start + HOUR;
    orders.push(...(await create(8)));
    for (const order of orders.slice(0, 4)) await change(order);
    await touchProduct();
    for (const { byCursor } of halfway) await byCursor.step();
    await catchUp(ahead);
    service.clock.now = start + 1000;
    orders.push(...(await create(3)));
    await change(orders[5] as Times);
    await change(orders[13] as Times);
    await touchProduct();
    await catchUp([...ahead, ...correct]);
    for (const { byCursor } of halfway) await byCursor.step();
    await change(orders[6] as Times);
    service.clock.now = start + 2 * HOUR;
    await change(orders[7] as Times);
    await create(2);
    await touchProduct();
    await catchUp(clients);
    for (const { path, byTime, byCursor } of clients) {
      const final = await finalState(path);
      expect(byTime.records).toEqual(final);
      expect(byCursor.records).toEqual(final);
    }
  });

  test('lists are complete in every sort order', async () => {
    const orders = await create(6);
    service.clock.now = start + HOUR;
    orders.push(...(await create(6)));
    service.clock.now = start + 1000;
    orders.push(...(await create(6)));
    await change(orders[0] as Times);
    const ids = orders.map(({ id }) => id);
    for (const time of [start + 1000, start + 2 * HOUR]) {
      service.clock.now = time;
      ids.push(...(await create(2)).map(({ id }) => id));
      for (const order of ['createdAt:asc', 'createdAt:desc', 'updatedAt:asc', 'updatedAt:desc'])
        expect((await walk(order)).sort(), order).toEqual(ids.toSorted());
      expect(await walk('createdAt:asc')).toEqual(ids);
    }
  });
});
