import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { emptyPlace, engine } from '../packages/server/test/database.ts';
import { call, envOf, json, serve, storeSales } from './processes.ts';

const place = await emptyPlace();
const env = envOf(place, { RATE_LIMIT_PER_MINUTE: '0' });
afterAll(() => place.drop());

describe.runIf(engine === 'sqlite')('backup and restore', () => {
  test('a backup under load is one consistent moment, and comes back elsewhere with its keys', async () => {
    const { apiKey, storeId } = await json<{ apiKey: string; storeId: string }>(env, ['demo']);
    const node = await serve(env);
    let isOver = false;
    let made = 0;
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const body = {
          items: [
            { sku: 'TEA-B-01', quantity: 1 },
            { sku: 'COF-01', quantity: 2 },
          ],
          customer: { phone: `${made}` },
        };
        const reply = await call(node, apiKey, 'POST', '/api/v1/orders', body);
        expect(reply.status).toBe(201);
        made++;
      }
    });
    const file = join(place.DATA_DIR, 'backup.db');
    await json(env, ['backup', file]);
    const madeBefore = made;
    isOver = true;
    await Promise.all(writers);
    await node.stop();
    expect(madeBefore).toBeGreaterThan(0);

    const other = await emptyPlace();
    const there = envOf(other);
    await json(there, ['restore', file]);
    const db = openDatabase({ databaseUrl: undefined, dataDir: other.DATA_DIR });
    const wrong = await db.all(
      sql`select o.id from orders o where o.store_id = ${storeId} and (
            (select count(*) from order_lines l where l.store_id = o.store_id and l.order_id = o.id) = 0
            or json_array_length(o.items) <> (select count(*) from order_lines l where l.store_id = o.store_id and l.order_id = o.id)
            or not exists (select 1 from events e where e.store_id = o.store_id and e.order_id = o.id and e.type = 'order.created'))`,
    );
    expect(wrong).toEqual([]);
    const clock = await db.one<{ seq: number; last_number: number }>(
      sql`select seq, last_number from store_clocks where store_id = ${storeId}`,
    );
    const found = await db.one(sql`select max(number) as last_number from orders where store_id = ${storeId}`);
    expect(found).toEqual({ last_number: clock?.last_number });
    await db.close();

    const restored = await serve(there);
    expect((await call(restored, apiKey, 'GET', '/api/v1/orders?limit=1')).status).toBe(200);
    await restored.stop();
    await other.drop();
  });

  test('nothing is overwritten, and what is not a backup is refused', async () => {
    const file = join(place.DATA_DIR, 'nonsense.db');
    writeFileSync(file, 'not a database');
    expect(await storeSales(env, ['backup', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    });
    expect(await storeSales(env, ['restore', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty'),
    });
    const other = await emptyPlace();
    expect(await storeSales(envOf(other), ['restore', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a backup'),
    });
    expect(existsSync(join(other.DATA_DIR, 'store-sales.db'))).toBe(false);
    await other.drop();
  });
});

test.runIf(engine === 'postgres')('with PostgreSQL, backups are the business of pg_dump', async () => {
  expect(await storeSales(env, ['backup', 'x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') });
});
