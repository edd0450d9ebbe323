import type { Order } from '@store-sales/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { follower } from './follower.ts';
import { call, envOf, type Node, serve, shop } from './processes.ts';

const SECONDS = Number(process.env.RACE_SECONDS ?? 4);
const WRITERS = 8;
const place = await testDatabase();
const env = envOf(place, { RATE_LIMIT_PER_MINUTE: '0' });
const db = openDatabase({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
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
  await place.drop();
});

const nodeOf = (turn: number) => nodes[turn % nodes.length] as Node;

let turn = 0;
const follow = (path: string) =>
  follower(path, async (query) => {
    const { status, body } = await call(nodeOf(turn++), key, 'GET', `/api/v1/${query}`);
    expect(status).toBe(200);
    return body;
  });

describe(`${WRITERS} writers on several nodes and a client that follows`, () => {
  test('at rest the client holds exactly the final state of orders and customers', async () => {
    const orders = follow('orders');
    const customers = follow('customers');
    const until = Date.now() + SECONDS * 1000;
    const made: string[] = [];
    let writes = 0;

    const write = async (writer: number) => {
      for (let turn = 0; Date.now() < until; turn++) {
        const node = nodeOf(writer + turn);
        const known = made[(writer * 31 + turn * 17) % (made.length || 1)];
        if (!known || turn % 3 === 0) {
          const body = { items: [{ sku: 'P', quantity: 1 }], customer: { phone: `7900${(writer * 7 + turn) % 40}` } };
          const reply = await call(node, key, 'POST', '/api/v1/orders', body);
          expect(reply.status, JSON.stringify(reply.body)).toBe(201);
          made.push(reply.body.data.id);
        } else {
          const status = ['new', 'packing', 'delivering', 'completed'][(writer + turn) % 4];
          const reply = await call(node, key, 'PATCH', `/api/v1/orders/${known}`, {
            status,
            notes: `${writer}.${turn}`,
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
      return [...fresh.held.values()].sort();
    };
    expect(writes).toBeGreaterThan(WRITERS);
    expect(orders.held.size).toBe(made.length);
    expect([...orders.held.values()].sort()).toEqual(await whole('orders'));
    expect([...customers.held.values()].sort()).toEqual(await whole('customers'));
    const numbers = [...orders.held.values()].map((order) => (JSON.parse(order) as Order).number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: made.length }, (_, index) => index + 1));
    console.info(`${writes} writes over ${nodes.length} nodes, ${made.length} orders`);
  }, 60_000);

  test('100 identical requests over all nodes: one order, one 201, one event', async () => {
    const body = { externalId: 'once', customer: { phone: '1' }, items: [{ sku: 'P', quantity: 1 }] };
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, turn) => call(nodeOf(turn), key, 'POST', '/api/v1/orders', body)),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([...Array(99).fill(200), 201]);
    const events = await db.all(
      sql`select id from events where store_id = ${storeId} and order_id = ${replies[0]?.body.data.id}`,
    );
    expect(events).toHaveLength(1);
  });

  test('a key revoked on one node is refused by the next request on another', async () => {
    const other = await shop(env);
    for (const node of nodes) expect((await call(node, other.key, 'GET', '/api/v1/credentials')).status).toBe(200);
    await db.run(sql`update api_keys set revoked_at = ${Date.now()} where store_id = ${other.storeId}`);
    for (const node of nodes) expect((await call(node, other.key, 'GET', '/api/v1/credentials')).status).toBe(401);
  });
});
