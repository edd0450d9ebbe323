import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { engine, testDatabase } from '../../../test/database.ts';
import { countRoundTrips } from '../../../test/round-trips.ts';
import { type Service, startService } from '../../../test/service.ts';

describe.runIf(engine === 'postgres')('round trips to PostgreSQL', () => {
  const items = [{ sku: 'TEA', quantity: 1 }];
  const known = { name: 'Anna', phone: '+7 900 000 00 00', email: 'anna@example.test' };
  let trips: Awaited<ReturnType<typeof countRoundTrips>>;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let service: Service;
  let key: string;
  let orderId: string;
  const create = (body: object) => service.post('/api/v1/orders', { items, ...body }, key);

  beforeAll(async () => {
    database = await testDatabase();
    trips = await countRoundTrips(database.DATABASE_URL as string);
    // The request log would write in between.
    const env = { REQUEST_LOG_DAYS: '0' };
    service = await startService({ database: { ...database, DATABASE_URL: trips.url }, env });
    const shop = await service.shop();
    key = shop.key;
    await addProduct(service, shop.storeId, { sku: 'TEA', price: 100 });
    // Opens the connections and prepares the statements; a part of this customer is still missing.
    await create({ externalId: 'first', customer: { phone: '+7 900 000 00 01' } });
    orderId = (await create({ externalId: 'second', customer: known })).body.data.id;
  });
  afterAll(async () => {
    trips.close();
    await database.drop();
  });

  test.each([
    ['a create', () => create({})],
    ['a create with an external id', () => create({ externalId: 'third' })],
    ['a create of a known customer', () => create({ customer: known })],
    [
      'a create of a new customer',
      () => create({ customer: { phone: '+7 900 000 00 02', email: 'new@example.test' } }),
    ],
    ['a create that fills in a customer', () => create({ customer: { name: 'Bo', phone: '+7 900 000 00 01' } })],
    [
      'a change of status',
      () => service.patch(`/api/v1/orders/${orderId}`, { status: 'packing', paymentStatus: 'paid' }, key),
    ],
  ])('%s takes two', async (_, send) => {
    trips.reset();
    expect((await send()).status).toBeOneOf([200, 201]);
    expect(trips.count()).toBe(2);
  });
});
