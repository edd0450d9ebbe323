import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { startBehindProxy } from '../../test/behind-proxy.ts';
import { addProduct } from '../../test/catalog.ts';
import { engine } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { tick } from '../db/clock/store-clock.ts';
import { type Database, DatabaseUnavailable, OutcomeUnknown, type Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { HOUR } from '../time/duration.ts';

describe('internal errors', () => {
  test('are 500 with a request id, without SQL, paths or stack traces', async () => {
    const service = await startService();
    const { key } = await service.shop();
    await service.db.run(sql`alter table orders rename to gone`);
    const replies = [
      await service.get('/api/v1/orders', key),
      await service.get('/api/v1/orders/00000000-0000-7000-8000-000000000000', key),
      await service.patch('/api/v1/orders/00000000-0000-7000-8000-000000000000', { notes: 'x' }, key),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body.code]).toEqual([500, 'internal_error']);
      expect(reply.text).not.toMatch(/orders t|no such table|relation|node_modules|\.ts|select/i);
      const logged = service.lines.find((line) => line.includes(reply.body.requestId) && line.includes('"err"'));
      expect(logged).toMatch(/orders/);
    }
    await service.db.run(sql`alter table gone rename to orders`);
    expect((await service.get('/api/v1/orders', key)).status).toBe(200);
  });
});

describe.runIf(engine === 'postgres')('an error of PostgreSQL', () => {
  const secret = 'Ivan Petrov';

  test('is logged without the row that it is about, also as a cause', async () => {
    const service = await startService();
    const { key, storeId } = await service.shop();
    await addProduct(service, storeId, { sku: 'TEA', price: 100 });
    await service.db.run(sql`alter table customers add constraint refused check (name <> 'Ivan Petrov')`);
    const customer = { name: secret, phone: '+7 900 111-22-33' };
    const reply = await service.post('/api/v1/orders', { customer, items: [{ sku: 'TEA', quantity: 1 }] }, key);
    expect(reply.status).toBe(500);
    const error = await service.db.run(sql`select cast(${secret} as int)`).catch((thrown) => thrown);
    expect(error.message).toContain(secret);
    service.services.log.error({ err: error }, 'a value');
    service.services.log.error({ err: new Error('outer', { cause: error }) }, 'a cause');
    service.services.log.error({ err: new AggregateError([error], 'several') }, 'several');
    const logged = service.lines.filter((line) => line.includes('"err"'));
    expect(logged).toHaveLength(4);
    expect(logged[0]).toMatch(/23514.*refused|refused.*23514/);
    expect(logged[1]).toContain('22P02');
    for (const line of logged) {
      expect(line).not.toMatch(/Petrov|111-22-33|9001112233/);
      expect(line).toContain('stack');
    }
  });
});

describe.runIf(engine === 'postgres')('an unreachable database', () => {
  test('is 503 with Retry-After on every endpoint and /readyz; the service recovers by itself', async () => {
    const { service, cut, restore } = await startBehindProxy();
    const { key } = await service.shop();
    cut();
    for (const reply of [
      await service.get('/api/v1/credentials', key),
      await service.get('/api/v1/orders', key),
      await service.post('/api/v1/references/warehouses', { name: 'x' }, key),
      await service.get('/readyz'),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([503, 'unavailable']);
      expect(reply.headers.get('retry-after')).toBe('2');
    }
    expect((await service.get('/healthz')).status).toBe(200);
    restore();
    await expect.poll(async () => (await service.get('/api/v1/credentials', key)).status).toBe(200);
  });

  test('fails the open transaction, not the process', async () => {
    const { db } = await startService();
    const processOf = (pid: unknown) => db.all(sql`select 1 from pg_stat_activity where pid = ${pid}`);
    const broken = (rest: (tx: Transaction) => unknown) =>
      db.transaction(async (tx) => {
        const mine = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await db.one(sql`select pg_terminate_backend(${mine?.pid}::int)`);
        await expect.poll(() => processOf(mine?.pid)).toEqual([]);
        await rest(tx);
      });
    await expect(broken((tx) => tx.one(sql`select 1`))).rejects.toThrow(DatabaseUnavailable);
    // The connection is lost during the commit, so the outcome is unknown.
    await expect(broken(() => {})).rejects.toThrow(OutcomeUnknown);
    expect(await db.one(sql`select 1 as found`)).toEqual({ found: 1 });
  });
});

describe.runIf(engine === 'postgres')('a network that drops packets without resetting connections', () => {
  const limits = { connectMs: 4000, queueMs: 5000, fastReadMs: 2000, statementMs: 3000, idleTransactionMs: 1000 };
  const manyAtOnce = (db: Database) =>
    Promise.all(Array.from({ length: 10 }, () => db.one<{ found: number }>(sql`select 1 as found, pg_sleep(0.05)`)));

  test('requests get 503 within the timeouts, and every connection is replaced', async () => {
    const { service, dropPackets } = await startBehindProxy(limits);
    const { key, storeId } = await service.shop();
    await addProduct(service, storeId, { sku: 'TEA' });
    const create = () => service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }] }, key);
    const read = () => service.get('/api/v1/orders', key);
    expect([(await create()).status, (await read()).status]).toEqual([201, 200]);
    // All connections of the pool are open and idle.
    await manyAtOnce(service.db);
    dropPackets();
    const started = Date.now();
    const replies = await Promise.all([create(), create(), create(), read(), read(), service.get('/readyz')]);
    const failed = replies.filter(({ status }) => status >= 300);
    expect(failed.length).toBeGreaterThan(0);
    for (const reply of failed) {
      expect([reply.status, reply.body.code]).toEqual([503, 'unavailable']);
      expect(reply.headers.get('retry-after')).toBe('2');
    }
    expect(Date.now() - started).toBeLessThan(20_000);
    for (const { found } of (await manyAtOnce(service.db)) as { found: number }[]) expect(found).toBe(1);
    expect([(await create()).status, (await read()).status]).toEqual([201, 200]);
  });

  test('waiting for a new connection has a timeout too', async () => {
    const { service, dropNewPackets } = await startBehindProxy(limits);
    const { key } = await service.shop();
    dropNewPackets();
    const replies = await Promise.all(Array.from({ length: 5 }, () => service.get('/api/v1/orders', key)));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(503));
  });

  test('a lost commit has an unknown outcome, and the server releases its locks', async () => {
    const { service, dropPackets } = await startBehindProxy(limits);
    const { key, storeId } = await service.shop();
    await addProduct(service, storeId, { sku: 'TEA' });
    const work = service.db.transaction(async (tx) => {
      await tick(tx, storeId, service.clock.now);
      dropPackets();
    });
    await expect(work).rejects.toThrow(OutcomeUnknown);
    const create = async () => {
      const reply = await service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }] }, key);
      return reply.status;
    };
    await expect.poll(create, { timeout: 30_000 }).toBe(201);
  });
});

test.runIf(engine === 'postgres')('with a read-only database, writes are 503 and reads work', async () => {
  const service = await startService();
  const { key } = await service.shop();
  const { visitor } = await signedInOwner(service);
  const setReadOnly = async (value: string) => {
    const name = new URL(service.config.DATABASE_URL as string).pathname.slice(1);
    const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
    await client.connect();
    await client.query(`alter database ${name} set default_transaction_read_only = ${value}`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await client.end();
  };
  const write = () => service.post('/api/v1/references/warehouses', { name: 'x' }, key);
  await setReadOnly('on');
  await expect.poll(async () => (await service.get('/api/v1/orders', key)).status).toBe(200);
  const rejected = await write();
  expect([rejected.status, rejected.body.code]).toEqual([503, 'unavailable']);
  expect(service.lines.join('')).toMatch(/read-only transaction/);
  // Its session would be extended now.
  service.clock.now += HOUR;
  expect((await visitor.get('/session')).status).toBe(200);
  await setReadOnly('off');
  await expect.poll(async () => (await write()).status).toBe(201);
});

test('after the clock is set back an hour, times do not go back and synchronization misses nothing', async () => {
  const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
  const { key, storeId } = await service.shop();
  await addProduct(service, storeId, { sku: 'TEA' });
  const order = (phone: string) => ({ items: [{ sku: 'TEA', quantity: 1 }], customer: { phone } });
  const create = async (phone: string) => (await service.post('/api/v1/orders', order(phone), key)).body.data;
  const first = await create('1');
  service.clock.now -= HOUR;
  const second = await create('2');
  const changed = (await service.patch(`/api/v1/orders/${first.id}`, { status: 'packing' }, key)).body.data;
  for (const { createdAt, updatedAt } of [second, changed])
    for (const time of [createdAt, updatedAt]) expect(time >= first.updatedAt).toBe(true);
  for (const list of ['orders', 'customers', 'products']) {
    const from = encodeURIComponent(first.updatedAt);
    const { body } = await service.get(`/api/v1/${list}?order=updatedAt:asc&filter[updatedAt][from]=${from}`, key);
    const times = body.data.map(({ updatedAt }: { updatedAt: string }) => updatedAt);
    expect(times).toEqual([...times].sort());
    expect(times).toHaveLength(list === 'products' ? 1 : 2);
  }
  expect((await service.get('/api/v1/credentials', key)).status).toBe(200);
});
