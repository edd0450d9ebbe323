import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { engine } from '../../../test/database.ts';
import { everyRead } from '../../../test/every-read.ts';
import { maintain } from '../../../test/maintain.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { loadDemo } from '../../demo/load.ts';
import { MINUTE } from '../../time/duration.ts';
import { DatabaseMoving } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { databaseFile } from '../open.ts';
import { sql } from '../sql.ts';
import { isBeingCopied, lockForCopy, MOVED_VERSION, markMoved } from './moving.ts';

async function demo() {
  const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
  const { storeId, apiKey, email, password } = await loadDemo(service.db, service.config.SECRET_KEY, service.clock.now);
  const visitor = browser(service);
  await visitor.signIn(email, password);
  const file = databaseFile(service.config.DATA_DIR);
  const create = () => {
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    return service.post('/api/v1/orders', { items: [{ sku: 'COF-01', quantity: 1 }] }, apiKey, headers);
  };
  return { service, storeId, apiKey, visitor, file, create };
}

const refusal = {
  status: 503,
  body: { code: 'unavailable', detail: expect.stringContaining('being copied') },
};

describe.runIf(engine === 'sqlite')('a database that is being copied', () => {
  test('writes get 503 at once, every read works, and everything goes on afterwards', async () => {
    const { service, storeId, apiKey, visitor, file, create } = await demo();
    const { db, services, clock } = service;
    // Sessions and keys that were not used for a minute are updated by a read.
    clock.now += 2 * MINUTE;
    const before = await everyRead(service, storeId, apiKey, visitor);
    clock.now += 2 * MINUTE;
    const { id: endpointId } = await webhooksOf(service).endpoint('http://127.0.0.1:9/', { storeId });
    expect((await create()).status).toBe(201);
    expect(isBeingCopied(file)).toBe(false);

    const lock = lockForCopy(file);
    const start = performance.now();
    const replies = await Promise.all(Array.from({ length: 50 }, create));
    for (const reply of replies) expect(reply).toMatchObject(refusal);
    expect(replies[0]?.headers.get('retry-after')).toBe('2');
    expect(await visitor.post(`/stores/${storeId}/orders`, { items: [{ sku: 'COF-01', quantity: 1 }] })).toMatchObject(
      refusal,
    );
    // Not the 15 s that a transaction waits for others.
    expect(performance.now() - start).toBeLessThan(14_000);
    const during = await everyRead(service, storeId, apiKey, visitor);
    for (const [path, { status }] of Object.entries(before))
      expect([path, during[path]?.status ?? status]).toEqual([path, status]);
    expect(Object.values(during).filter(({ status }) => status === 503)).toEqual([]);

    const dispatcher = webhooksOf(service).dispatcher();
    await expect(dispatcher.cycle()).rejects.toThrow(DatabaseMoving);
    await expect(maintain(services)).rejects.toThrow(DatabaseMoving);
    await expect(migrate(db)).rejects.toThrow(DatabaseMoving);
    lock.close();

    expect((await create()).status).toBe(201);
    await maintain(services);
    await dispatcher.idle();
    await dispatcher.close();
    expect(await webhooksOf(service).statuses(endpointId)).toEqual({ pending: 2 });
    expect(existsSync(`${file}-copying`)).toBe(true);
    expect(isBeingCopied(file)).toBe(false);
  });

  test('after the move nothing can be written, by any program', async () => {
    const { service, file, create } = await demo();
    const lock = lockForCopy(file);
    markMoved(lock, 'postgres://db.example/shop', service.clock.now);
    lock.exec('commit');
    lock.close();
    expect(await create()).toMatchObject({ status: 503, body: { detail: expect.stringContaining('has moved') } });
    expect(await service.get('/readyz')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('moved') },
    });
    await expect(migrate(service.db)).rejects.toThrow('has moved to postgres://db.example/shop');
    // Programs of earlier releases look at this only.
    expect(await service.db.one(sql`select max(lowest_version) as lowest from schema_migrations`)).toEqual({
      lowest: MOVED_VERSION,
    });
  });
});
