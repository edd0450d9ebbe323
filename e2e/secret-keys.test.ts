import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { addHook, call, envOf, json, serve, shop, storeSales } from './processes.ts';

const OLD = 'the old key of these tests';
const NEW = 'the new key of these tests';
const testDb = await testDatabase();
const under = (key: string) => envOf(testDb, { SECRET_KEY: key, WEBHOOK_ALLOW_INTERNAL: 'true' });
afterAll(() => testDb.drop());

test('a key is rotated while the service runs, and a process with a wrong key does not start', async () => {
  let node = await serve(under(OLD));
  const { storeId, key } = await shop(under(OLD));
  const hook = await addHook(under(OLD), storeId, 'http://127.0.0.1:9/hook');

  for (const args of [['serve'], ['dispatch'], ['webhook', 'ping', hook.id], ['secrets', 'rotate']]) {
    const { code, stdout, stderr } = await storeSales(under(NEW), args);
    expect([args, code, stdout]).toEqual([args, 1, '']);
    expect(stderr).toMatch(/^store-sales: SECRET_KEY does not match the database[^\n]*\n$/);
  }

  // Add the key everywhere, make it primary, re-encrypt everything, then remove the old one.
  for (const keys of [`${OLD},${NEW}`, `${NEW},${OLD}`]) {
    const next = await serve(under(keys));
    await node.stop();
    node = next;
  }
  expect(await storeSales(under(OLD), ['dispatch'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is missing a key'),
  });
  expect(await json(under(`${NEW},${OLD}`), ['secrets', 'rotate'])).toEqual({ rotated: 1, unchanged: 0 });
  expect(await json(under(`${NEW},${OLD}`), ['secrets', 'rotate'])).toEqual({ rotated: 0, unchanged: 1 });
  const last = await serve(under(NEW));
  await node.stop();
  expect((await call(last, key, 'GET', '/api/v1/orders?limit=1')).status).toBe(200);
  await json(under(NEW), ['webhook', 'ping', hook.id]);
  const log = () => json<{ attempts: { error: string }[] }[]>(under(NEW), ['webhook', 'log', hook.id]);
  await expect.poll(async () => (await log())[0]?.attempts.length, { timeout: 60_000 }).toBeGreaterThan(0);
  const errors = (await log()).flatMap(({ attempts }) => attempts.map(({ error }) => error));
  expect(errors.filter((error) => error.includes('secret'))).toEqual([]);
  await last.stop();
});

describe.runIf(engine === 'sqlite')('the embedded database with its own secret.key', () => {
  test('gets a new key while the service is stopped; the old one is removed', async () => {
    const own = await testDatabase();
    const env = envOf(own);
    const file = join(own.DATA_DIR, 'secret.key');
    const lines = () => readFileSync(file, 'utf8').split('\n').filter(Boolean);
    const { key, storeId } = await shop(env);
    await addHook({ ...env, WEBHOOK_ALLOW_INTERNAL: 'true' }, storeId, 'http://127.0.0.1:9/hook');
    const node = await serve(env);
    const [first] = lines();
    const busy = await storeSales(env, ['secrets', 'rotate', '--new']);
    expect([busy.code, busy.stderr]).toEqual([4, 'store-sales: The database is in use; stop the service first.\n']);
    expect(lines()).toEqual([first]);
    await node.stop();

    expect(await storeSales({ ...env, SECRET_KEY: first as string }, ['secrets', 'rotate', '--new'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('SECRET_KEY'),
    });
    expect(await json(env, ['secrets', 'rotate', '--new'])).toEqual({ rotated: 1, unchanged: 0 });
    expect(lines()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), first]);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const copy = join(own.DATA_DIR, 'copy.db');
    await json(env, ['backup', copy]);
    const restored = await testDatabase();
    await json(envOf(restored), ['restore', copy]);
    expect(readFileSync(join(restored.DATA_DIR, 'secret.key'), 'utf8')).toBe(readFileSync(file, 'utf8'));

    writeFileSync(file, `${lines()[0]}\n`);
    const again = await serve(env);
    expect((await call(again, key, 'GET', '/api/v1/credentials')).status).toBe(200);
    await again.stop();
    writeFileSync(file, `${first}\n`);
    for (const args of [['serve'], ['backup', join(own.DATA_DIR, 'useless.db')]])
      expect((await storeSales(env, args)).stderr).toMatch(/^store-sales: SECRET_KEY does not match/);
    await Promise.all([own.drop(), restored.drop()]);
  });
});
