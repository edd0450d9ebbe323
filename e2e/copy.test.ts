import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { seededRandom } from '@store-sales/server/demo/random';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { cleanUpAfter } from '../packages/server/test/cleanup.ts';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { integrityOf, problemsOf } from './consistency.ts';
import { follower } from './follower.ts';
import { addHook, call, envOf, json, type Node, serve, start, storeSales } from './processes.ts';
import { receiver } from './receiver.ts';

/** The long form: COPY_KILLS=200 COPY_SEED=… TEST_DATABASE_URL=… npm test -- e2e/copy */
const KILLS = Number(process.env.COPY_KILLS ?? 20);
const SEED = Number(process.env.COPY_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(SEED);
/** On a busy machine, fewer kills. */
const KILLING_MS = process.env.COPY_KILLS ? Number.POSITIVE_INFINITY : 60_000;

interface Demo {
  apiKey: string;
  storeId: string;
}

/** An embedded installation with the demo store, and an empty PostgreSQL database. */
async function installation() {
  const { DATA_DIR, DATABASE_URL: url = '', drop } = await testDatabase();
  cleanUpAfter(drop);
  const hooks = {
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_INTERNAL: 'true',
    WEBHOOK_TIMEOUT: '1s',
    WEBHOOK_RETRY_DELAYS: Array(60).fill('1s').join(','),
    LOG_LEVEL: 'fatal',
  };
  const env = envOf({ DATA_DIR, drop }, hooks);
  const demo = await json<Demo>(env, ['demo']);
  /** The environment of the new nodes, as the guide describes it. */
  const there = () =>
    envOf(
      { DATA_DIR, DATABASE_URL: url, drop },
      { ...hooks, SECRET_KEY: readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').trim().replaceAll('\n', ',') },
    );
  const served = async (where = env) => {
    const node = await serve(where);
    cleanUpAfter(node.kill);
    return node;
  };
  return { DATA_DIR, url, env, there, demo, served, copy: ['copy', '--to', url] };
}

const order = (externalId: string) => ({ externalId, items: [{ sku: 'COF-01', quantity: 1 }] });

/** Makes a copy wait in the middle. Returns the function that lets it go on. */
async function block(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `create function wait() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
     create trigger wait before insert on owners execute function wait();
     select pg_advisory_lock(1)`,
  );
  return () => client.end();
}

describe.runIf(engine === 'postgres')('store-sales copy', { timeout: 600_000 }, () => {
  test('while it runs, a serving process rejects writes and goes on; a kill ends that at once', async () => {
    const { env, url, demo, served, copy } = await installation();
    const node = await served();
    const create = (id: string) => call(node, demo.apiKey, 'POST', '/api/v1/orders', order(id));
    // Migrates the target, and shows that a second copy replaces the first.
    await json(env, [...copy, '--keep']);
    expect((await create('before')).status).toBe(201);
    const release = await block(url);
    cleanUpAfter(release);
    for (const round of ['a', 'b']) {
      const copying = start(env, copy);
      cleanUpAfter(copying.kill);
      const status = async (id: string) => (await create(id)).status;
      await expect.poll(() => status(`${round}-${Math.random()}`), { timeout: 60_000 }).toBe(503);
      const refused = await create('refused');
      expect(refused.body).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('being copied') });
      expect(refused.headers.get('retry-after')).toBe('2');
      const reads = Array.from({ length: 20 }, () => call(node, demo.apiKey, 'GET', '/api/v1/orders?limit=1'));
      for (const read of await Promise.all(reads)) expect(read.status).toBe(200);
      for (const args of round === 'a' ? [['serve'], ['dispatch'], copy] : [])
        expect(await storeSales(env, args)).toMatchObject({
          code: 4,
          stderr: expect.stringMatching(/^store-sales: .*being copied.*\n$/),
        });
      await copying.kill();
      await expect.poll(() => status(`${round}-after`), { timeout: 10_000 }).toBeLessThan(300);
    }
    // It can also be stopped while a copy runs.
    const copying = start(env, copy);
    await expect.poll(async () => (await create(`c-${Math.random()}`)).status, { timeout: 60_000 }).toBe(503);
    expect((await node.stop()).code).toBe(0);
    await release();
    expect(await copying.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('secret.key') });
  });

  test(`${KILLS} kills at random moments (seed ${SEED}), then the move: nothing is lost or doubled`, async () => {
    const { DATA_DIR, env, there, url, demo, served, copy } = await installation();
    const { apiKey: key, storeId } = demo;
    const hooks = await receiver();
    cleanUpAfter(hooks.close);
    const endpoint = await addHook(env, storeId, hooks.url);
    let node: Node = await served();
    const began = performance.now();
    await json(env, [...copy, '--keep']);
    const copyMs = performance.now() - began;

    // Clients that retry until they are told that it is done, as the contract allows.
    const acknowledged = new Map<string, string>();
    let isDone = false;
    cleanUpAfter(() => {
      isDone = true;
    });
    const retried = async (method: string, path: string, body?: unknown) => {
      for (;;) {
        const reply = await call(node, key, method, path, body).catch(() => undefined);
        if (reply && reply.status < 300) return reply.body;
        if (reply && reply.status !== 503) throw new Error(`${reply.status} ${reply.body.detail}`);
        if (isDone) throw new Error('the test has ended');
        await sleep(20);
      }
    };
    let [serial, isWriting] = [0, true];
    const write = async () => {
      while (isWriting) {
        await sleep(random.between(0, 100));
        const externalId = `o-${serial++}`;
        const { data } = await retried('POST', '/api/v1/orders', order(externalId));
        acknowledged.set(externalId, data.id);
        await retried('PATCH', `/api/v1/orders/${data.id}`, { status: 'packing' });
      }
    };
    const writing = Promise.all([write(), write()]);
    const client = follower('orders', (query) => retried('GET', `/api/v1/${query}`));
    const following = (async () => {
      while (isWriting) await client.catchUp();
    })();

    const end = Date.now() + KILLING_MS;
    let [kills, completed] = [0, 0];
    for (; kills < KILLS && Date.now() < end; kills++) {
      // With --keep, because the moment may come too late: what is left of an uncut copy is then replaced.
      const copying = start(env, [...copy, '--keep']);
      await sleep(random.between(0, Math.ceil(1.1 * copyMs)));
      if ((await copying.kill()).code === 0) completed++;
      const { data } = await retried('POST', '/api/v1/orders', order(`after-kill-${kills}`));
      acknowledged.set(data.externalId, data.id);
    }
    expect(await integrityOf(DATA_DIR)).toBe('ok');

    const old = node;
    const moved = await json<{ copied: Record<string, number>; isMoved: boolean; to: string }>(env, copy);
    expect(moved).toMatchObject({ isMoved: true, to: url, copied: { stores: 2 } });
    const embedded = openDatabase({ dataDir: DATA_DIR });
    cleanUpAfter(() => embedded.close());
    const rows = () => embedded.one(sql`select count(*) as count, sum(seq) as seq from orders`);
    const left = await rows();
    // The old process ends by itself, and wrote nothing more.
    expect(await old.ended).toMatchObject({ code: 1 });
    expect(await rows()).toEqual(left);
    node = await served(there());
    await sleep(500);
    isWriting = false;
    await writing;
    await following;

    const db = openDatabase({ databaseUrl: url, dataDir: DATA_DIR });
    cleanUpAfter(() => db.close());
    expect(await problemsOf(db)).toEqual([]);
    const orders = await db.all<{ id: string; external_id: string | null }>(
      sql`select id, external_id from orders where store_id = ${storeId}`,
    );
    const ids = new Map(orders.map((row) => [row.external_id, row.id]));
    for (const [externalId, id] of acknowledged) expect([externalId, ids.get(externalId)]).toEqual([externalId, id]);
    for (const one of await embedded.all<{ id: string }>(sql`select id from orders where store_id = ${storeId}`))
      expect(orders.some(({ id }) => id === one.id)).toBe(true);

    // The client that followed all the time has what a new one reads.
    await client.catchUp();
    const fresh = follower('orders', (query) => retried('GET', `/api/v1/${query}`));
    await fresh.catchUp();
    expect(Object.fromEntries(client.records)).toEqual(Object.fromEntries(fresh.records));
    expect(client.records.size).toBe(orders.length);

    // Every event since the endpoint was added arrives, signed with the secret from before the move.
    const pending = () =>
      db.all(sql`select id from deliveries where endpoint_id = ${endpoint.id} and status <> 'delivered'`);
    await expect.poll(pending, { timeout: 90_000, interval: 500 }).toEqual([]);
    const arrived = new Set(hooks.received.map(({ event }) => event.id));
    const events = await db.all<{ event_id: string }>(
      sql`select event_id from deliveries where endpoint_id = ${endpoint.id}`,
    );
    expect(events.filter(({ event_id }) => !arrived.has(event_id))).toEqual([]);
    expect(events.length).toBeGreaterThanOrEqual(2 * (acknowledged.size - kills));
    expect(hooks.overlaps).toEqual([]);
    for (const { headers, body } of hooks.received) expect(isSigned(headers, body, endpoint.secret)).toBe(true);
    console.info(
      `seed ${SEED}: ${kills} kills, ${completed} too late, ${acknowledged.size} acknowledged orders, ` +
        `${events.length} events, ${hooks.received.length} deliveries`,
    );
  });

  test('deliveries that wait go out after the move, and the old installation is refused', async () => {
    const { env, there, url, demo, served, copy } = await installation();
    let status = 500;
    const hooks = await receiver(() => status);
    cleanUpAfter(hooks.close);
    const endpoint = await addHook(env, demo.storeId, hooks.url);
    const node = await served();
    for (const id of ['a', 'b', 'c'])
      expect((await call(node, demo.apiKey, 'POST', '/api/v1/orders', order(id))).status).toBe(201);
    await node.stop();
    await json(env, ['copy', '--to', url.replace('postgres@', 'postgres:pa55word@')]);
    for (const args of [['serve'], ['dispatch'], copy, ['secrets', 'rotate']]) {
      const { code, stderr } = await storeSales(env, args);
      expect([code, stderr]).toEqual([3, expect.stringContaining(`has moved to ${url}: set DATABASE_URL`)]);
      expect(stderr).not.toContain('pa55word');
    }
    status = 200;
    await served(there());
    await expect.poll(() => hooks.received.length, { timeout: 60_000 }).toBe(3);
    for (const { headers, body } of hooks.received) expect(isSigned(headers, body, endpoint.secret)).toBe(true);
  });

  test('mistakes are one clear line, and change nothing', async () => {
    const { DATA_DIR, env, there, url, served, copy } = await installation();
    const fails = async (exitCode: number, args: string[], line: RegExp, where = env) => {
      const { code, stdout, stderr } = await storeSales(where, args);
      expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringMatching(line)]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    };
    await fails(3, copy, /unset DATABASE_URL/, there());
    await fails(2, ['copy', '--to', 'mysql://host/db'], /--to must be an address that starts with postgres:\/\//);
    await fails(4, ['copy', '--to', 'postgres://anna:pa55word@127.0.0.1:1/shop'], /ECONNREFUSED(?!.*pa55word)/);
    await fails(4, ['copy', '--to', `${url}_missing`], /does not exist/);
    await fails(3, copy, /no database in/, { ...env, DATA_DIR: join(DATA_DIR, 'empty') });
    await fails(1, copy, /does not match the database/, { ...env, SECRET_KEY: 'another key of 32 random characters' });

    const kept = await json<{ isMoved: boolean; secretKeyFile: string }>(env, [...copy, '--keep']);
    expect(kept).toMatchObject({ isMoved: false, secretKeyFile: join(DATA_DIR, 'secret.key') });
    await (await served()).stop();
    await (await served(there())).stop();
    // It was served, so it is no longer only a copy.
    await fails(3, copy, /not empty/);
    await (await served()).stop();
  });
});

function isSigned(headers: Record<string, unknown>, body: string, secret: string) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex') === v1;
}
