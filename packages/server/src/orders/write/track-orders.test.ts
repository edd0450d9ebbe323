import { expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { addProduct } from '../../../test/catalog.ts';
import { startService } from '../../../test/service.ts';

const service = await startService();

async function shopWithOrders(count: number) {
  const owner = await service.owner();
  const shop = await service.shop({ ownerId: owner.id });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const productId = await addProduct(service, shop.storeId, { sku: 'T', price: 100 });
  for (let index = 0; index < count; index++)
    await service.post(
      '/api/v1/orders',
      { items: [{ productId, quantity: 1 }], metadata: { batch: `${index % 2}`, 'a.b': 'x=y' } },
      shop.key,
    );
  const path = `/stores/${shop.storeId}/orders`;
  const numbers = async (query: string) =>
    (await visitor.get(`${path}?${query}`)).body.data.map(({ number }: any) => number);
  return { ...shop, visitor, path, numbers };
}

test('tracking numbers are set by the numbers of orders, and each is reported', async () => {
  const { visitor, path, key } = await shopWithOrders(2);
  const other = await shopWithOrders(3);
  const orders = [
    { number: 1, trackingNumber: 'RA1' },
    { number: 3, trackingNumber: 'RA3' },
    { number: 2, trackingNumber: 'RA2' },
  ];
  const { status, body } = await visitor.post(`${path}/tracking`, { orders });
  expect([status, body.results.map(({ outcome }: any) => outcome)]).toEqual([200, ['changed', 'not_found', 'changed']]);
  const again = await visitor.post(`${path}/tracking`, { orders });
  expect(again.body.results.map(({ outcome }: any) => outcome)).toEqual(['unchanged', 'not_found', 'unchanged']);
  const { data } = (await service.get('/api/v1/orders?order=createdAt:asc', key)).body;
  expect(data.map(({ delivery }: any) => delivery.trackingNumber)).toEqual(['RA1', 'RA2']);
  const [untouched] = (await service.get('/api/v1/orders?order=createdAt:desc', other.key)).body.data;
  expect(untouched.delivery.trackingNumber).toBe('');
  expect((await visitor.post(`${path}/tracking`, { orders: [] })).status).toBe(422);
});

test('the list is filtered by metadata, with other filters and sorts', async () => {
  const { numbers, visitor, path, key } = await shopWithOrders(4);
  expect(await numbers('metadata=batch%3D1')).toEqual([4, 2]);
  expect(await numbers('metadata=a.b%3Dx%3Dy&order=createdAt:asc')).toEqual([1, 2, 3, 4]);
  expect(await numbers('metadata=batch%3D1&order=totalAmount:asc')).toEqual([2, 4]);
  expect(await numbers('metadata=batch%3D0&numbers=1,2')).toEqual([1]);
  const [{ id }] = (await service.get('/api/v1/orders?filter[number]=2', key)).body.data;
  await service.patch(`/api/v1/orders/${id}`, { paymentStatus: 'paid' }, key);
  expect(await numbers('metadata=batch%3D1&due=yes')).toEqual([4]);
  expect(await numbers('metadata=batch%3D1&payment=paid')).toEqual([2]);
  expect(await numbers('metadata=batch%3D2')).toEqual([]);
  expect((await visitor.get(`${path}?metadata=batch`)).status).toBe(400);
});
