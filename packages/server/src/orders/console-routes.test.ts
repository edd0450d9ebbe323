import { beforeAll, describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import { sql } from '../db/sql.ts';
import { HOUR } from '../duration.ts';
import { createPromoCode } from '../promo/promo-codes.ts';
import { addEndpoint } from '../webhooks/endpoints/edit-endpoints.ts';
import { disableEndpoint, enableEndpoint } from '../webhooks/endpoints/switch-endpoint.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const { db, clock } = service;

async function signedInOwner() {
  const owner = await service.owner();
  const shop = await service.shop({ ownerId: owner.id });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const path = `/stores/${shop.storeId}/orders`;
  const tea = await addProduct(service, shop.storeId, { sku: 'TEA-1', name: 'Чай зелёный', price: 15_000 });
  const found = async (query: Record<string, string>) =>
    (await visitor.get(`${path}?${new URLSearchParams(query)}`)).body.data?.map(({ number }: any) => number);
  /** Creates an order through the API, an hour after the previous one. */
  const order = async (body: object = {}) => {
    clock.now += HOUR;
    const items = [{ productId: tea, quantity: 1 }];
    return (await service.post('/api/v1/orders', { items, ...body }, shop.key)).body.data;
  };
  const choices = (await visitor.get(`${path}/choices`)).body;
  return { ...shop, owner, visitor, path, tea, found, order, choices };
}
type SignedInOwner = Awaited<ReturnType<typeof signedInOwner>>;

describe('the table', () => {
  let shop: SignedInOwner;
  beforeAll(async () => {
    shop = await signedInOwner();
    // In Moscow, three hours ahead of UTC, the second order is on the next day.
    clock.now = Date.parse('2026-10-05T19:30:00Z');
    await shop.order({ externalId: 'WEB-100', customer: { name: 'Ёлкина Анна', phone: '8 (916) 123-45-67' } });
    await shop.order({ externalId: 'WEB-1001', customer: { name: 'Bob Brown', phone: '+44 20 7946 0000' } });
    await shop.order({ externalId: '3', customer: { name: 'анна Ким', email: 'kim@example.test' } });
    const manual = await shop.visitor.post(shop.path, { items: [{ productId: shop.tea, quantity: 2 }] });
    await shop.visitor.patch(`${shop.path}/${manual.body.order.id}`, { paymentStatus: 'paid' });
  });

  test('is sorted newest first, like the API', async () => {
    expect(await shop.found({})).toEqual([4, 3, 2, 1]);
    const { body, headers } = await shop.visitor.get(shop.path);
    const { data, page } = (await service.get('/api/v1/orders', shop.key)).body;
    expect(body).toMatchObject({ page, data });
    for (const { id, etag } of body.data)
      expect(etag).toBe((await service.get(`/api/v1/orders/${id}`, shop.key)).headers.get('etag'));
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test.each([
    [{ status: 'new' }, [4, 3, 2, 1]],
    [{ status: 'packing' }, []],
    [{ payment: 'paid' }, [4]],
    [{ payment: 'unpaid', status: 'new' }, [3, 2, 1]],
    [{ source: 'manual' }, [4]],
    [{ source: 'api' }, [3, 2, 1]],
    [{ source: 'manual', payment: 'unpaid' }, []],
    [{ source: 'manual', status: 'new', payment: 'paid' }, [4]],
    [{ from: '2026-10-06' }, [4, 3, 2]],
    [{ to: '2026-10-05' }, [1]],
    [{ from: '2026-10-05', to: '2026-10-05' }, [1]],
    [{ q: '#2' }, [2]],
    [{ q: '3' }, [3]],
    [{ q: 'WEB-100' }, [2, 1]],
    [{ q: 'WEB-10' }, [2, 1]],
    [{ q: 'web-10' }, [2, 1]],
    [{ q: ' ЁЛКИНА ' }, [1]],
    [{ q: 'АННА' }, [3, 1]],
    [{ q: 'bob' }, [2]],
    [{ q: 'brown' }, [2]],
    [{ q: '+7 916 12' }, [1]],
    [{ q: '8916123' }, [1]],
    [{ q: '916 123-45' }, [1]],
    [{ q: '916' }, [1]],
    [{ q: '%' }, []],
    [{ q: 'an\\na' }, []],
    [{ q: 'bob', status: 'packing' }, []],
    [{ q: 'bob', source: 'api', from: '2026-10-06' }, [2]],
    [{ numbers: '4,1,99' }, [4, 1]],
    [{ numbers: '4,1', source: 'api' }, [1]],
    [{ order: 'createdAt:asc' }, [1, 2, 3, 4]],
    [{ order: 'updatedAt:desc', to: '2026-10-05' }, [1]],
    [{ order: 'updatedAt:asc', source: 'api', status: 'new' }, [1, 2, 3]],
  ] as [Record<string, string>, number[]][])('%j', async (query, numbers) => {
    expect(await shop.found(query)).toEqual(numbers);
  });

  test.each([
    { status: 'nothing' },
    { source: 'elsewhere' },
    { from: '2026-02-31' },
    { from: 'yesterday' },
    { cursor: 'x' },
    { q: '' },
    { limit: '5' },
    { order: 'number:asc' },
    { order: 'totalAmount:asc', q: 'bob' },
    { order: 'createdAt:asc', q: 'bob' },
    { numbers: '1', q: 'bob' },
    { numbers: '1,' },
    { numbers: '1,x' },
    { numbers: Array.from({ length: 501 }, (_, index) => index + 1).join() },
  ])('%j is rejected', async (query) => {
    const { status } = await shop.visitor.get(`${shop.path}?${new URLSearchParams(query as Record<string, string>)}`);
    expect(status).toBe(400);
  });

  test('all matching orders are exported', async () => {
    const all = await shop.visitor.get(`${shop.path}/export`);
    expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(all.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"');
    expect(all.text.split('\n').length).toBe(1 + 4 + 1);
    const [head, ...lines] = (await shop.visitor.get(`${shop.path}/export?q=WEB-10`)).text.trim().split('\n');
    expect(head).toMatch(/^\uFEFF?id,number,externalId/);
    expect(lines.map((line) => line.split(',')[1])).toEqual(['2', '1']);
    expect((await shop.visitor.get(`${shop.path}/export?status=packing`)).text.trim().split('\n').length).toBe(1);
    expect((await shop.visitor.get(`${shop.path}/export?status=nothing`)).status).toBe(400);
  });
});

describe('a manual order', () => {
  test('is created by the owner, with every field', async () => {
    const shop = await signedInOwner();
    const [courier] = shop.choices.deliveryTypes;
    const [cash] = shop.choices.paymentTypes;
    await createPromoCode(service.db, shop.storeId, { code: 'TEA', percent: 10 }, service.clock.now);
    const reply = await shop.visitor.post(shop.path, {
      items: [{ productId: shop.tea, quantity: 3, unitPrice: 10_000, discount: 1000 }],
      customer: { name: 'Анна', phone: '8 916 000 00 00' },
      delivery: { typeId: courier.id, cost: 500, discount: 100, city: 'Москва' },
      paymentTypeId: cash.id,
      promoCode: 'TEA',
      discount: 200,
      notes: 'Позвонить',
    });
    expect(reply.status).toBe(201);
    expect(reply.body.order).toMatchObject({
      source: 'manual',
      number: 1,
      totalAmount: 30_000 - 1000 - 2_900 - 200 + 400,
      promoCode: 'TEA',
      delivery: { type: courier.name, city: 'Москва' },
      paymentType: { id: cash.id },
      items: [{ name: 'Чай зелёный', lineTotal: 29_000 }],
    });
    expect(reply.body.timeline).toMatchObject([
      { type: 'order.created', actor: { kind: 'owner', name: 'Owner' }, from: null, to: null, deliveries: [] },
    ]);
  });

  test('reports every error at its pointer', async () => {
    const shop = await signedInOwner();
    const off = await addProduct(service, shop.storeId, { isActive: false });
    const { status, body } = await shop.visitor.post(shop.path, {
      items: [
        { productId: off, quantity: 1 },
        { productId: shop.tea, quantity: 1, discount: 99_999 },
      ],
      delivery: { cost: 1, discount: 2 },
    });
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer, code }: any) => [pointer, code])).toEqual([
      ['/items/0/productId', 'inactive'],
      ['/items/1/discount', 'negative'],
      ['/delivery/discount', 'negative'],
    ]);
  });

  test('its products are found by words of name, SKU or external id, those whose name starts with the text first', async () => {
    const shop = await signedInOwner();
    await addProduct(service, shop.storeId, { name: 'Чайник', sku: 'POT-1', externalId: '1c-7' });
    await addProduct(service, shop.storeId, { name: 'Чай чёрный', isActive: false });
    await addProduct(service, shop.storeId, { name: 'Банка для чая' });
    const names = async (q: string) =>
      (await shop.visitor.get(`${shop.path}/products?q=${encodeURIComponent(q)}`)).body.map(({ name }: any) => name);
    expect(await names('ЧА')).toEqual(['Чай зелёный', 'Чайник', 'Банка для чая']);
    expect(await names('ЧАЙ')).toEqual(['Чай зелёный', 'Чайник']);
    expect(await names('POT')).toEqual(['Чайник']);
    expect(await names('1c-')).toEqual(['Чайник']);
    expect(await names('pot')).toEqual(['Чайник']);
    expect(await names('зеленый ча')).toEqual(['Чай зелёный']);
    expect(await names('черный')).toEqual([]);
    expect(await names('елёный')).toEqual([]);
    expect(await names('')).toEqual(['Банка для чая', 'Чай зелёный', 'Чайник']);
    const { body } = await shop.visitor.get(`${shop.path}/products?q=POT`);
    expect(body).toEqual([
      { id: expect.any(String), name: 'Чайник', sku: 'POT-1', externalId: '1c-7', price: 15_000, stock: null },
    ]);
  });
});

test('a card of the board has the version of its order, and an outdated card is not moved', async () => {
  const shop = await signedInOwner();
  const { id } = await shop.order();
  const card = async (group: string) => (await shop.visitor.get(`${shop.path}/board?group=${group}`)).body.data[0];
  const { etag } = await card('new');
  expect(etag).toBe((await shop.visitor.get(`${shop.path}/${id}`)).body.etag);
  const move = (status: string, version: string) =>
    shop.visitor.patch(`${shop.path}/${id}`, { status }, { 'if-match': version });
  expect((await move('packing', etag)).status).toBe(200);
  expect((await move('completed', etag)).status).toBe(412);
  expect((await card('packing')).id).toBe(id);
  expect((await move('completed', (await card('packing')).etag)).status).toBe(200);
});

describe('the order page', () => {
  test('applies the same rules as the API, and rejects a change of an outdated version', async () => {
    const shop = await signedInOwner();
    const { id } = await shop.order({ customer: { name: 'A' } });
    const read = await shop.visitor.get(`${shop.path}/${id}`);
    const { data } = (await service.get(`/api/v1/orders/${id}`, shop.key)).body;
    expect(read.body.order).toEqual(data);
    const change = { notes: 'Call first', customer: { phone: '123' }, delivery: { city: 'Tver' } };
    const changed = await shop.visitor.patch(`${shop.path}/${id}`, change, { 'if-match': read.body.etag });
    expect(changed.body.order).toMatchObject({ ...change, customer: { name: 'A', phone: '123' } });
    expect(changed.body.etag).not.toBe(read.body.etag);
    const late = await shop.visitor.patch(`${shop.path}/${id}`, { notes: 'x' }, { 'if-match': read.body.etag });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect((await shop.visitor.patch(`${shop.path}/${id}`, {})).status).toBe(422);
    for (const unknown of ['x', shop.tea]) {
      expect((await shop.visitor.get(`${shop.path}/${unknown}`)).status).toBe(404);
      expect((await shop.visitor.patch(`${shop.path}/${unknown}`, change)).status).toBe(404);
    }
  });

  test('shows who edited which part, without the values, and edits send no webhooks', async () => {
    const shop = await signedInOwner();
    const hooks = webhooksOf(service);
    const endpoint = await hooks.endpoint('http://127.0.0.1:9/hook', { storeId: shop.storeId });
    const { id } = await shop.order();
    clock.now += HOUR;
    const address = `/api/v1/orders/${id}`;
    await service.patch(address, { notes: 'Call Anna', customer: { phone: '+7 900 000-00-00' } }, shop.key);
    await service.patch(address, { notes: 'Call Anna' }, shop.key);
    clock.now += HOUR;
    const change = { delivery: { city: 'Tver' }, status: 'packing' };
    await shop.visitor.patch(`${shop.path}/${id}`, change);

    const { timeline } = (await shop.visitor.get(`${shop.path}/${id}`)).body;
    const edits = timeline.filter(({ type }: any) => type === 'order.edited');
    expect(edits).toMatchObject([
      { at: new Date(clock.now).toISOString(), actor: { kind: 'owner', name: 'Owner' }, edited: ['delivery'] },
      { actor: { kind: 'key', name: 'Test key' }, edited: ['customer', 'notes'], from: null, to: null },
    ]);
    expect(edits.flatMap(({ deliveries }: any) => deliveries)).toEqual([]);
    expect(timeline).toHaveLength(4);
    const sent = ['order.status_changed', 'order.created'];
    expect((await hooks.log(endpoint.id)).map(({ type }) => type)).toEqual(sent);
    const events = await db.all<{ details: string }>(sql`select details from events where store_id = ${shop.storeId}`);
    expect(events.filter(({ details }) => /Anna|\+7 900|Tver/.test(details))).toEqual([]);
    // An edit while the endpoint is disabled does not count as missed.
    await disableEndpoint(service.services, endpoint.id);
    await service.patch(address, { notes: 'Call Bob' }, shop.key);
    await enableEndpoint(service.services, endpoint.id, { sendMissed: true });
    expect(await hooks.statuses(endpoint.id)).toEqual({ pending: sent.length });
  });

  test('shows events, actors and webhook deliveries', async () => {
    const shop = await signedInOwner();
    const endpoint = await addEndpoint(service.services, shop.storeId, {
      url: 'http://127.0.0.1:9/hook',
      events: ['order.status_changed'],
    });
    const { id } = await shop.order();
    clock.now += HOUR;
    await shop.visitor.patch(`${shop.path}/${id}`, { status: 'packing', paymentStatus: 'paid' });
    const read = async () => (await shop.visitor.get(`${shop.path}/${id}`)).body.timeline;
    const [, , created] = await read();
    const byType = async (type: string) => (await read()).find((event: any) => event.type === type);
    expect(created).toMatchObject({ type: 'order.created', actor: { kind: 'key', name: 'Test key' }, deliveries: [] });
    expect(await byType('order.payment_status_changed')).toMatchObject({
      from: { code: 'unpaid', name: 'Unpaid' },
      to: { code: 'paid', name: 'Paid' },
      deliveries: [],
    });
    const moved = await byType('order.status_changed');
    expect(moved).toMatchObject({
      at: new Date(clock.now).toISOString(),
      actor: { kind: 'owner', name: 'Owner' },
      from: { code: 'new', name: 'New' },
      to: { code: 'packing', name: 'Packing' },
      deliveries: [{ url: 'http://127.0.0.1:9/hook', status: 'pending', attempts: [], canResend: true }],
    });

    const [delivery] = moved.deliveries;
    await db.run(
      sql`update deliveries set status = 'failed', next_attempt_at = null, settled_at = ${clock.now}
          where store_id = ${shop.storeId}`,
    );
    await db.run(
      sql`insert into attempts (store_id, delivery_id, id, started_at, duration_ms, response_status)
          values (${shop.storeId}, ${delivery.id}, ${delivery.id}, ${clock.now}, 12, 500)`,
    );
    expect((await byType('order.status_changed')).deliveries).toMatchObject([
      { status: 'failed', attempts: [{ durationMs: 12, responseStatus: 500, error: null }] },
    ]);
    const resend = `/stores/${shop.storeId}/orders/deliveries/${delivery.id}/resend`;
    expect((await shop.visitor.post(resend)).body).toEqual({ id: delivery.id });
    expect((await byType('order.status_changed')).deliveries).toMatchObject([{ status: 'pending' }]);
    await disableEndpoint(service.services, endpoint.id);
    expect((await byType('order.status_changed')).deliveries).toMatchObject([{ status: 'stopped', canResend: false }]);
    expect((await shop.visitor.post(resend)).status).toBe(422);
  });
});
