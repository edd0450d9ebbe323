import { endpoints, rights } from '@store-sales/contract';
import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';

const service = await startService();
const { storeId } = await service.shop();
const ID = '01900000-0000-7000-8000-000000000000';

/** The endpoints of the specification, and those that the contract adds. */
const table = [
  ['GET', '/orders', 'orders:read'],
  ['POST', '/orders', 'orders:write'],
  ['GET', '/orders/{id}', 'orders:read'],
  ['PATCH', '/orders/{id}', 'orders:write'],
  ['GET', '/events', 'orders:read'],
  ['GET', '/products', 'products:read'],
  ['GET', '/products/{id}', 'products:read'],
  ['GET', '/customers', 'customers:read'],
  ['GET', '/customers/{id}', 'customers:read'],
  ['GET', '/references/delivery-types', 'references:read'],
  ['GET', '/references/payment-types', 'references:read'],
  ['GET', '/references/order-statuses', 'references:read'],
  ['GET', '/references/payment-statuses', 'references:read'],
  ['GET', '/references/categories', 'references:read'],
  ['GET', '/references/warehouses', 'references:read'],
  ['POST', '/references/warehouses', 'references:write'],
  ['POST', '/references/payment-statuses', 'references:write'],
  ['POST', '/references/payment-types', 'references:write'],
  ['POST', '/references/order-statuses', 'references:write'],
  ['PATCH', '/references/delivery-types/{id}', 'references:write'],
  ['PATCH', '/references/payment-statuses/{id}', 'references:write'],
  ['PATCH', '/references/order-statuses/{id}', 'references:write'],
  ['POST', '/stock', 'stock:write'],
] as const;

test('the table contains all endpoints except the key check', () => {
  const listed = new Set(table.map(([method, path]) => `${method} ${path}`));
  const missing = Object.values(endpoints).filter(({ method, path }) => !listed.has(`${method} ${path}`));
  expect(missing.map(({ path }) => path)).toEqual(['/credentials']);
});

test.each(table)('%s %s requires %s', async (method, path, right) => {
  const others = Object.keys(rights).filter((other) => other !== right);
  const key = await service.key(storeId, others);
  const body = method === 'GET' ? {} : { body: { anything: 'at all' } };
  const reply = await service.send(method, `/api/v1${path.replace('{id}', ID)}`, { key, ...body });
  expect([reply.status, reply.body.code]).toEqual([403, 'insufficient_rights']);
  expect(reply.body.detail).toContain(right);
});

test('the key check requires no right', async () => {
  const key = await service.key(storeId, ['customers:read']);
  expect((await service.get('/api/v1/credentials', key)).status).toBe(200);
});
