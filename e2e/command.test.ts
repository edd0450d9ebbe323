import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeAt, stepAt } from '@store-sales/server/accounts/second-factor/totp';
import { afterAll, describe, expect, test } from 'vitest';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { addHook, call, envOf, json, serve, shop, storeSales } from './processes.ts';

const testDb = await testDatabase();
const env = envOf(testDb);
afterAll(() => testDb.drop());

describe('the command', () => {
  test('creates an owner, a store and a key while the server runs, and the key works immediately', async () => {
    const node = await serve(env);
    const { key, keyId, storeId, email } = await shop(env);
    const check = await call(node, key, 'GET', '/api/v1/credentials');
    expect([check.status, check.body.data.store.id]).toEqual([200, storeId]);

    expect(await json(env, ['store', 'list'])).toEqual([
      {
        id: storeId,
        name: 'Tea',
        plan: 'optimal',
        currency: 'RUB',
        timezone: 'Europe/Moscow',
        isActive: true,
        owner: email,
      },
    ]);
    const [listed] = await json<{ id: string; prefix: string }[]>(env, ['key', 'list', '--store', storeId]);
    expect([listed?.id, key.startsWith(listed?.prefix as string)]).toEqual([keyId, true]);

    await json(env, ['store', 'plan', storeId, 'basic']);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).body.code).toBe('plan_required');
    await json(env, ['store', 'plan', storeId, 'optimal']);
    await json(env, ['store', 'deactivate', storeId]);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).body.code).toBe('store_inactive');
    await json(env, ['store', 'activate', storeId]);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).status).toBe(200);
    await json(env, ['key', 'revoke', keyId]);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).body.code).toBe('invalid_key');
    expect((await node.stop()).code).toBe(0);
  });

  test('prints the request log, also of requests made just before the server stopped', async () => {
    const node = await serve(env);
    const [{ key, keyId, storeId }, other] = [await shop(env), await shop(env)];
    const get = (path: string, id: string) =>
      fetch(`${node.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}`, 'x-request-id': id } });
    await get('/credentials', 'first');
    await get('/orders?limit=1000', 'second');
    await call(node, other.key, 'GET', '/api/v1/credentials');
    expect((await node.stop()).code).toBe(0);

    const log = (...args: string[]) => json<object[]>(env, ['request', 'log', '--store', storeId, ...args]);
    const [second, first] = await log();
    expect(second).toEqual({
      at: expect.stringMatching(/Z$/),
      keyId,
      method: 'GET',
      route: '/orders',
      status: 400,
      code: 'invalid_parameter',
      durationMs: expect.any(Number),
      requestId: 'second',
      query: 'limit=1000',
    });
    expect(await log('--status', '2xx')).toEqual([first]);
    expect(await log('--status', '400', '--key', keyId)).toEqual([second]);
    expect(await log('--request-id', 'first')).toEqual([first]);
    expect(await log('--limit', '1')).toEqual([second]);
    expect(await log('--key', other.keyId)).toEqual([]);
    const store = ['--store', storeId];
    for (const [exitCode, wrong] of [
      [3, ['--store', 'nobody']],
      [3, ['--store', keyId]],
      [2, [...store, '--status', '700']],
      [2, [...store, '--status', 'bad']],
      [2, [...store, '--key', 'x']],
      [2, [...store, '--limit', '0']],
    ] as const) {
      const { code, stderr } = await storeSales(env, ['request', 'log', ...wrong]);
      expect([code, stderr.trim().split('\n').length]).toEqual([exitCode, 1]);
    }
  });

  test('opens and closes the order page of a store', async () => {
    const [{ storeId }, other] = [await shop(env), await shop(env)];
    const enable = (store: string, slug: string) => ['shop', 'enable', '--store', store, '--slug', slug];
    const node = await serve(env);
    const status = async () => (await fetch(`${node.url}/shop/tea-house`)).status;
    const opened = await json(env, enable(storeId, 'tea-house'));
    expect(opened).toEqual({ storeId, slug: 'tea-house', url: expect.stringMatching(/^http.*\/shop\/tea-house$/) });
    expect(await status()).toBe(200);
    for (const args of [enable(other.storeId, 'tea-house'), enable(other.storeId, 'Tea'), enable('nobody', 'other')])
      expect((await storeSales(env, args)).code).toBe(3);
    expect(await json(env, ['shop', 'disable', '--store', storeId])).toEqual(opened);
    expect(await status()).toBe(404);
    await node.stop();
  });

  test('adds, lists and removes members of a store', async () => {
    const [{ storeId, email: owner }, { email: other }] = [await shop(env), await shop(env)];
    const member = (action: string, ...args: string[]) => ['member', action, '--store', storeId, ...args];
    const add = (email: string, role: string) => member('add', '--email', email, '--role', role);
    const list = async () =>
      (await json<{ email: string; role: string; status: string }[]>(env, member('list'))).map(
        ({ email, role, status }) => [email, role, status],
      );

    expect(await json(env, add(other, 'viewer'))).toEqual({ storeId, email: other, role: 'viewer', status: 'member' });
    await json(env, add(other.toUpperCase(), 'manager'));
    const invited = await json<{ link: string }>(env, add('vera@example.com', 'integrator'));
    expect(invited).toMatchObject({ status: 'invited', link: expect.stringMatching(/^http.*\/console\/invitation#/) });
    expect(await list()).toEqual([
      [owner, 'owner', 'member'],
      [other, 'manager', 'member'],
      ['vera@example.com', 'integrator', 'invited'],
    ]);

    for (const args of [add(other, 'king'), add('nobody', 'viewer'), member('remove', '--email', owner)])
      expect((await storeSales(env, args)).code).toBe(3);
    for (const email of [other, 'vera@example.com']) await json(env, member('remove', '--email', email));
    expect(await list()).toEqual([[owner, 'owner', 'member']]);
  });

  test('resets the second factor of an account and ends its sessions', async () => {
    const { email } = await shop(env);
    const node = await serve(env);
    const send = async (method: string, path: string, body?: object, cookie = '') => {
      const response = await fetch(`${node.url}/console/api${path}`, {
        method,
        headers: { origin: node.url, cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
      return { status: response.status, body: text ? JSON.parse(text) : undefined, cookie: cookies.join('; ') };
    };
    const password = { email, password: 'correct horse' };
    const { cookie } = await send('POST', '/session', password);
    const { body: offer } = await send('POST', '/second-factor/codes', undefined, cookie);
    const code = codeAt(offer.secret, stepAt(Date.now()));
    expect((await send('PUT', '/second-factor/codes', { token: offer.token, code }, cookie)).status).toBe(200);
    expect((await send('POST', '/session', password)).status).toBe(200);

    const reset = ['owner', 'reset-second-factor', '--email'];
    expect(await json(env, [...reset, email])).toEqual({ id: expect.any(String), email });
    expect((await send('GET', '/stores', undefined, cookie)).status).toBe(401);
    expect((await send('POST', '/session', password)).status).toBe(204);
    const unknown = await storeSales(env, [...reset, 'nobody@example.com']);
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('no owner with the e-mail')]);
    await node.stop();
  });

  test('webhooks: codes and messages as JSON, sentences for people', async () => {
    const internal = { ...env, WEBHOOK_ALLOW_INTERNAL: 'true' };
    const { storeId } = await shop(env);
    const { id } = await addHook(internal, storeId, 'http://127.0.0.1:9/');
    const node = await serve(internal);
    await json(internal, ['webhook', 'ping', id]);
    const log = () => json<{ attempts: object[] }[]>(env, ['webhook', 'log', id]);
    await expect
      .poll(async () => (await log())[0]?.attempts, { timeout: 30_000 })
      .toMatchObject([{ responseStatus: null, error: 'connection_refused', message: 'connection refused' }]);
    expect((await storeSales(env, ['webhook', 'log', id])).stdout).toContain('1, last: connection refused');
    await node.stop();

    expect(await json(env, ['webhook', 'disable', id])).toMatchObject({ isActive: false, disabledReason: 'owner' });
    expect(await json(env, ['webhook', 'list', '--store', storeId])).toMatchObject([{ id, disabledReason: 'owner' }]);
    expect((await storeSales(env, ['webhook', 'list', '--store', storeId])).stdout).toContain('disabled manually');
  });

  test.each<[string[], number, RegExp]>([
    [['store', 'create', '--owner', 'nobody@example.test', '--name', 'x'], 3, /no owner with the e-mail nobody/],
    [['key', 'create', '--store', 'x', '--name', 'k', '--rights', 'orders:read'], 3, /no store with the id x/],
    [['key', 'revoke', 'x'], 3, /no such key/],
    [['store', 'plan', '00000000-0000-7000-8000-000000000000', 'gold'], 3, /Unknown plan gold; valid plans: /],
    [['owner', 'create', '--email', 'x', '--name', 'n', '--password-stdin'], 3, /not an e-mail/],
    [['owner', 'create', '--email', 'x@y.z', '--name', 'n'], 2, /--password-stdin/],
    [['nonsense'], 2, /unknown command/],
    [['key', 'create'], 2, /required option/],
    [['webhook', 'resend'], 2, /Pass a delivery id/],
  ])('%j ends with one clear line, or JSON with a code', async (args, exitCode, message) => {
    const { code, stderr, stdout } = await storeSales(env, args, 'correct horse');
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    const json = await storeSales(env, [...args, '--json'], 'correct horse');
    expect([json.code, json.stdout]).toEqual([exitCode, '']);
    expect(JSON.parse(json.stderr)).toMatchObject({
      code: exitCode === 2 ? 'usage' : expect.stringMatching(/^(not_found|invalid_body)$/),
      message: expect.stringMatching(message),
    });
  });

  test('retired rights and a lifetime over five years are rejected', async () => {
    const { storeId } = await shop(env);
    const create = (rights: string, expires: string) =>
      storeSales(env, ['key', 'create', '--store', storeId, '--name', 'k', '--rights', rights, '--expires', expires]);
    expect((await create('products:write', '1y')).stderr).toMatch(/no longer issued/);
    expect((await create('orders:read', '6y')).stderr).toMatch(/at most 5 years/);
    expect((await create('orders:read', 'soon')).stderr).toMatch(/not a duration/);
    expect((await create('orders:read', '90d')).code).toBe(0);
  });

  test('every subcommand has help with an example', async () => {
    for (const args of [
      ['serve'],
      ['dispatch'],
      ['migrate'],
      ['demo'],
      ['owner', 'create'],
      ['store', 'create'],
      ['store', 'repair-clock'],
      ['key', 'create'],
    ]) {
      const { code, stdout } = await storeSales(env, [...args, '--help']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Example:')]);
      expect(stdout).toContain('--json');
    }
  });

  test('demo needs an empty database', async () => {
    expect(await storeSales(env, ['demo'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('empty database'),
    });
  });
});

describe('wrong configuration is one clear line and exit 1, a database out of reach exit 4', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['an invalid port', { PORT: 'http' }, /PORT must be a whole number/],
    [
      'an invalid database URL',
      { DATABASE_URL: 'mysql://x', SECRET_KEY: 'x'.repeat(32) },
      /DATABASE_URL must be an address/,
    ],
    [
      'no secret with PostgreSQL',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET_KEY: '' },
      /SECRET_KEY is required/,
    ],
    ['a short secret', { SECRET_KEY: 'short' }, /SECRET_KEY must be at least/],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET_KEY: 'x'.repeat(32) },
      /database cannot be reached or used/,
    ],
    ['an invalid boolean', { WEBHOOK_ALLOW_INTERNAL: 'yes' }, /must be true or false/],
    ['an invalid list of delays', { WEBHOOK_RETRY_DELAYS: '1m,soon' }, /WEBHOOK_RETRY_DELAYS must be a duration/],
    ['an invalid log level', { LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [
      'a data directory that is a file',
      { DATABASE_URL: '', SECRET_KEY: '', DATA_DIR: join(testDb.DATA_DIR, 'file') },
      /DATA_DIR .* cannot be used/,
    ],
  ])('%s', async (_name, wrong, message) => {
    writeFileSync(join(testDb.DATA_DIR, 'file'), '');
    const { code, stderr, stdout } = await storeSales({ ...env, ...wrong }, ['serve']);
    expect([code, stdout]).toEqual([String(message).includes('reached') ? 4 : 1, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('short');
  });

  test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await storeSales({ ...env, PORT: String(port) }, ['serve']);
    taken.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('set PORT to a free one')]);
  });

  test('a schema that needs a newer program', async () => {
    const newer = await testDatabase();
    const at = envOf(newer);
    await json(at, ['migrate']);
    const { openDatabase } = await import('@store-sales/server/db/open');
    const { sql } = await import('@store-sales/server/db/sql');
    const db = openDatabase({ databaseUrl: newer.DATABASE_URL, dataDir: newer.DATA_DIR });
    await db.run(
      sql`insert into schema_migrations (version, name, applied_at, lowest_version) values (9999, 'future', 0, 9999)`,
    );
    await db.close();
    const { code, stderr } = await storeSales(at, ['serve']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('schema version 9999')]);
    await newer.drop();
  });

  test('.env is read, and the environment wins over it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'store-sales-env-'));
    writeFileSync(join(dir, '.env'), 'PORT=nonsense\n');
    const before = process.cwd();
    const { spawnSync } = await import('node:child_process');
    const program = join(before, 'packages/server/bin/store-sales.js');
    const { PORT: _, ...without } = env;
    const wrong = spawnSync(process.execPath, [program, 'migrate'], { cwd: dir, env: without, encoding: 'utf8' });
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('PORT must be')]);
    const right = spawnSync(process.execPath, [program, 'migrate'], { cwd: dir, env, encoding: 'utf8' });
    expect(right.status).toBe(0);
  });
});

describe('starting', () => {
  test('three nodes started at the same time on an empty database migrate it once', async () => {
    const fresh = await testDatabase();
    const nodes = await Promise.all([1, 2, 3].map(() => serve(envOf(fresh))));
    const { openDatabase } = await import('@store-sales/server/db/open');
    const { sql } = await import('@store-sales/server/db/sql');
    const { SCHEMA_VERSION } = await import('@store-sales/server/db/migrate');
    const db = openDatabase({ databaseUrl: fresh.DATABASE_URL, dataDir: fresh.DATA_DIR });
    const applied = await db.all<{ version: number }>(sql`select version from schema_migrations order by version`);
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
    const { connect } = await import('node:net');
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
    const { connect } = await import('node:net');
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
    node.child.kill('SIGTERM');
    // After the limit of 15 s it would be stopped and log that.
    expect((await node.ended).code).toBe(0);
  });

  test('with DRAIN_TIME it reports that it is stopping and serves until then', async () => {
    const node = await serve({ ...env, DRAIN_TIME: '10s' });
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
    const { statSync } = await import('node:fs');
    expect(statSync(file).mode & 0o077).toBe(0);
    chmodSync(file, 0o600);
    await fresh.drop();
  });
});

/** Starts the command and kills it after some milliseconds; the moment is what the test varies. */
async function storeSalesKilled(env: Record<string, string>, args: string[], wait: number) {
  const { spawn } = await import('node:child_process');
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
