import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { SCHEMA_VERSION } from '@store-sales/server/db/migrations/migrate';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, describe, expect, test } from 'vitest';
import { engine, isCitus, testDatabase } from '../packages/server/test/database.ts';
import { call, envOf, json, serve, shop, storeSales } from './processes.ts';

const testDb = await testDatabase();
const env = envOf(testDb);
afterAll(() => testDb.drop());

describe('starting', () => {
  test('a schema that needs a newer program', async () => {
    const newer = await testDatabase();
    const at = envOf(newer);
    await json(at, ['migrate']);
    const db = openDatabase({ databaseUrl: newer.DATABASE_URL, dataDir: newer.DATA_DIR });
    await db.run(
      sql`insert into schema_migrations (version, name, applied_at, lowest_version) values (9999, 'future', 0, 9999)`,
    );
    await db.close();
    const { code, stderr } = await storeSales(at, ['serve']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('schema version 9999')]);
    await newer.drop();
  });

  test.skipIf(isCitus)('migrate --citus refuses a database without Citus, and changes nothing', async () => {
    const fresh = await testDatabase();
    const { code, stderr } = await storeSales(envOf(fresh), ['migrate', '--citus']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^store-sales: the database has no extension citus.*\n$/),
    ]);
    const db = openDatabase({ databaseUrl: fresh.DATABASE_URL, dataDir: fresh.DATA_DIR });
    await expect(db.one(sql`select version from schema_migrations`)).rejects.toThrow();
    await db.close();
    await fresh.drop();
  });

  test('three nodes started at the same time on an empty database migrate it once', async () => {
    const fresh = await testDatabase();
    const nodes = await Promise.all([1, 2, 3].map(() => serve(envOf(fresh))));
    const db = openDatabase({ databaseUrl: fresh.DATABASE_URL, dataDir: fresh.DATA_DIR });
    const applied = await db.all<{ version: number }>(
      sql`select version from schema_migrations where version > 0 order by version`,
    );
    await db.close();
    expect(applied.map((row) => Number(row.version))).toEqual(
      Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1),
    );
    const ready = await Promise.all(nodes.map(async ({ url }) => (await fetch(`${url}/readyz`)).status));
    expect(ready).toEqual([200, 200, 200]);
    await Promise.all(nodes.map((node) => node.stop()));
    await fresh.drop();
  });

  test('after a kill at any moment of the first start, the next start succeeds', async () => {
    for (const wait of [150, 400, 800]) {
      const fresh = await testDatabase();
      const at = envOf(fresh);
      const first = storeSalesKilled(at, ['demo', '--json'], wait);
      await first;
      const second = await storeSales(at, ['demo', '--json']);
      // Either the killed process had finished, or this one creates everything.
      if (second.code === 0) {
        const { apiKey } = JSON.parse(second.stdout);
        const node = await serve(at);
        const { body } = await call(node, apiKey, 'GET', '/api/v1/orders?limit=100&with=items');
        expect([body.data.length, body.page.hasMore]).toEqual([100, true]);
        await node.stop();
      } else expect(second.stderr).toContain('empty database');
      await fresh.drop();
    }
  }, 180_000);

  test('SIGTERM lets a request in flight finish', async () => {
    const node = await serve(env);
    const { key } = await shop(env);
    const { port } = new URL(node.url);
    const socket = connect(Number(port), '127.0.0.1');
    const body = JSON.stringify({ name: 'Main' });
    const head = `POST /api/v1/references/warehouses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    let response = '';
    socket.on('data', (data) => {
      response += data;
    });
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
    // The request has started; the rest of its body follows after the signal.
    await call(node, key, 'GET', '/api/v1/credentials');
    node.child.kill('SIGTERM');
    await expect
      .poll(async () =>
        fetch(`${node.url}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    socket.write(body.slice(5));
    expect((await node.ended).code).toBe(0);
    expect(response).toContain('201 Created');
  });

  test('SIGTERM does not wait for a connection that has sent nothing', async () => {
    const node = await serve(env);
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
    node.child.kill('SIGTERM');
    // After the limit of 15 s it would be stopped and log that.
    expect((await node.ended).code).toBe(0);
  });

  test('with DRAIN_TIME it reports that it is stopping and serves until then', async () => {
    const node = await serve({ ...env, DRAIN_TIME: '5s' });
    expect((await fetch(`${node.url}/healthz`)).headers.get('connection')).toBe('keep-alive');
    node.child.kill('SIGTERM');
    const ready = async () => (await fetch(`${node.url}/readyz`)).status;
    await expect.poll(ready, { timeout: 10_000 }).toBe(503);
    const { status, headers } = await fetch(`${node.url}/healthz`);
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect((await node.ended).code).toBe(0);
  });

  test.runIf(engine === 'sqlite')('secret.key is created once and readable only by its owner', async () => {
    const fresh = await testDatabase();
    const at = envOf(fresh);
    await Promise.all([1, 2, 3, 4].map(() => json(at, ['migrate'])));
    const file = join(fresh.DATA_DIR, 'secret.key');
    const secret = readFileSync(file, 'utf8');
    await json(at, ['migrate']);
    expect(readFileSync(file, 'utf8')).toBe(secret);
    expect(existsSync(file)).toBe(true);
    expect(statSync(file).mode & 0o077).toBe(0);
    chmodSync(file, 0o600);
    await fresh.drop();
  });
});

/** Starts the command and kills it after some milliseconds; the moment is what the test varies. */
async function storeSalesKilled(env: Record<string, string>, args: string[], wait: number) {
  const program = join(process.cwd(), 'packages/server/bin/store-sales.js');
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'ignore' });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), wait);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
