import { Order } from '@store-sales/contract';
import { expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { type Service, startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { exportOrders } from './export-orders.ts';

/** In the order of the specification; then the fields that it does not have. */
const fields = [
  ...['id', 'externalId', 'createdAt', 'updatedAt', 'status', 'paymentStatus', 'totalAmount', 'discountTotal'],
  ...['promoCode', 'currency', 'customer', 'delivery', 'source', 'notes', 'items', 'paidAmount', 'number'],
  ...['metadata', 'paymentType'],
];
const nested = {
  status: ['id', 'code', 'name'],
  paymentStatus: ['id', 'code', 'name', 'isPaid'],
  customer: ['id', 'name', 'phone', 'email'],
  delivery: [
    ...['type', 'cost', 'discount', 'address', 'city', 'region', 'street', 'house', 'flat', 'postalCode'],
    ...['typeId', 'trackingNumber', 'trackingUrl'],
  ],
};
const brief = fields.filter((name) => name !== 'items');

function expectInOrder(order: any, expected = fields) {
  expect(Object.keys(order)).toEqual(expected);
  for (const [name, members] of Object.entries(nested)) expect(Object.keys(order[name])).toEqual(members);
}

/** Texts that look like members of the document, which is split at some of them. */
const hostile = '","totalAmount":1,"paymentType":{,"source":"x\\","delivery":{"typeId":null,\n';

async function shopWithTypes(service: Service) {
  const { storeId, path, visitor } = await signedInOwner(service);
  const key = await service.key(storeId);
  await addProduct(service, storeId, { sku: 'TEA' });
  const first = async (list: string) => (await service.get(`/api/v1/references/${list}`, key)).body.data[0].id;
  const body = {
    items: [{ sku: 'TEA', quantity: 2 }],
    customer: { name: hostile, phone: '+7 900 123-45-67' },
    delivery: { typeId: await first('delivery-types'), city: hostile, postalCode: hostile },
    paymentTypeId: await first('payment-types'),
    promoCode: hostile.slice(0, 100),
    notes: hostile,
  };
  const create = async (more: object) => service.post('/api/v1/orders', { ...body, ...more }, key);
  return { storeId, key, path, visitor, create };
}

const service = await startService();
const { db } = service;

test('the schema of the API names the fields in the same order', () => {
  expect(Object.keys(Order.properties)).toEqual(fields);
  for (const name of ['status', 'paymentStatus', 'customer', 'delivery'] as const)
    expect(Object.keys(Order.properties[name].properties)).toEqual(nested[name]);
});

test('every representation of an order has its fields in the order of the specification', async () => {
  const { storeId, key, path, visitor, create } = await shopWithTypes(service);
  const created = await create({ externalId: hostile });
  expect(created.status).toBe(201);
  const { id } = created.body.data;
  const replay = await create({ externalId: hostile });
  const changed = await service.patch(`/api/v1/orders/${id}`, { status: 'packing', delivery: { flat: '2' } }, key);
  const read = await service.get(`/api/v1/orders/${id}`, key);
  for (const { body } of [created, replay, changed, read]) expectInOrder(body.data);
  expect(read.body.data).toMatchObject({ externalId: hostile, notes: hostile, delivery: { postalCode: hostile } });

  for (const order of ['createdAt:desc', 'updatedAt:asc']) {
    expectInOrder((await service.get(`/api/v1/orders?order=${order}`, key)).body.data[0], brief);
    expectInOrder((await service.get(`/api/v1/orders?order=${order}&with=items`, key)).body.data[0]);
  }

  const called = await service.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'readOrder', arguments: { id } } },
    key,
    { accept: 'application/json, text/event-stream' },
  );
  expectInOrder(called.body.result.structuredContent.data);

  for await (const line of exportOrders(db, storeId, 'ndjson')) expectInOrder(JSON.parse(String(line)));

  const listed = await visitor.get(`${path}/orders`);
  expectInOrder(
    listed.body.data[0],
    brief.flatMap((name) => (name === 'paidAmount' ? ['etag', name] : name)),
  );
  expectInOrder((await visitor.get(`${path}/orders/${id}`)).body.order);
});
