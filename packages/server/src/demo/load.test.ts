import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { sealer } from '../secrets.ts';
import { DAY } from '../time/duration.ts';
import { loadDemo } from './load.ts';

const service = await startService();
const { db, clock, config } = service;
const access = await loadDemo(db, config.SECRET_KEY, clock.now);
const visitor = browser(service);
await visitor.signIn(access.email, access.password);
const path = `/stores/${access.storeId}`;

test('every order has a delivery type and a payment type, and each type has orders', async () => {
  const { data } = (await service.get('/api/v1/orders?limit=100', access.apiKey)).body;
  expect(data).toHaveLength(100);
  const named = (names: (string | undefined)[]) => [...new Set(names)].sort();
  expect(named(data.map(({ delivery }: any) => delivery.type))).toEqual(['CDEK', 'Courier', 'Pickup']);
  expect(named(data.map(({ paymentType }: any) => paymentType?.code))).toEqual(['card', 'cash']);
  const pickup = data.find(({ delivery }: any) => delivery.type === 'Pickup');
  expect(pickup.delivery).toMatchObject({ cost: 0, street: '' });
});

test('a disabled endpoint has a log with deliveries of each final status, and nothing is left to send', async () => {
  const [endpoint, ...others] = (await visitor.get(`${path}/webhooks`)).body;
  expect(others).toEqual([]);
  expect(endpoint).toMatchObject({ url: 'https://example.com/webhooks/tea-house', isActive: false });
  expect(endpoint.disabledReason).toBe('owner');
  const log = async (status: string) =>
    (await visitor.get(`${path}/webhooks/${endpoint.id}/deliveries?status=${status}`)).body.deliveries as any[];
  const attemptsOf = async (status: string) => {
    const [latest] = await log(status);
    return (await visitor.get(`${path}/webhooks/${endpoint.id}/deliveries/${latest.id}`)).body.attempts as any[];
  };
  expect((await log('skipped')).length).toBe(4);
  expect((await log('stopped')).length).toBe(3);
  expect((await log('failed')).length).toBe(2);
  expect((await log('delivered')).length).toBeGreaterThan(20);
  expect(await log('pending')).toEqual([]);
  expect(await attemptsOf('skipped')).toEqual([]);
  expect(await attemptsOf('failed')).toHaveLength(7);
  expect((await attemptsOf('delivered')).at(-1)).toMatchObject({ responseStatus: 200, error: null });
  expect((await attemptsOf('stopped')).every(({ error }) => error !== null)).toBe(true);
  const ends = await db.all<{ ended: number }>(
    sql`select started_at + duration_ms as ended from attempts where store_id = ${access.storeId}`,
  );
  expect(Math.max(...ends.map(({ ended }) => ended))).toBeLessThan(clock.now);
  const waiting = await db.one<{ n: number }>(
    sql`select count(*) as n from deliveries where store_id = ${access.storeId} and next_attempt_at is not null`,
  );
  expect(Number(waiting?.n)).toBe(0);

  const stored = await db.one<{ secret: string }>(
    sql`select secret from webhook_endpoints where store_id = ${access.storeId}`,
  );
  expect(sealer(config.SECRET_KEY).open(stored?.secret ?? '')).toMatch(/^whsec_/);
});

test('an order of the demo can be changed, and its event is skipped', async () => {
  clock.now += DAY;
  const [order] = (await service.get('/api/v1/orders?limit=1', access.apiKey)).body.data;
  const changed = await service.patch(`/api/v1/orders/${order.id}`, { status: 'returned' }, access.apiKey);
  expect(changed.status).toBe(200);
  const statuses = await db.all<{ status: string }>(
    sql`select d.status from deliveries d join events e on e.store_id = d.store_id and e.id = d.event_id
        where d.store_id = ${access.storeId} and e.created_at = ${clock.now}`,
  );
  expect(statuses).toEqual([{ status: 'skipped' }]);
});

test('every product has a picture that ships with the console', async () => {
  const { data } = (await service.get('/api/v1/products?limit=100', access.apiKey)).body;
  const files = new URL('../../../console/public', import.meta.url);
  const paths = new Set<string>(data.map(({ imageUrl }: any) => imageUrl.replace(/^\/console/, '')));
  expect([...paths].filter((name) => !existsSync(files.pathname + name))).toEqual([]);
  expect(paths.size).toBeGreaterThan(10);
});
