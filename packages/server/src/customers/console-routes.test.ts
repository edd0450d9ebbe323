import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { insertCustomers } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';

const service = await startService();
const names = (page: any) => page.body.data.map(({ name }: any) => name);

test('customers are found by part of the name, phone, e-mail and external id, and paged', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const find = async (q: string) => names(await visitor.get(`${path}/customers?${new URLSearchParams({ q })}`));
  expect(names(await visitor.get(`${path}/customers`))).toEqual([]);
  await insertCustomers(service.db, storeId, [
    { name: 'Петрова Анна', phone: '8 916 000-00-01', phone_key: '79160000001', external_id: 'c-1', created_at: 1 },
    { name: 'Bob', email: 'Bob@Example.com', email_key: 'bob@example.com', external_id: 'c-2', created_at: 2 },
    { name: 'Анна Ким', created_at: 3 },
  ]);
  expect(await find('АННА')).toEqual(['Анна Ким', 'Петрова Анна']);
  expect(await find('+7 (916) 000')).toEqual(['Петрова Анна']);
  expect(await find('8 (916) 000')).toEqual(['Петрова Анна']);
  expect(await find('+8 916 000')).toEqual([]);
  expect(await find(' bob@EXAMPLE.com')).toEqual(['Bob']);
  expect(await find('c-1')).toEqual(['Петрова Анна']);
  expect(await find('nobody')).toEqual([]);

  const many = Array.from({ length: 60 }, (_, index) => ({ name: `Client ${index}`, created_at: 10 + index }));
  await insertCustomers(service.db, storeId, many);
  const first = await visitor.get(`${path}/customers?q=client`);
  const second = await visitor.get(`${path}/customers?q=client&cursor=${first.body.page.nextCursor}`);
  expect([...names(first), ...names(second)]).toEqual(many.map(({ name }) => name).reverse());
  expect(second.body.page).toEqual({ nextCursor: null, hasMore: false });
});

test('a customer with their orders, newest first, page by page', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  await addProduct(service, storeId, { sku: 'TEA' });
  const order = async (phone: string) =>
    (await visitor.post(`${path}/orders`, { customer: { name: 'Anna', phone }, items: [{ sku: 'TEA', quantity: 1 }] }))
      .body.order;
  const created = [];
  for (let index = 0; index < 22; index++) created.push(await order(index % 2 ? '8 916 000-00-01' : '+7 916 0000001'));
  const other = await order('+7 999 0000000');
  const { id } = created[0].customer;
  const customer = await visitor.get(`${path}/customers/${id}`);
  expect(customer.body).toMatchObject({ id, name: 'Anna', phone: '+7 916 0000001' });
  const orders = `${path}/customers/${id}/orders`;
  const first = await visitor.get(orders);
  const second = await visitor.get(`${orders}?cursor=${first.body.page.nextCursor}`);
  const numbers = [...first.body.data, ...second.body.data].map(({ number }: any) => number);
  expect(numbers).toEqual(created.map(({ number }) => number).reverse());
  expect(first.body.data).toHaveLength(20);
  const otherOrders = await visitor.get(`${path}/customers/${other.customer.id}/orders`);
  expect(otherOrders.body.data.map(({ number }: any) => number)).toEqual([other.number]);
  expect((await visitor.get(`${path}/customers/${other.id}`)).status).toBe(404);
  expect((await visitor.get(`${path}/customers/x/orders`)).status).toBe(404);
});
