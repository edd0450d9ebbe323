import type { Order } from '@store-sales/contract';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engine, isCitus, migratedDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { follower } from './follower.ts';
import { call, envOf, type Node, serve, shop } from './processes.ts';

const SECONDS = Number(process.env.RACE_SECONDS ?? 4);
const WRITERS = 8;
const testDb = await migratedDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0' });
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
let nodes: Node[];
let key: string;
let storeId: string;

beforeAll(async () => {
  nodes = await Promise.all(Array.from({ length: engine === 'sqlite' ? 3 : 2 }, () => serve(env)));
  ({ key, storeId } = await shop(env));
  await insertProducts(db, storeId, [{ sku: 'P' }]);
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await db.close();
  await testDb.drop();
});

const nodeOf = (round: number) => nodes[round % nodes.length] as Node;

let round = 0;
const follow = (path: string, ofKey = key) =>
  follower(path, async (query) => {
    const { status, body } = await call(nodeOf(round++), ofKey, 'GET', `/api/v1/${query}`);
    expect(status).toBe(200);
    return body;
  });

describe(`${WRITERS} writers on several nodes and a client that follows`, () => {
  test('after the last write the client has the final state of orders and customers', async () => {
    const orders = follow('orders');
    const customers = follow('customers');
    const until = Date.now() + SECONDS * 1000;
    const created: string[] = [];
    let writes = 0;

    const write = async (writer: number) => {
      for (let round = 0; Date.now() < until; round++) {
        const node = nodeOf(writer + round);
        const known = created[(writer * 31 + round * 17) % (created.length || 1)];
        if (!known || round % 3 === 0) {
          const body = { items: [{ sku: 'P', quantity: 1 }], customer: { phone: `7900${(writer * 7 + round) % 40}` } };
          const reply = await call(node, key, 'POST', '/api/v1/orders', body);
          expect(reply.status, JSON.stringify(reply.body)).toBe(201);
          created.push(reply.body.data.id);
        } else {
          const status = ['new', 'packing', 'delivering', 'completed'][(writer + round) % 4];
          const reply = await call(node, key, 'PATCH', `/api/v1/orders/${known}`, {
            status,
            notes: `${writer}.${round}`,
          });
          expect(reply.status, JSON.stringify(reply.body)).toBe(200);
        }
        writes++;
      }
    };
    const read = async () => {
      while (Date.now() < until) {
        await orders.catchUp();
        await customers.catchUp();
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), read()]);
    await orders.catchUp();
    await customers.catchUp();

    const whole = async (path: string) => {
      const fresh = follow(path);
      await fresh.catchUp();
      return [...fresh.records.values()].sort();
    };
    expect(writes).toBeGreaterThan(WRITERS);
    expect(orders.records.size).toBe(created.length);
    expect([...orders.records.values()].sort()).toEqual(await whole('orders'));
    expect([...customers.records.values()].sort()).toEqual(await whole('customers'));
    const numbers = [...orders.records.values()]
      .map((order) => (JSON.parse(order) as Order).number)
      .sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: created.length }, (_, index) => index + 1));
    console.info(`${writes} writes over ${nodes.length} nodes, ${created.length} orders`);
  }, 60_000);

  // The stores are on different servers of the cluster.
  test.runIf(isCitus)(
    'in eight stores, each client has the final state of its own',
    async () => {
      const stores = await Promise.all(Array.from({ length: WRITERS }, () => shop(env)));
      for (const store of stores) await insertProducts(db, store.storeId, [{ sku: 'P' }]);
      const until = Date.now() + SECONDS * 1000;
      await Promise.all(
        stores.map(async (store, writer) => {
          const orders = follow('orders', store.key);
          const created: string[] = [];
          for (let round = 0; Date.now() < until; round++) {
            const body = { items: [{ sku: 'P', quantity: 1 }], notes: `${writer}.${round}` };
            const reply = await call(nodeOf(writer + round), store.key, 'POST', '/api/v1/orders', body);
            expect(reply.status, JSON.stringify(reply.body)).toBe(201);
            created.push(reply.body.data.id);
            if (round % 5 === 0) await orders.catchUp();
          }
          await orders.catchUp();
          expect([...orders.records.keys()].sort()).toEqual(created.sort());
        }),
      );
    },
    60_000,
  );

  test('100 identical requests over all nodes: one order, one 201, one event', async () => {
    const body = { externalId: 'once', customer: { phone: '1' }, items: [{ sku: 'P', quantity: 1 }] };
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, round) => call(nodeOf(round), key, 'POST', '/api/v1/orders', body)),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([...Array(99).fill(200), 201]);
    const events = await db.all(
      sql`select id from events where store_id = ${storeId} and order_id = ${replies[0]?.body.data.id}`,
    );
    expect(events).toHaveLength(1);
  });

  test('a key revoked on one node is rejected by the next request on another', async () => {
    const other = await shop(env);
    for (const node of nodes) expect((await call(node, other.key, 'GET', '/api/v1/credentials')).status).toBe(200);
    await db.run(sql`update api_keys set revoked_at = ${Date.now()} where store_id = ${other.storeId}`);
    for (const node of nodes) expect((await call(node, other.key, 'GET', '/api/v1/credentials')).status).toBe(401);
  });
});
