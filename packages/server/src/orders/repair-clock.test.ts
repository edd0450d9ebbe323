import { beforeEach, describe, expect, test } from 'vitest';
import { follower } from '../../../../e2e/follower.ts';
import { insertProducts } from '../../test/rows.ts';
import { type Service, startService } from '../../test/service.ts';
import { tick } from '../db/clock.ts';
import { sql } from '../db/sql.ts';
import { HOUR, YEAR } from '../duration.ts';
import { iso } from '../instant.ts';
import { addEndpoint } from '../webhooks/endpoints/edit-endpoints.ts';
import { type DocumentParts, readDocument } from './document.ts';
import { type RepairOptions, repairClock } from './repair-clock.ts';

const webhooks = { longestDelay: 12 * HOUR, lease: 20_000 };

let service: Service;
let storeId: string;
let key: string;
let start: number;
beforeEach(async () => {
  service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
  ({ id: storeId } = await service.store());
  // Longer than the clock is ahead.
  key = await service.key(storeId, undefined, 5 * YEAR);
  await insertProducts(service.db, storeId, [{ sku: 'P' }]);
  start = service.clock.now;
});

const get = async (path: string) => {
  const { status, body } = await service.get(`/api/v1/${path}`, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

let serial = 0;
async function create(count = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const body = { items: [{ sku: 'P', quantity: 1 }], customer: { phone: `+7900${1_000_000 + (++serial % 9)}` } };
    const reply = await service.post('/api/v1/orders', body, key);
    expect(reply.status).toBe(201);
    ids.push(reply.body.data.id);
  }
  return ids;
}

async function change(id: string) {
  const reply = await service.patch(`/api/v1/orders/${id}`, { notes: `note ${++serial}` }, key);
  expect(reply.status).toBe(200);
}

/** As a change of a catalog stamps it. */
const touchProduct = () =>
  service.db.transaction(async (tx) => {
    const { seq, at } = await tick(tx, storeId, service.clock.now);
    await tx.run(sql`update products set updated_at = ${at}, seq = ${seq} where store_id = ${storeId} and sku = 'P'`);
  });

const repair = (options: Partial<RepairOptions> = {}) =>
  repairClock(service.db, storeId, { now: () => service.clock.now, webhooks, batchSize: 7, ...options });

/** All orders by walking a list in small pages. */
async function walk(order: string, limit = 5): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, page } = await get(`orders?order=${order}&limit=${limit}${cursor}`);
    ids.push(...data.map(({ id }: { id: string }) => id));
    if (!page.nextCursor) return ids;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** A client that continues from its last cursor, one page at a time. */
function cursorClient(path = 'orders') {
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

async function finalState(path = 'orders') {
  const fresh = follower(path, get);
  await fresh.catchUp();
  return fresh.records;
}

describe('a store that was stamped a year ahead', () => {
  let old: string[];
  let ahead: string[];
  /** Orders before, orders created and changed a year ahead, and then a correct clock. */
  async function moveClockAhead() {
    old = await create(12);
    service.clock.now = start + YEAR;
    ahead = await create(23);
    for (const id of old.slice(0, 4)) await change(id);
    for (const id of ahead.slice(0, 3)) await change(id);
    await touchProduct();
    service.clock.now = start + HOUR;
    await create(2);
  }

  test('stays in the future until it is repaired', async () => {
    await moveClockAhead();
    const [late] = await create(1);
    expect((await get(`orders/${late}`)).data.updatedAt).toBe(iso(start + YEAR));
    expect(await repair()).toMatchObject({
      wasAhead: true,
      repaired: { orders: 12 + 23 + 2 + 1 - 8, products: 1 },
    });
    const now = service.clock.now;
    for (const path of ['orders', 'products', 'customers'])
      for (const { createdAt, updatedAt } of [...(await finalState(path)).values()].map((text) => JSON.parse(text))) {
        expect(Date.parse(createdAt)).toBeLessThanOrEqual(now);
        expect(Date.parse(updatedAt)).toBeLessThanOrEqual(now);
      }
    const rows = await service.db.all<DocumentParts & { id: string; created_at: number; updated_at: number }>(
      sql`select id, created_at, updated_at, document_head, document, document_tail from orders where store_id = ${storeId}`,
    );
    for (const row of rows)
      expect(readDocument(row)).toMatchObject({
        id: row.id,
        createdAt: iso(row.created_at),
        updatedAt: iso(row.updated_at),
      });
    // Records that were not stamped in the future are unchanged.
    const before = rows.filter(({ id }) => old.slice(4).includes(id));
    expect(before.map(({ updated_at }) => updated_at)).toEqual(Array(8).fill(start));
    const [next] = await create(1);
    expect((await get(`orders/${next}`)).data.createdAt).toBe(iso(now));
    expect(await repair()).toMatchObject({ wasAhead: false, repaired: { orders: 0, products: 0, customers: 0 } });
  });

  test('synchronizing clients reach the final state from any cursor', async () => {
    const clients = ['orders', 'customers', 'products'].flatMap((path) =>
      Array.from({ length: 5 }, () => ({ path, byMark: follower(path, get), byCursor: cursorClient(path) })),
    );
    const [atStart, halfway, ahead_, during, late] = [0, 1, 2, 3, 4].map((index) =>
      clients.filter((_, position) => position % 5 === index),
    ) as [typeof clients, typeof clients, typeof clients, typeof clients, typeof clients];
    const catchUp = async (group: typeof clients) => {
      for (const { byMark, byCursor } of group) {
        await byMark.catchUp();
        await byCursor.catchUp();
      }
    };
    old = await create(12);
    await catchUp(clients);
    await moveClockAhead();
    for (const { byCursor } of halfway) for (let page = 0; page < 3; page++) await byCursor.step();
    await catchUp(ahead_);
    await catchUp(late);
    let batches = 0;
    await repair({
      async onBatch() {
        batches++;
        service.clock.now += 1000;
        // Changes between the batches, of repaired and of unrepaired records.
        if (batches % 2) await change(ahead[(batches * 5) % ahead.length] as string);
        else await create(1);
        for (const { byCursor } of [...during, ...halfway]) await byCursor.step();
        if (batches === 3) await catchUp(during);
      },
    });
    expect(batches).toBeGreaterThan(4);
    await change(old[5] as string);
    await change(ahead[7] as string);
    await touchProduct();
    service.clock.now += HOUR;
    await create(3);
    await catchUp([...atStart, ...halfway, ...ahead_, ...during]);
    const expectFinal = async (group: typeof clients) => {
      for (const { path, byMark, byCursor } of group) {
        const final = await finalState(path);
        expect(byMark.records).toEqual(final);
        expect(byCursor.records).toEqual(final);
      }
    };
    await expectFinal([...atStart, ...halfway, ...ahead_, ...during]);

    // Clients that poll daily, and one with a cursor beyond the time the clock was ahead by.
    service.clock.now += 22 * HOUR;
    await change(old[1] as string);
    for (const { byMark } of late) await byMark.catchUp();
    service.clock.now += 2 * YEAR;
    await change(old[2] as string);
    await catchUp(late);
    await expectFinal(late);
  });

  test('a client with a time just ahead misses nothing although that time has passed', async () => {
    const client = follower('orders', get);
    old = await create(3);
    service.clock.now = start + HOUR;
    await change(old[0] as string);
    await client.catchUp();
    service.clock.now = start + 1000;
    await repair();
    await change(old[1] as string);
    service.clock.now = start + 3 * HOUR;
    await change(old[2] as string);
    await client.catchUp();
    expect(client.records).toEqual(await finalState());
  });

  test('lists are complete throughout the repair, in every sort order', async () => {
    await moveClockAhead();
    const every = (await walk('createdAt:asc')).toSorted();
    expect(every).toHaveLength(37);
    let moments = 0;
    await repair({
      batchSize: 8,
      async onBatch() {
        service.clock.now += 1;
        if (++moments === 3) every.push(...(await create(4)));
        for (const order of ['createdAt:asc', 'createdAt:desc', 'updatedAt:asc', 'updatedAt:desc'])
          expect((await walk(order, 4)).toSorted(), order).toEqual(every.toSorted());
      },
    });
    expect(moments).toBeGreaterThan(3);
    // Also afterwards, while creation times are within the time the clock was ahead by.
    service.clock.now += 2 * HOUR;
    every.push(...(await create(7)));
    for (const order of ['createdAt:asc', 'createdAt:desc', 'updatedAt:asc', 'updatedAt:desc'])
      expect((await walk(order)).toSorted(), order).toEqual(every.toSorted());
  });

  test('an interrupted repair is finished by the next', async () => {
    await moveClockAhead();
    const client = cursorClient();
    await client.catchUp();
    for (let batches = 1; ; batches++) {
      let left = batches;
      const done = await repair({
        onBatch() {
          if (left-- === 0) throw new Error('cut off');
        },
      }).catch(() => undefined);
      if (done) break;
      await change(ahead[batches] as string);
    }
    await client.catchUp();
    expect(client.records).toEqual(await finalState());
    const [{ count } = { count: -1 }] = await service.db.all<{ count: number }>(
      sql`select count(*) as count from orders where updated_at > ${service.clock.now} or created_at > ${service.clock.now}`,
    );
    expect(Number(count)).toBe(0);
  });

  test('a second clock error before the first one has passed is repaired too', async () => {
    const clients = [cursorClient(), cursorClient()] as const;
    await moveClockAhead();
    await clients[0].catchUp();
    await repair();
    service.clock.now += HOUR;
    await change(old[1] as string);
    service.clock.now += YEAR / 2;
    await create(5);
    await clients[1].catchUp();
    service.clock.now -= YEAR / 2;
    await repair();
    await change(old[2] as string);
    for (const client of clients) {
      await client.catchUp();
      expect(client.records).toEqual(await finalState());
    }
  });

  test('other stores are unchanged', async () => {
    const other = await service.shop();
    await insertProducts(service.db, other.storeId, [{ sku: 'P' }]);
    service.clock.now = start + YEAR;
    await service.post('/api/v1/orders', { items: [{ sku: 'P', quantity: 1 }] }, other.key);
    await moveClockAhead();
    const clock = () => service.db.one(sql`select * from store_clocks where store_id = ${other.storeId}`);
    const orders = () => service.db.all(sql`select * from orders where store_id = ${other.storeId}`);
    const before = [await clock(), await orders()];
    await repair();
    expect([await clock(), await orders()]).toEqual(before);
  });

  test('deliveries, events and the log get current times', async () => {
    const { id: endpointId } = await addEndpoint(service.services, storeId, {
      url: 'http://127.0.0.1:1/hook',
      events: ['order.created'],
    });
    await moveClockAhead();
    // Half of them as a dispatcher of the wrong node claimed them.
    await service.db.run(
      sql`update deliveries set leased_until_at = ${start + YEAR + 20_000} where store_id = ${storeId}
          and id in (select id from deliveries where store_id = ${storeId} order by id limit 10)`,
    );
    expect((await repair()).repaired.deliveries).toBeGreaterThan(0);
    const now = service.clock.now;
    const late = await service.db.all(
      sql`select id from deliveries where store_id = ${storeId} and endpoint_id = ${endpointId}
          and (next_attempt_at > ${now} or leased_until_at > ${now + 20_000} or created_at > ${now})`,
    );
    expect(late).toEqual([]);
    const events = await service.db.all<{ created_at: number; id: string }>(
      sql`select id, created_at from events where store_id = ${storeId} and created_at > ${now}`,
    );
    expect(events).toEqual([]);
  });
});
