import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { type Reply, startService } from '../../test/service.ts';
import { uuid } from '../db/uuid.ts';

/** Three stores with the same things in them: ours, another of the same owner, and a stranger's. */
const service = await startService();
const ours = await stocked();
const sister = await stocked(ours.ownerId);
const stranger = await stocked();
const unknown = uuid(service.clock.now);

async function stocked(ownerId?: string) {
  const shop = await service.shop(ownerId ? { ownerId } : {});
  const mark = `MARK${shop.storeId.replaceAll('-', '')}`;
  const productId = await addProduct(service, shop.storeId, { sku: `${mark}-s`, externalId: `${mark}-x`, name: mark });
  const post = async (path: string, body: unknown) => (await service.post(`/api/v1${path}`, body, shop.key)).body.data;
  const list = async (path: string) => (await service.get(`/api/v1${path}`, shop.key)).body.data;
  const customer = { name: mark, phone: '+7 900 000 00 00', email: `${mark}@example.test` };
  const items = [{ productId, quantity: 1 }];
  const order = await post('/orders', { externalId: mark, items, customer, notes: mark });
  await post('/orders', { items });
  const status = await post('/references/order-statuses', { group: 'new', name: mark });
  const paymentStatus = await post('/references/payment-statuses', { name: mark });
  const warehouse = await post('/references/warehouses', { name: mark });
  const [deliveryType] = await list('/references/delivery-types');
  const [paymentType] = await list('/references/payment-types');
  const { page } = (await service.get('/api/v1/orders?limit=1', shop.key)).body;
  return {
    ...shop,
    mark,
    cursor: page.nextCursor as string,
    sku: `${mark}-s`,
    externalProductId: `${mark}-x`,
    order: order.id as string,
    product: productId,
    customer: order.customer.id as string,
    status: status.id as string,
    paymentStatus: paymentStatus.id as string,
    warehouse: warehouse.id as string,
    deliveryType: deliveryType.id as string,
    paymentType: paymentType.id as string,
  };
}

type Stock = Awaited<ReturnType<typeof stocked>>;

/** The same but for what names the request itself. */
const comparable = ({ status, body: { requestId, ...body }, headers }: Reply) => ({
  status,
  body,
  headers: [...headers.keys()].sort(),
});

/** Which record each path with an id names, and a change that would do something if it were found. */
const named: Partial<Record<EndpointName, { field: keyof Stock; alike?: (keyof Stock)[]; body?: unknown }>> = {
  readOrder: { field: 'order' },
  changeOrder: { field: 'order', body: { notes: 'Mine now', status: 'cancelled' } },
  readProduct: { field: 'product', alike: ['sku', 'externalProductId'] },
  readCustomer: { field: 'customer' },
  changeDeliveryType: { field: 'deliveryType', body: { name: 'Mine now' } },
  changeOrderStatus: { field: 'status', body: { name: 'Mine now', isActive: false } },
  changePaymentStatus: { field: 'paymentStatus', body: { name: 'Mine now', isActive: false } },
};
const withId = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([, { path }]) => path.includes('{'));

describe.each(withId)('%s', (name, endpoint) => {
  const row = named[name];
  if (!row) throw new Error(`give this test a record for ${name}`);
  const ask = (id: string, headers: Record<string, string> = {}) =>
    service.send(endpoint.method, `${API_PREFIX}${endpoint.path.replace('{id}', id)}`, {
      key: ours.key,
      headers,
      ...(endpoint.body && { body: row.body }),
    });

  test.each([
    ['another owner', stranger],
    ['the same owner', sister],
  ])('a record of another store of %s is as if it were not there', async (_whose, other) => {
    // Delivery types are the owner's, and so at home in all the owner's stores.
    if (name === 'changeDeliveryType' && other === sister) return;
    for (const field of [row.field, ...(row.alike ?? [])]) {
      const nothing = comparable(await ask(unknown));
      expect(nothing.status).toBe(404);
      expect(comparable(await ask(other[field] as string))).toEqual(nothing);
      expect(comparable(await ask((other[field] as string).toUpperCase()))).toEqual(nothing);
      expect(comparable(await ask(other[field] as string, { 'if-match': '*' }))).toEqual(nothing);
    }
  });
});

/** Places inside a request where a record may be named, each with the fields that hold records of other stores. */
const mentions: [string, (id: string) => [string, string, unknown?], (keyof Stock)[]][] = [
  ['productId', (id) => ['POST', '/orders', { items: [{ productId: id, quantity: 1 }] }], ['product', 'order']],
  ['sku', (id) => ['POST', '/orders', { items: [{ sku: id, quantity: 1 }] }], ['sku', 'product']],
  [
    'externalProductId',
    (id) => ['POST', '/orders', { items: [{ externalProductId: id, quantity: 1 }] }],
    ['externalProductId', 'product'],
  ],
  ['delivery.typeId', (id) => ['POST', '/orders', { ...line(), delivery: { typeId: id } }], ['deliveryType']],
  ['paymentTypeId', (id) => ['POST', '/orders', { ...line(), paymentTypeId: id }], ['paymentType']],
  ['statusId', (id) => ['PATCH', `/orders/${ours.order}`, { statusId: id }], ['status']],
  ['paymentStatusId', (id) => ['PATCH', `/orders/${ours.order}`, { paymentStatusId: id }], ['paymentStatus']],
  ['filter[status]', (id) => ['GET', `/orders?filter[status]=${id}`], ['status']],
  ['filter[paymentStatus]', (id) => ['GET', `/orders?filter[paymentStatus]=${id}`], ['paymentStatus']],
  ['filter[externalId] of orders', (id) => ['GET', `/orders?filter[externalId]=${id}`], ['mark']],
  ['filter[sku]', (id) => ['GET', `/products?filter[sku]=${id}`], ['sku']],
  ['filter[externalId] of products', (id) => ['GET', `/products?filter[externalId]=${id}`], ['externalProductId']],
  ['filter[email]', (id) => ['GET', `/customers?filter[email]=${id}%40example.test`], ['mark']],
  ['cursor', (id) => ['GET', `/orders?limit=1&cursor=${id}`], ['cursor']],
];
const line = () => ({ items: [{ productId: ours.product, quantity: 1 }] });

test.each(mentions)('%s: what another store has is as unknown as what nobody has', async (_where, request, fields) => {
  const ask = async (id: string) => {
    const [method, path, body] = request(id);
    return comparable(await service.send(method, API_PREFIX + path, { key: ours.key, ...(body ? { body } : {}) }));
  };
  const nothing = await ask(unknown);
  const isShared = fields.every((field) => field === 'deliveryType' || field === 'paymentType');
  for (const other of isShared ? [stranger] : [stranger, sister])
    for (const field of fields) expect(await ask(other[field] as string)).toEqual(nothing);
});

test('an external id of another store is free in ours', async () => {
  const reply = await service.post('/api/v1/orders', { ...line(), externalId: stranger.mark }, ours.key);
  expect(reply.status).toBe(201);
  expect(reply.body.data.notes).toBe('');
  // What the stranger called so is untouched.
  expect((await service.get(`/api/v1/orders/${stranger.order}`, stranger.key)).body.data.notes).toBe(stranger.mark);
});

const lists = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([name]) => name.startsWith('list'));

test.each(lists)('%s shows nothing of other stores', async (_name, endpoint) => {
  const { text, body } = await service.get(`${API_PREFIX}${endpoint.path}`, ours.key);
  for (const other of [stranger, sister]) {
    const foreign = [other.storeId, other.order, other.product, other.customer, other.status, other.paymentStatus];
    if (other === stranger) foreign.push(other.deliveryType, other.paymentType, other.ownerId);
    for (const id of foreign) expect(text).not.toContain(id);
  }
  for (const record of body.data as { externalId?: string; name?: string }[])
    if (record.externalId !== stranger.mark) expect(JSON.stringify(record)).not.toMatch(markOf(stranger, sister));
});

const markOf = (...shops: Stock[]) => new RegExp(shops.map(({ mark }) => mark).join('|'));

test('after all of it the other stores are as they were', async () => {
  for (const other of [stranger, sister]) {
    const get = async (path: string) => (await service.get(`/api/v1${path}`, other.key)).body.data;
    expect(await get(`/orders/${other.order}`)).toMatchObject({ notes: other.mark, status: { code: 'new' } });
    for (const path of ['/references/order-statuses', '/references/payment-statuses', '/references/warehouses']) {
      const found = (await get(path)).filter(({ name }: { name: string }) => name === other.mark);
      expect(found).toMatchObject([{ isActive: true }]);
    }
    for (const path of ['/references/delivery-types', '/references/payment-types'])
      expect(JSON.stringify(await get(path))).not.toContain('Mine now');
  }
});
