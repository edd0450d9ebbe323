import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, expect, test } from 'vitest';
import { migratedDatabase } from '../../packages/server/test/database.ts';
import { call, envOf, json, serve, shop } from '../processes.ts';

/**
 * One store adds as many endpoints as it can and disables all of them with many pending deliveries; another store keeps
 * creating orders. The long form: ATTACK=long npm test -- e2e/attack/endpoint-flood
 */
const PENDING = process.env.ATTACK === 'long' ? 300_000 : 50_000;
const LIMIT = 20;

const testDb = await migratedDatabase();
// Its deliveries are of one event, without an order.
testDb.damages = ['event_without_order', 'event_without_number', 'delivery_repeated'];
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_INTERNAL: 'true' });
const { apiKey } = await json<{ apiKey: string }>(env, ['demo']);
const attacker = await shop(env);
const node = await serve(env);
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
afterAll(async () => {
  await db.close();
  await node.stop();
  await testDb.drop();
});

let cookie = '';
async function consolePost(path: string, body?: unknown) {
  const response = await fetch(`${node.url}/console/api${path}`, {
    method: 'POST',
    headers: {
      origin: node.url,
      ...(cookie && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { response, body: text ? JSON.parse(text) : undefined };
}

/** Duration of one order creation in the other store. */
async function create(): Promise<number> {
  const started = performance.now();
  const { status } = await call(node, apiKey, 'POST', '/api/v1/orders', { items: [{ sku: 'TEA-B-01', quantity: 1 }] });
  expect(status).toBe(201);
  return performance.now() - started;
}

const percentile = (times: number[], share: number) =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0);

/** On a busy machine the store's own queue may time out: then the request is repeated, as the response asks. */
async function disable(id: string) {
  for (;;) {
    const reply = await consolePost(`${list}/${id}/disable`);
    if (reply.response.status !== 503) return reply;
    await sleep(1000 * Number(reply.response.headers.get('retry-after')));
  }
}

const list = `/stores/${attacker.storeId}/webhooks`;
const ids: string[] = [];

test(`a burst of creations leaves ${LIMIT} endpoints`, async () => {
  const { response } = await consolePost('/session', { email: attacker.email, password: 'correct horse' });
  expect(response.status).toBeLessThan(300);
  cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const replies = await Promise.all(
    Array.from({ length: 3 * LIMIT }, (_, index) =>
      consolePost(list, { url: `http://127.0.0.1:9/${index}`, events: ['order.created'] }),
    ),
  );
  ids.push(...replies.filter(({ response }) => response.status === 201).map(({ body }) => body.id));
  const rejected = replies.filter(({ response }) => response.status === 409);
  expect([ids.length, rejected.length]).toEqual([LIMIT, 2 * LIMIT]);
  for (const { body } of rejected) {
    expect(body.code).toBe('limit_reached');
    expect(body.detail).toContain(`at most ${LIMIT} webhook endpoints`);
  }
});

test("disabling them with many pending deliveries does not delay another store's orders", async () => {
  await fill();
  const alone: number[] = [];
  for (let count = 0; count < 50; count++) alone.push(await create());

  const started = performance.now();
  let isDone = false;
  const disabling = Promise.all(ids.map(disable)).then((replies) => {
    isDone = true;
    return replies;
  });
  const during: number[] = [];
  while (!isDone) during.push(await create());
  const ms = Math.round(performance.now() - started);
  const replies = await disabling;
  console.log(
    `endpoint-flood: ${PENDING} deliveries at ${LIMIT} endpoints disabled in ${ms} ms, ${during.length} orders of ` +
      `another store meanwhile; p50/p99/longest of an order ${percentile(during, 0.5)}/${percentile(during, 0.99)}/` +
      `${percentile(during, 1)} ms, alone ${percentile(alone, 0.5)}/${percentile(alone, 0.99)}/${percentile(alone, 1)} ms`,
  );

  expect(replies.map(({ response }) => response.status)).toEqual(ids.map(() => 200));
  const left = await db.one<{ count: number }>(
    sql`select count(*) as count from deliveries where store_id = ${attacker.storeId} and status <> 'stopped'`,
  );
  expect(left?.count).toBe(0);
  // With one statement per endpoint, only one or two orders were created in between.
  expect(during.length).toBeGreaterThanOrEqual(15);
  expect(percentile(during, 1)).toBeLessThan(ms / 2);
});

/** Deliveries of one event that are due in a day, so that none is sent during the test. */
async function fill() {
  const now = Date.now();
  const at = now - 60_000;
  await db.run(
    sql`insert into events (store_id, id, type, actor_kind, created_at)
        values (${attacker.storeId}, ${crypto.randomUUID()}, 'order.created', 'system', ${at})`,
  );
  const numbers = Array.from({ length: 2500 }, (_, number) => ({ number }));
  for (let round = 0; round < PENDING / LIMIT / numbers.length; round++)
    for (const id of ids)
      await db.run(
        sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, created_at)
            select e.store_id, ${db.dialect.uuid(sql`e.created_at`, sql`e.id || ${id + round} || copy.number`)}, ${id}, e.id, 'pending', ${now + 86_400_000}, ${at}
            from events e cross join ${db.dialect.records('copy', { number: 'integer' }, numbers)}
            where e.store_id = ${attacker.storeId}`,
      );
}
