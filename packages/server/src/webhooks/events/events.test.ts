import { beforeAll, describe, expect, test } from 'vitest';
import { isCitus } from '../../../test/database.ts';
import { orderFixtures } from '../../../test/orders.ts';
import { planOf } from '../../../test/plan.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { jsonPage } from '../../db/lists/json-page.ts';
import { listWindow } from '../../db/lists/list.ts';
import { raw } from '../../db/sql.ts';
import { isSent } from '../outbox/outbox.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const { clock } = service;
const { shop } = orderFixtures(service);

let opened: Awaited<ReturnType<typeof shop>>;
let orderIds: string[];
const events = (query = '', key = opened.key) => service.get(`/api/v1/events${query && `?${query}`}`, key);
const types = (body: any) => body.data.map(({ type }: any) => type);

beforeAll(async () => {
  opened = await shop();
  orderIds = [];
  for (let index = 0; index < 3; index++) {
    clock.now += 1000;
    const order = { externalId: `E-${index}`, items: [{ sku: 'TEA-1', quantity: 1 }] };
    orderIds.push((await service.post('/api/v1/orders', order, opened.key)).body.data.id);
  }
  clock.now += 1000;
  const path = `/api/v1/orders/${orderIds[0]}`;
  await service.patch(path, { notes: 'an edit has no event' }, opened.key);
  await service.patch(path, { status: 'packing', paymentStatus: 'paid' }, opened.key);
});

describe('GET /api/v1/events', () => {
  test('shows the events newest first, without an endpoint, and no edits', async () => {
    const { status, body } = await events();
    expect(status).toBe(200);
    expect(types(body).slice(0, 2).sort()).toEqual(['order.payment_status_changed', 'order.status_changed']);
    expect(types(body).slice(2)).toEqual(['order.created', 'order.created', 'order.created']);
    expect(body.data.at(-1)).toEqual({
      id: expect.any(String),
      type: 'order.created',
      createdAt: expect.stringMatching(/Z$/),
      data: { orderId: orderIds[0], externalId: 'E-0' },
    });
    expect(body.page).toEqual({ nextCursor: null, hasMore: false });
  });

  test('as they are sent to endpoints', async () => {
    const { storeId, key } = await shop();
    const receiver = await startReceiver();
    const hooks = webhooksOf(service);
    await hooks.endpoint(receiver.url, { storeId });
    await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key);
    const dispatcher = hooks.dispatcher();
    await dispatcher.idle();
    await dispatcher.close();
    expect((await events('', key)).body.data).toEqual(receiver.received.map(({ json }) => json));
  });

  test('filters by type, order and time, in any combination', async () => {
    const [first] = orderIds;
    expect(types((await events('filter[type]=order.status_changed')).body)).toEqual(['order.status_changed']);
    expect((await events(`filter[orderId]=${first?.toUpperCase()}`)).body.data).toHaveLength(3);
    const { body } = await events(`filter[orderId]=${first}&filter[type]=order.created&order=createdAt:asc`);
    expect(types(body)).toEqual(['order.created']);
    const at = encodeURIComponent(body.data[0].createdAt);
    expect((await events(`filter[createdAt][from]=${at}&filter[createdAt][to]=${at}`)).body.data).toEqual(body.data);
    expect((await events('filter[orderId]=00000000-0000-7000-8000-000000000000')).body.data).toEqual([]);
  });

  test.each([
    ['filter[type]=ping', 'filter[type]', 'invalid_parameter'],
    ['filter[type]=order.edited', 'filter[type]', 'invalid_parameter'],
    ['filter[orderId]=x', 'filter[orderId]', 'invalid_parameter'],
    ['order=updatedAt:asc', 'order', 'invalid_parameter'],
    ['filter[updatedAt][from]=2026-01-01T00:00:00Z', 'filter[updatedAt][from]', 'unknown_parameter'],
  ])('%s is rejected', async (query, parameter, code) => {
    const { status, body } = await events(query);
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, code, parameter]);
  });

  test('pages in both orders repeat and skip nothing', async () => {
    for (const order of ['createdAt:asc', 'createdAt:desc']) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await events(`order=${order}&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        found.push(...body.data.map(({ id }: any) => id));
        if (!body.page.nextCursor) break;
        cursor = body.page.nextCursor;
      }
      const whole = (await events(`order=${order}`)).body.data.map(({ id }: any) => id);
      expect(found).toEqual(whole);
      expect(new Set(found).size).toBe(5);
    }
  });

  test('a client that follows gets each event once, also of a status that is disabled', async () => {
    const { key } = await shop();
    const start = await events('order=createdAt:asc', key);
    let cursor = start.body.page.syncCursor;
    const seen: string[] = [];
    const poll = async () => {
      const { body } = await events(`order=createdAt:asc&limit=100&cursor=${encodeURIComponent(cursor)}`, key);
      cursor = body.page.syncCursor;
      seen.push(...body.data.map(({ id }: any) => id));
      return types(body);
    };
    const custom = await service.post('/api/v1/references/order-statuses', { name: 'Gift', group: 'packing' }, key);
    const statusId = custom.body.data.id;
    for (let index = 0; index < 3; index++) {
      const { body } = await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key);
      await service.patch(`/api/v1/orders/${body.data.id}`, { statusId }, key);
    }
    expect(await poll()).toHaveLength(6);
    await service.patch(`/api/v1/references/order-statuses/${statusId}`, { isActive: false }, key);
    expect(await poll()).toEqual(Array(3).fill('order.status_changed'));
    expect(await poll()).toEqual([]);
    expect(new Set(seen).size).toBe(9);
  });

  test('needs the right to read orders, and shows no other store', async () => {
    const other = await service.shop();
    expect((await events('', other.key)).body.data).toEqual([]);
    const key = await service.key(opened.storeId, ['products:read']);
    expect((await events('', key)).body.code).toBe('insufficient_rights');
  });
});

test.skipIf(isCitus)('a page is read from the index of sent events', async () => {
  const { db, services } = service;
  const query = { order: 'createdAt:asc' as const, limit: 50 };
  const source = { table: 'events', createdTie: 'seq' };
  const window = listWindow(services, source, opened.storeId, query, [isSent('t')]);
  const statement = jsonPage(db.dialect, window, { json: raw('cast(t.id as text)') });
  expect(await planOf(db, statement, { without: ['seqscan', 'sort', 'bitmapscan'] })).toContain('events_by_time');
});
