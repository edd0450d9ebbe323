import { describe, expect, test } from 'vitest';
import { orderFixtures } from '../../../test/orders.ts';
import { startService } from '../../../test/service.ts';
import { sql } from '../../db/sql.ts';

const service = await startService();
const { clock, db } = service;
const { shop, eventsOf, fieldErrorsOf } = orderFixtures(service);

/** An order of 300.00; `list` and `read` show it as the two kinds of responses do. */
async function openOrder(more: object = {}) {
  const opened = await shop();
  const { key } = opened;
  const created = await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 2 }], ...more }, key);
  expect(created.status, created.text).toBe(201);
  clock.now += 1000;
  const path = `/api/v1/orders/${created.body.data.id}`;
  return {
    ...opened,
    created: created.body.data,
    patch: (change: object) => service.patch(path, change, key),
    read: async () => (await service.get(path, key)).body.data,
    list: async () => (await service.get('/api/v1/orders', key)).body.data,
  };
}

describe('metadata', () => {
  test('is kept as it was sent, in every response; {} without', async () => {
    const metadata = { 'a.b-c_D1': 'текст "1"', empty: '', __proto__x: 'x' };
    const { created, read, list } = await openOrder({ metadata });
    expect(created.metadata).toEqual(metadata);
    expect((await read()).metadata).toEqual(metadata);
    expect((await list())[0].metadata).toEqual(metadata);
    expect((await openOrder()).created.metadata).toEqual({});
  });

  test('is changed key by key: "" removes one, the others stay, {} changes nothing', async () => {
    const { patch, created, storeId } = await openOrder({ metadata: { a: '1', b: '2' } });
    const changed = await patch({ metadata: { b: '', c: '3' } });
    expect(changed.body.data.metadata).toEqual({ a: '1', c: '3' });
    for (const metadata of [{}, { missing: '' }, { a: '1' }])
      expect((await patch({ metadata })).body.data.updatedAt).toBe(changed.body.data.updatedAt);
    expect((await eventsOf(storeId, created.id)).map(({ type }) => type)).toEqual(['order.created', 'order.edited']);
  });

  test('a name of an object property is a key like any other', async () => {
    const { patch, key } = await openOrder();
    const send = (body: string, method = 'PATCH', path = '') => service.send(method, path, { key, rawBody: body });
    const { body } = await patch({ metadata: { constructor: 'c', toString: 't' } });
    expect(body.data.metadata).toEqual({ constructor: 'c', toString: 't' });
    const own = await send(`{"metadata":{"__proto__":"p"}}`, 'PATCH', `/api/v1/orders/${body.data.id}`);
    expect([200, 400, 422]).toContain(own.status);
    expect(({} as Record<string, unknown>).p).toBeUndefined();
  });

  test('faults of a value are at its key', async () => {
    const { patch, key } = await openOrder();
    const metadata = { 'a b': 'x', ok: 'x'.repeat(501), n: 1, 'x/y': 'z' };
    const expected = ['/metadata/a b invalid_format', '/metadata/n wrong_type', '/metadata/ok too_long'];
    const faults = [...expected, '/metadata/x~1y invalid_format'].sort();
    expect(fieldErrorsOf(await patch({ metadata }))).toEqual(faults);
    const body = { items: [{ sku: 'TEA-1', quantity: 1 }], metadata };
    expect(fieldErrorsOf(await service.post('/api/v1/orders', body, key))).toEqual(faults);
    expect(fieldErrorsOf(await patch({ metadata: 'x' }))).toEqual(['/metadata wrong_type']);
  });

  test('20 keys at most: in a creation those sent, in a change those of the result', async () => {
    const keys = (from: number, count: number, value = 'v') =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, value]));
    const { patch, key } = await openOrder({ metadata: keys(0, 20) });
    const body = { items: [{ sku: 'TEA-1', quantity: 1 }], metadata: keys(0, 21) };
    expect(fieldErrorsOf(await service.post('/api/v1/orders', body, key))).toEqual(['/metadata too_large']);
    expect(fieldErrorsOf(await patch({ metadata: keys(20, 1) }))).toEqual(['/metadata too_large']);
    expect((await patch({ metadata: { ...keys(0, 20, ''), ...keys(20, 20) } })).body.data.metadata).toEqual(
      keys(20, 20),
    );
  });
});

describe('paidAmount', () => {
  const paid = async (reply: Promise<{ body: { data: { paidAmount: number } } }>) => (await reply).body.data.paidAmount;

  test('follows a change of the payment status: paid, partially paid, unpaid, refunded', async () => {
    const { patch, created } = await openOrder();
    expect(created.paidAmount).toBe(0);
    expect(await paid(patch({ paymentStatus: 'paid' }))).toBe(30_000);
    expect(await paid(patch({ paymentStatus: 'partially_paid' }))).toBe(30_000);
    expect(await paid(patch({ paymentStatus: 'refunded' }))).toBe(0);
    expect(await paid(patch({ paymentStatus: 'partially_paid', paidAmount: 10_000 }))).toBe(10_000);
    expect(await paid(patch({ paymentStatus: 'unpaid' }))).toBe(0);
  });

  test('a status of the store that counts as paid sets it, one that does not leaves it', async () => {
    const { patch, key } = await openOrder();
    const status = async (name: string, isPaid: boolean) =>
      (await service.post('/api/v1/references/payment-statuses', { name, isPaid }, key)).body.data.id;
    expect(await paid(patch({ paymentStatusId: await status('By invoice', true) }))).toBe(30_000);
    expect(await paid(patch({ paymentStatusId: await status('In doubt', false) }))).toBe(30_000);
  });

  test('what is sent counts, and a status that is sent again changes nothing', async () => {
    const { patch } = await openOrder();
    expect(await paid(patch({ paymentStatus: 'paid', paidAmount: 5 }))).toBe(5);
    expect(await paid(patch({ paymentStatus: 'paid' }))).toBe(5);
    expect(await paid(patch({ paidAmount: Number.MAX_SAFE_INTEGER }))).toBe(Number.MAX_SAFE_INTEGER);
    for (const paidAmount of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1])
      expect((await patch({ paidAmount })).status).toBe(422);
  });

  test('lines edited and paid in one change count with the new total; edited alone, it stays', async () => {
    const { patch } = await openOrder();
    const items = [{ sku: 'CUP-1', quantity: 1 }];
    expect(await paid(patch({ items, paymentStatus: 'paid' }))).toBe(40_000);
    expect(await paid(patch({ items: [{ sku: 'CUP-1', quantity: 2 }] }))).toBe(40_000);
  });

  test('moves updatedAt without an event of its own', async () => {
    const { patch, created, storeId } = await openOrder();
    const { body } = await patch({ paidAmount: 7 });
    expect(body.data.updatedAt).not.toBe(created.updatedAt);
    expect((await patch({ paidAmount: 7 })).body.data.updatedAt).toBe(body.data.updatedAt);
    expect((await eventsOf(storeId, created.id)).map(({ type }) => type)).toEqual(['order.created', 'order.edited']);
  });

  test('a payment status that is disabled makes its orders unpaid, so 0', async () => {
    const { patch, read, key } = await openOrder();
    const { body } = await service.post('/api/v1/references/payment-statuses', { name: 'Card', isPaid: true }, key);
    await patch({ paymentStatusId: body.data.id });
    await service.patch(`/api/v1/references/payment-statuses/${body.data.id}`, { isActive: false }, key);
    expect(await read()).toMatchObject({ paidAmount: 0, paymentStatus: { code: 'unpaid' } });
  });

  test('a creation does not take it', async () => {
    const { key } = await shop();
    const body = { items: [{ sku: 'TEA-1', quantity: 1 }], paidAmount: 1 };
    expect(fieldErrorsOf(await service.post('/api/v1/orders', body, key))).toEqual(['/paidAmount unknown']);
  });
});

describe('tracking', () => {
  const template = 'https://track.example/p?id={number}&again={number}';
  const setTemplate = (key: string, id: string, trackingUrlTemplate: string) =>
    service.patch(`/api/v1/references/delivery-types/${id}`, { trackingUrlTemplate }, key);

  test('the address is the present template of the delivery type with the number, percent-encoded', async () => {
    const { patch, read, list, key, deliveryType, created } = await openOrder({
      delivery: { trackingNumber: 'A/1 "я"' },
    });
    expect(created.delivery).toMatchObject({ trackingNumber: 'A/1 "я"', trackingUrl: '' });
    expect((await setTemplate(key, deliveryType, template)).body.data.trackingUrlTemplate).toBe(template);
    const url = template.replaceAll('{number}', encodeURIComponent('A/1 "я"'));
    expect((await patch({ delivery: { typeId: deliveryType } })).body.data.delivery.trackingUrl).toBe(url);
    expect((await read()).delivery.trackingUrl).toBe(url);
    expect((await list())[0].delivery.trackingUrl).toBe(url);

    // Like the name of a status: shown at once, also from the cache, without a change of the order.
    const { updatedAt } = await read();
    await setTemplate(key, deliveryType, 'https://other.example/{number}');
    expect((await read()).delivery.trackingUrl).toBe(`https://other.example/${encodeURIComponent('A/1 "я"')}`);
    expect((await list())[0].delivery.trackingUrl).toMatch(/^https:\/\/other/);
    await setTemplate(key, deliveryType, '');
    expect((await read()).delivery.trackingUrl).toBe('');
    expect((await read()).updatedAt).toBe(updatedAt);
    expect((await patch({ delivery: { trackingNumber: '' } })).body.data.delivery.trackingNumber).toBe('');
  });

  test('a creation has it at once, and another delivery type has its own', async () => {
    const opened = await shop();
    const { key, deliveryType } = opened;
    await setTemplate(key, deliveryType, template);
    const delivery = { typeId: deliveryType, trackingNumber: '42' };
    const body = { items: [{ sku: 'TEA-1', quantity: 1 }], delivery };
    const { data } = (await service.post('/api/v1/orders', body, key)).body;
    expect(data.delivery.trackingUrl).toBe('https://track.example/p?id=42&again=42');
    const changed = await service.patch(`/api/v1/orders/${data.id}`, { delivery: { typeId: '' } }, key);
    expect(changed.body.data.delivery).toMatchObject({ trackingNumber: '42', trackingUrl: '' });
  });

  test('the address cannot be sent, and the number has at most 100 characters', async () => {
    const { patch } = await openOrder();
    const delivery = { trackingUrl: 'https://x.example', trackingNumber: 'x'.repeat(101) };
    expect(fieldErrorsOf(await patch({ delivery }))).toEqual([
      '/delivery/trackingNumber too_long',
      '/delivery/trackingUrl unknown',
    ]);
  });

  test.each([
    'http://track.example/{number}',
    'https://track.example/',
    'https://{number}.example/',
    'https://user@track.example/{number}',
    'https://track.example',
    'javascript:alert({number})',
    `https://track.example/{number}${'x'.repeat(2000)}`,
  ])('%s is no template', async (trackingUrlTemplate) => {
    const { key, deliveryType } = await shop();
    const reply = await setTemplate(key, deliveryType, trackingUrlTemplate);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/trackingUrlTemplate']);
  });

  test('a template of many stores changes in all of them', async () => {
    const first = await shop();
    const second = await service.shop({ ownerId: first.ownerId });
    const before = await db.one<{ seq: number }>(sql`select seq from store_clocks where store_id = ${second.storeId}`);
    await setTemplate(first.key, first.deliveryType, template);
    const { data } = (await service.get('/api/v1/references/delivery-types', second.key)).body;
    expect(data.find(({ id }: { id: string }) => id === first.deliveryType).trackingUrlTemplate).toBe(template);
    const after = await db.one<{ seq: number }>(sql`select seq from store_clocks where store_id = ${second.storeId}`);
    expect(after?.seq).toBe((before?.seq ?? 0) + 1);
  });
});
