import { describe, expect, expectTypeOf, test } from 'vitest';
import { addProduct } from '../../server/test/catalog.ts';
import { startService } from '../../server/test/service.ts';
import { routes } from './contract.generated.ts';
import { hasCode, type OrderItem, type OrderSummary, type OrderWithItems, responseOf, StoreSales } from './index.ts';

const service = await startService();
const { storeId, key } = await service.shop();
const productId = await addProduct(service, storeId, { sku: 'Чай/1 %', externalId: 'p-1' });
const requests: string[] = [];

const recordingFetch: typeof fetch = (input, init) => {
  const url = new URL(String(input));
  requests.push(`${init?.method} ${decodeURIComponent(url.pathname + url.search).replace('/api/v1', '')}`);
  return fetch(input, init);
};

const client = new StoreSales({ baseUrl: `${service.url}/`, apiKey: key, fetch: recordingFetch, retries: 0 });

function assertWhole(order: OrderWithItems | OrderSummary): OrderWithItems {
  if (!('items' in order)) throw new Error(`order ${order.id} is a summary`);
  return order;
}

test('every operation of the contract has a method', async () => {
  requests.length = 0;
  const { orders, events, products, customers, references, stock } = client;
  await client.credentials.check();
  const order = assertWhole(
    await orders.create({ items: [{ productId, quantity: 2 }], customer: { phone: '+7 900 1' } }),
  );
  await orders.list();
  await orders.get(order.id);
  await orders.change(order.id, { notes: 'x' });
  await products.list();
  await products.get(productId);
  await events.list();
  await customers.list();
  await customers.get(order.customer.id as string);
  const [type] = await references.deliveryTypes.list();
  await references.deliveryTypes.change(type?.id as string, { name: 'Renamed' });
  await references.paymentTypes.list();
  await references.paymentTypes.create({ name: 'Credit' });
  await references.orderStatuses.list();
  const status = await references.orderStatuses.create({ group: 'packing', name: 'Wrapped' });
  await references.orderStatuses.change(status.id, { isActive: false });
  await references.paymentStatuses.list();
  const payment = await references.paymentStatuses.create({ name: 'Half' });
  await references.paymentStatuses.change(payment.id, { isPaid: true });
  await references.categories.list();
  await references.warehouses.list();
  await references.warehouses.create({ name: 'Main' });
  await stock.change({ lines: [{ productId, quantity: 40 }] });

  const paths = requests.map((line) => line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}'));
  expect(paths.sort()).toEqual(Object.values(routes).sort());
});

describe('records', () => {
  test('are returned unchanged, with response details', async () => {
    const order = assertWhole(
      await client.orders.create({ externalId: 'a-1', items: [{ sku: 'Чай/1 %', quantity: 1 }] }),
    );
    expectTypeOf(order.items).toEqualTypeOf<OrderItem[]>();
    expect(order).toEqual((await service.get(`/api/v1/orders/${order.id}`, await service.key(storeId))).body.data);
    expect(responseOf(order)).toMatchObject({ status: 201, replayed: false, etag: expect.stringMatching(/^"\d+"$/) });

    const retried = await client.orders.create({ externalId: 'a-1', items: [{ sku: 'Чай/1 %', quantity: 1 }] });
    expect(retried).toEqual(order);
    expect(responseOf(retried)).toMatchObject({ status: 200, replayed: true });
    expect(() => responseOf({ ...order })).toThrow(TypeError);
  });

  test('creates one record for one idempotencyKey', async () => {
    const lines = { items: [{ productId, quantity: 1 }] };
    const order = await client.orders.create(lines, { idempotencyKey: 'k-1' });
    const repeated = await client.orders.create(lines, { idempotencyKey: 'k-1' });
    expect(repeated).toEqual(order);
    expect([responseOf(order).replayed, responseOf(repeated).replayed]).toEqual([false, true]);
    const other = client.orders.create({ ...lines, notes: 'x' }, { idempotencyKey: 'k-1' });
    await expect(other).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    const warehouses = () => client.references.warehouses.create({ name: 'North' }, { idempotencyKey: 'k-1' });
    expect((await warehouses()).id).toBe((await warehouses()).id);
  });

  test('an id may contain any character but must not be a path segment', async () => {
    expect((await client.products.get('Чай/1 %')).id).toBe(productId);
    expect((await client.products.get('p-1')).id).toBe(productId);
    for (const id of ['', '.', '..']) await expect(client.products.get(id)).rejects.toThrow(TypeError);
  });

  test('ifMatch prevents overwriting another change', async () => {
    const read = await client.orders.create({ items: [{ productId, quantity: 1 }] });
    const packed = assertWhole(await client.orders.change(read.id, { status: 'packing' }, { ifMatch: read }));
    expect(packed.status.code).toBe('packing');
    const stale = client.orders.change(read.id, { status: 'cancelled' }, { ifMatch: read });
    await expect(stale).rejects.toSatisfy((error) => hasCode(error, 'precondition_failed'));
    const etag = responseOf(packed).etag;
    const fresh = assertWhole(await client.orders.change(read.id, { status: 'new' }, { ifMatch: etag }));
    expect(fresh.status.code).toBe('new');
  });

  test('a key without orders:read gets a summary from a retry or a change', async () => {
    const apiKey = await service.key(storeId, ['orders:write']);
    const writer = new StoreSales({ baseUrl: service.url, apiKey });
    const newOrder = { externalId: 'w-1', items: [{ productId, quantity: 1 }] };
    const { id, number, externalId, createdAt } = assertWhole(await writer.orders.create(newOrder));
    const retried = await writer.orders.create(newOrder);
    expectTypeOf(retried).toEqualTypeOf<OrderWithItems | OrderSummary>();
    expect(retried).toEqual({ id, number, externalId, createdAt });
    expect(responseOf(retried)).toMatchObject({ status: 200, replayed: true });
    const changed = await writer.orders.change(id, { notes: 'x' }, { ifMatch: retried });
    expect(changed).toEqual(retried);
    expect((await writer.orders.change(id, { notes: 'y' }, { ifMatch: changed })).id).toBe(id);
  });
});

describe('lists', () => {
  test('filters are named like the fields', async () => {
    requests.length = 0;
    const from = new Date('2026-09-27T00:00:00Z');
    await client.orders.list({
      status: 'new',
      createdAt: { from, to: '2026-09-28T00:00:00+03:00' },
      with: 'items',
      limit: 5,
      order: 'updatedAt:asc',
      externalId: undefined,
    });
    expect(requests).toEqual([
      'GET /orders?filter[status]=new&filter[createdAt][from]=2026-09-27T00:00:00.000Z&filter[createdAt][to]=2026-09-28T00:00:00+03:00&with=items&limit=5&order=updatedAt:asc',
    ]);
  });

  test('what `with` includes is typed when requested', async () => {
    const plain = await client.orders.list();
    const withItems = await client.orders.list({ with: 'items' });
    expectTypeOf(plain.data[0]?.items).toEqualTypeOf<OrderItem[] | undefined>();
    expectTypeOf(withItems.data.map((order) => order.items)).toEqualTypeOf<OrderItem[][]>();
    expect(plain.data[0]?.items).toBeUndefined();
    expect(withItems.data[0]?.items).toHaveLength(1);
    const stocked = await client.products.list({ with: 'stock' });
    expectTypeOf(stocked.data.map((product) => product.stockByWarehouse)).not.toEqualTypeOf<undefined[]>();
    expectTypeOf(stocked.data[0]?.stockByWarehouse[0]?.quantity).toEqualTypeOf<number | undefined>();
    // @ts-expect-error products have no items
    await expect(client.products.list({ with: 'items' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    // @ts-expect-error there is no such filter
    await expect(client.orders.list({ colour: 'red' })).rejects.toMatchObject({ code: 'unknown_parameter' });
  });

  test('all() requests one page at a time', async () => {
    const shop = await service.shop();
    const sku = 'paged';
    await addProduct(service, shop.storeId, { sku });
    const other = new StoreSales({ baseUrl: service.url, apiKey: shop.key, fetch: recordingFetch });
    for (let index = 0; index < 7; index++) await other.orders.create({ items: [{ sku, quantity: 1 }] });

    const numbers: number[] = [];
    for await (const order of other.orders.all({ status: 'new', limit: 3, order: 'createdAt:asc' }))
      numbers.push(order.number);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);

    requests.length = 0;
    for await (const order of other.orders.all({ limit: 3 })) if (order.number === 6) break;
    expect(requests).toHaveLength(1);
  });
});

describe('failures', () => {
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error) => error,
    );

  test('have code, pointers and request id', async () => {
    const wrong = { items: [{ sku: 'none', quantity: 0 }], notes: 7 } as any;
    const error = await failure(client.orders.create(wrong, { requestId: 'my-request' }));
    expect(error).toMatchObject({
      name: 'ValidationError',
      status: 422,
      code: 'invalid_body',
      requestId: 'my-request',
    });
    expect(error.errors.map(({ pointer }: any) => pointer).sort()).toEqual(['/items/0/quantity', '/notes']);
    expect(error.message).toMatch(/invalid_body \(422\)[\s\S]*\/items\/0\/quantity: [\s\S]*my-request/);
    expect(hasCode(error, 'not_found')).toBe(false);
    expect(hasCode(error)).toBe(true);
    expect(hasCode(new Error('no'))).toBe(false);
  });

  test('an invalid key is rejected and never shown', async () => {
    const other = new StoreSales({ baseUrl: service.url, apiKey: 'secret-key', retries: 0 });
    const error = await failure(other.credentials.check());
    expect(error).toMatchObject({ code: 'invalid_key', status: 401 });
    const { inspect } = await import('node:util');
    expect(inspect([other, error], { depth: 9, showHidden: true })).not.toContain('secret-key');
  });

  test.each([
    [{ baseUrl: 'sales.example', apiKey: 'k' }, /baseUrl/],
    [{ baseUrl: undefined as any, apiKey: 'k' }, /baseUrl/],
    [{ baseUrl: 'ftp://sales.example', apiKey: 'k' }, /baseUrl/],
    [{ baseUrl: 'https://sales.example/console', apiKey: 'k' }, /baseUrl.*console/],
    [{ baseUrl: 'https://sales.example/console/stores/1/', apiKey: 'k' }, /baseUrl.*console/],
    [{ baseUrl: 'https://sales.example', apiKey: '' }, /apiKey/],
  ])('the constructor rejects invalid options: %o', (options, message) => {
    expect(() => new StoreSales(options)).toThrow(message);
  });

  test('the path of a request may include the API prefix', async () => {
    const orders = await client.request('GET', '/orders', { query: { limit: 1 } });
    expect(await client.request('GET', '/api/v1/orders', { query: { limit: 1 } })).toEqual(orders);
    await expect(client.request('GET', '/api/v1')).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.request('GET', '/api/v10/orders')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the name of an error is that of its class', async () => {
    const unknown: any = await client.request('GET', '/none').catch((error) => error);
    expect([unknown.name, unknown.constructor.name]).toEqual(['NotFoundError', 'NotFoundError']);
    expect(String(unknown)).toMatch(/^NotFoundError: not_found \(404\)/);
    expect(Object.keys(unknown)).not.toContain('name');
    const invalid = await client.orders.create({ items: [] } as never).catch((error) => error);
    expect(invalid.name).toBe('ValidationError');
  });

  test('baseUrl may include the API prefix', async () => {
    const apiKey = await service.key(storeId);
    const other = new StoreSales({ baseUrl: `${service.url}/api/v1/`, apiKey });
    expect((await other.credentials.check()).store.id).toBe(storeId);
  });

  test('a response of another site is detected', async () => {
    const other = new StoreSales({ baseUrl: `${service.url}/docs`, apiKey: 'k', retries: 0 });
    // The service's 404 has a code; another site's page does not.
    expect(await failure(other.credentials.check())).toMatchObject({ code: 'not_found' });
    const page = async () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } });
    const site = new StoreSales({ baseUrl: 'https://site.example', apiKey: 'k', retries: 0, fetch: page });
    expect(await failure(site.credentials.check())).toMatchObject({ code: 'unexpected_answer', status: 200 });
  });
});
