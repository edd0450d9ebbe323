import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFile, openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { envOf, type Node, serve, shop } from './processes.ts';

const testDb = await migratedDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'silent' });
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
const nodes: Node[] = [];
let storeId: string;
let key: string;
let isAbandoned = false;

beforeAll(async () => {
  nodes.push(await serve(env), await serve(env, ['--no-dispatch']));
  ({ storeId, key } = await shop(env));
  await insertProducts(db, storeId, [{ sku: 'A' }]);
});
afterAll(async () => {
  isAbandoned = true;
  await Promise.all(nodes.map((node) => node.kill()));
  await db.close();
  await testDb.drop();
});

const lines = { items: [{ sku: 'A', quantity: 1 }] };

async function create(node: Node, idempotencyKey: string) {
  const response = await fetch(`${node.url}/api/v1/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(lines),
  });
  const text = await response.text();
  const isReplay = response.headers.has('idempotent-replayed');
  return { status: response.status, text, isReplay, retryAfter: Number(response.headers.get('retry-after')) };
}

const created = async () => ({
  orders: (await db.all(sql`select id from orders where store_id = ${storeId}`)).length,
  events: (await db.all(sql`select id from events where store_id = ${storeId}`)).length,
});
const claimOf = (idempotencyKey: string) =>
  db.one<{ status: number | null }>(
    sql`select status from idempotency_keys where store_id = ${storeId} and key = ${idempotencyKey}`,
  );

test('32 concurrent requests to two processes create one order and one event', async () => {
  for (let round = 1; round <= 5; round++) {
    const value = `race-${round}`;
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, index) => create(nodes[index % 2] as Node, value)),
    );
    const first = replies.filter(({ status, isReplay }) => status === 201 && !isReplay);
    expect(first).toHaveLength(1);
    for (const { status, text } of replies) {
      if (status === 201) expect(text).toBe(first[0]?.text);
      else expect([status, JSON.parse(text).code]).toEqual([409, 'idempotency_in_progress']);
    }
    for (const node of nodes) expect((await create(node, value)).text).toBe(first[0]?.text);
    expect(await created()).toEqual({ orders: round, events: round });
  }
});

/** Sends a request and blocks its node between the claim of the key and the commit of the order. */
async function blockAfterClaim(node: Node, name: string) {
  return engine === 'postgres' ? blockByRowLock(node, name) : blockByFileLock(node, name);
}

/** Locks the store's clock, the last row that a creation needs. */
async function blockByRowLock(node: Node, value: string) {
  let unblock = () => {};
  const unblocked = new Promise<void>((resolve) => {
    unblock = resolve;
  });
  let locking: Promise<unknown> | undefined;
  await new Promise<void>((resolve) => {
    locking = db.transaction(async (tx) => {
      await tx.one(sql`select seq from store_clocks where store_id = ${storeId} for update`);
      resolve();
      await unblocked;
    });
  });
  const request = create(node, value).catch(() => undefined);
  await expect.poll(() => claimOf(value)).toEqual({ status: null });
  return {
    value,
    request,
    async unblock() {
      unblock();
      await locking;
    },
  };
}

/** Takes the lock of the file between the two transactions, in a busy loop; with a new key if it came too late. */
async function blockByFileLock(node: Node, name: string) {
  const file = new Sqlite(databaseFile(testDb.DATA_DIR), { timeout: 0 });
  const claim = file.prepare('select status from idempotency_keys where store_id = ? and key = ?').pluck();
  const isLocked = () => {
    try {
      file.exec('begin immediate');
      return true;
    } catch (error) {
      if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) throw error;
      return false;
    }
  };
  for (let attempt = 1; ; attempt++) {
    const value = `${name}-${attempt}`;
    while (!isLocked());
    const request = create(node, value).catch(() => undefined);
    // A later request of the node is served, so this one has arrived and waits for the lock.
    for (let later = 0; later < 3; later++) await fetch(`${node.url}/healthz`);
    file.exec('rollback');
    for (const deadline = Date.now() + 5000; claim.get(storeId, value) === undefined && Date.now() < deadline; );
    while (!isLocked());
    if (claim.get(storeId, value) === null)
      return {
        value,
        request,
        async unblock() {
          file.exec('rollback');
          file.close();
        },
      };
    file.exec('rollback');
    await request;
  }
}

test('a process killed between claim and commit leaves a key that is free again within 20 s', async () => {
  const before = await created();
  const { value, request, unblock } = await blockAfterClaim(nodes[0] as Node, 'crash');
  await (nodes[0] as Node).kill();
  await request;
  await unblock();
  // On SQLite, requests that came too late for the lock have created orders of their own.
  const { orders } = await created();
  const late = orders - before.orders;

  const blocked = await create(nodes[1] as Node, value);
  expect([blocked.status, JSON.parse(blocked.text).code]).toEqual([409, 'idempotency_in_progress']);
  expect(blocked.retryAfter).toBeGreaterThanOrEqual(1);
  const lease = await db.one<{ ms: number }>(
    sql`select leased_until_at - created_at as ms from idempotency_keys where store_id = ${storeId} and key = ${value}`,
  );
  expect(lease?.ms).toBeLessThanOrEqual(20_000);
  const retry = async () => (await create(nodes[1] as Node, value)).status;
  await expect.poll(retry, { timeout: 60_000, interval: 250 }).toBe(201);
  nodes[0] = await serve(env);
  const [one, other] = [await create(nodes[0], value), await create(nodes[1] as Node, value)];
  expect([one.isReplay, one.text]).toEqual([true, other.text]);
  expect(await created()).toEqual({ orders: before.orders + late + 1, events: before.events + late + 1 });
});

test('processes killed under load: every key creates one order and one event', async () => {
  const before = await created();
  const responses = new Map<string, string>();
  let isDone = false;

  async function createOnce(value: string) {
    for (let attempt = responses.size; !isAbandoned; attempt++) {
      const reply = await create(nodes[attempt % 2] as Node, value).catch(() => undefined);
      if (reply?.status === 201) return void responses.set(value, reply.text);
      await sleep(20);
    }
  }
  async function write(client: number) {
    for (let index = 0; !isDone && !isAbandoned; index++) await createOnce(`load-${client}-${index}`);
  }
  const clients = Promise.all([1, 2, 3, 4].map(write));
  for (let kill = 0; kill < 6; kill++) {
    await sleep(200 + 70 * kill);
    await (nodes[kill % 2] as Node).kill();
    nodes[kill % 2] = await serve(env);
  }
  isDone = true;
  await clients;

  const count = responses.size;
  expect(await created()).toEqual({ orders: before.orders + count, events: before.events + count });
  expect(new Set(responses.values()).size).toBe(count);
  for (const [value, text] of responses) expect((await create(nodes[0] as Node, value)).text).toBe(text);
}, 300_000);
