import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { type Reply, startService } from '../../test/service.ts';
import { uuid } from '../db/uuid.ts';

/** Three stores with the same records: ours, another one of the same owner, and one of another owner. */
const service = await startService();
const ours = await storeWithRecords();
const sibling = await storeWithRecords(ours.ownerId);
const otherOwners = await storeWithRecords();
const unknown = uuid(service.clock.now);

async function storeWithRecords(ownerId?: string) {
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

type StoreRecords = Awaited<ReturnType<typeof storeWithRecords>>;

/** Equal except for the request id. */
const comparable = ({ status, body: { requestId, ...body }, headers }: Reply) => ({
  status,
  body,
  headers: [...headers.keys()].sort(),
});

/** The record of each path with an id, and a change that would succeed if it were found. */
const withIdParameter: Partial<
  Record<EndpointName, { field: keyof StoreRecords; otherKeys?: (keyof StoreRecords)[]; body?: unknown }>
> = {
  readOrder: { field: 'order' },
  changeOrder: { field: 'order', body: { notes: 'Mine now', status: 'cancelled' } },
  readProduct: { field: 'product', otherKeys: ['sku', 'externalProductId'] },
  readCustomer: { field: 'customer' },
  changeDeliveryType: { field: 'deliveryType', body: { name: 'Mine now' } },
  changeOrderStatusRecord: { field: 'status', body: { name: 'Mine now', isActive: false } },
  changePaymentStatusRecord: { field: 'paymentStatus', body: { name: 'Mine now', isActive: false } },
};
const withId = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([, { path }]) => path.includes('{'));

describe.each(withId)('%s', (name, endpoint) => {
  const row = withIdParameter[name];
  if (!row) throw new Error(`give this test a record for ${name}`);
  const ask = (id: string, headers: Record<string, string> = {}) =>
    service.send(endpoint.method, `${API_PREFIX}${endpoint.path.replace('{id}', id)}`, {
      key: ours.key,
      headers,
      ...(endpoint.body && { body: row.body }),
    });

  test.each([
    ['another owner', otherOwners],
    ['the same owner', sibling],
  ])('a record of another store of %s is not found', async (_whose, other) => {
    // Delivery types belong to the owner and exist in all their stores.
    if (name === 'changeDeliveryType' && other === sibling) return;
    for (const field of [row.field, ...(row.otherKeys ?? [])]) {
      const notFound = comparable(await ask(unknown));
      expect(notFound.status).toBe(404);
      expect(comparable(await ask(other[field] as string))).toEqual(notFound);
      expect(comparable(await ask((other[field] as string).toUpperCase()))).toEqual(notFound);
      expect(comparable(await ask(other[field] as string, { 'if-match': '*' }))).toEqual(notFound);
    }
  });
});

/** Requests that refer to records, with fields that refer to records of other stores. */
const references: [string, (id: string) => [string, string, unknown?], (keyof StoreRecords)[]][] = [
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

test.each(references)(
  '%s: a record of another store gets the same error as an unknown one',
  async (_where, request, fields) => {
    const ask = async (id: string) => {
      const [method, path, body] = request(id);
      return comparable(await service.send(method, API_PREFIX + path, { key: ours.key, ...(body ? { body } : {}) }));
    };
    const notFound = await ask(unknown);
    const isShared = fields.every((field) => field === 'deliveryType' || field === 'paymentType');
    for (const other of isShared ? [otherOwners] : [otherOwners, sibling])
      for (const field of fields) expect(await ask(other[field] as string)).toEqual(notFound);
  },
);

test('an external id of another store can be used in ours', async () => {
  const reply = await service.post('/api/v1/orders', { ...line(), externalId: otherOwners.mark }, ours.key);
  expect(reply.status).toBe(201);
  expect(reply.body.data.notes).toBe('');
  // The other store's record is unchanged.
  expect((await service.get(`/api/v1/orders/${otherOwners.order}`, otherOwners.key)).body.data.notes).toBe(
    otherOwners.mark,
  );
});

const lists = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([name]) => name.startsWith('list'));

test.each(lists)('%s contains no records of other stores', async (_name, endpoint) => {
  const { text, body } = await service.get(`${API_PREFIX}${endpoint.path}`, ours.key);
  for (const other of [otherOwners, sibling]) {
    const foreign = [other.storeId, other.order, other.product, other.customer, other.status, other.paymentStatus];
    if (other === otherOwners) foreign.push(other.deliveryType, other.paymentType, other.ownerId);
    for (const id of foreign) expect(text).not.toContain(id);
  }
  for (const record of body.data as { externalId?: string; data?: { externalId: string } }[])
    if ((record.data ?? record).externalId !== otherOwners.mark)
      expect(JSON.stringify(record)).not.toMatch(markOf(otherOwners, sibling));
});

const markOf = (...shops: StoreRecords[]) => new RegExp(shops.map(({ mark }) => mark).join('|'));

test('after all requests, the other stores are unchanged', async () => {
  for (const other of [otherOwners, sibling]) {
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
