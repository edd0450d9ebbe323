import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import { system } from '../actor.ts';
import { createCategory } from '../catalog/edit-categories.ts';
import { listCustomers } from '../customers/customers.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';
import { createKey } from '../keys/keys.ts';
import { createOrder } from '../orders/create-order.ts';
import { salesCache } from '../orders/sales.ts';
import { listDeliveryTypes } from '../references/delivery-types.ts';
import { listOrderStatuses } from '../references/order-statuses.ts';
import { listPaymentStatuses } from '../references/payment-statuses.ts';
import { listPaymentTypes } from '../references/payment-types.ts';
import { createWarehouse } from '../references/warehouses.ts';
import { listEndpoints } from '../webhooks/endpoints/endpoints.ts';
import { sessionCookie } from './cookie.ts';
import { consoleTable } from './routes.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });

async function signedIn() {
  const owner = await service.owner();
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  return { owner, visitor };
}

describe('stores', () => {
  test('are made on plan basic with the currency that was chosen, and listed', async () => {
    const { visitor } = await signedIn();
    expect((await visitor.get('/stores')).body).toEqual([]);
    const made = await visitor.post('/stores', { name: ' Tea ', currency: 'EUR', timezone: 'Europe/Berlin' });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Tea',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      plan: 'basic',
      isActive: true,
      createdAt: new Date(service.clock.now).toISOString(),
    });
    expect((await visitor.get('/stores')).body).toEqual([made.body]);
  });

  test('change name and time zone; the currency stays', async () => {
    const { owner, visitor } = await signedIn();
    const store = await service.store({ ownerId: owner.id });
    const path = `/stores/${store.id}`;
    const changed = await visitor.patch(path, { name: ' Coffee ', timezone: 'Asia/Tokyo' });
    expect(changed.body).toMatchObject({ name: 'Coffee', timezone: 'Asia/Tokyo', currency: 'RUB', plan: 'optimal' });
    expect((await visitor.get('/stores')).body).toEqual([changed.body]);
    const wrong = [{}, { currency: 'EUR' }, { plan: 'optimal' }, { name: ' ' }, { timezone: 'Nowhere/Land' }];
    for (const body of wrong) expect((await visitor.patch(path, body)).status).toBe(422);
    expect((await visitor.get('/stores')).body).toEqual([changed.body]);
  });

  test.each([
    { name: '', currency: 'RUB', timezone: 'Europe/Moscow' },
    { name: 'A', currency: 'rub', timezone: 'Europe/Moscow' },
    { name: 'A', currency: 'RUB', timezone: 'Mars/Base' },
    { name: 'A', currency: 'RUB', timezone: 'Europe/Moscow', plan: 'optimal' },
  ])('%j is refused', async (body) => {
    const { visitor } = await signedIn();
    expect((await visitor.post('/stores', body)).status).toBe(422);
  });
});

describe('another owner’s ids', async () => {
  const table = consoleTable(
    service.services,
    sessionCookie(service.config),
    salesCache(service.db, () => {}),
  );
  const { store, storeId } = await service.shop();
  const details = { storeId, name: 'Theirs', rights: ['orders:read'] };
  const { key, secret } = await createKey(service.db, details, service.clock.now);
  const productId = await addProduct(service, storeId);
  const order = await createOrder(
    service.db,
    {
      storeId,
      currency: 'RUB',
      source: 'api',
      actor: system,
      order: { customer: { phone: '+7 900' }, items: [{ productId, quantity: 1 }] },
    },
    service.clock.now,
  );
  const hooks = webhooksOf(service);
  const { id: endpointId } = await hooks.endpoint('http://127.0.0.1:1/hook', { storeId });
  await hooks.record(storeId);
  const [{ id: deliveryId }] = (await hooks.log(endpointId)) as unknown as [{ id: string }];
  const { visitor, owner } = await signedIn();
  const own = await service.store({ ownerId: owner.id });
  /** A body that passes the check of shape, so that what is refused is the id. */
  const bodies: Record<string, unknown> = {
    'PATCH /stores/:storeId': { name: 'Mine now' },
    'POST /stores/:storeId/keys': { name: 'k', rights: ['orders:read'], life: '90d' },
    'POST /stores/:storeId/orders': { items: [{ sku: 'x', quantity: 1 }] },
    'PATCH /stores/:storeId/orders/:orderId': { notes: 'Mine now' },
    'POST /stores/:storeId/order-statuses': { group: 'new', name: 'n' },
    'PUT /stores/:storeId/order-statuses': { group: 'new', ids: [key.id] },
    'PATCH /stores/:storeId/order-statuses/:statusId': { name: 'n' },
    'POST /stores/:storeId/payment-statuses': { name: 'n' },
    'PUT /stores/:storeId/payment-statuses': { ids: [key.id] },
    'PATCH /stores/:storeId/payment-statuses/:paymentStatusId': { name: 'n' },
    'POST /stores/:storeId/delivery-types': { name: 'n', kind: 'pickup' },
    'PATCH /stores/:storeId/delivery-types/:deliveryTypeId': { name: 'n' },
    'POST /stores/:storeId/payment-types': { name: 'n' },
    'PATCH /stores/:storeId/payment-types/:paymentTypeId': { isActive: false },
    'POST /stores/:storeId/warehouses': { name: 'n' },
    'PATCH /stores/:storeId/warehouses/:warehouseId': { name: 'n' },
    'POST /stores/:storeId/products': { name: 'n', price: 1 },
    'PATCH /stores/:storeId/products/:productId': { name: 'Mine now' },
    'POST /stores/:storeId/categories': { name: 'n' },
    'PATCH /stores/:storeId/categories/:categoryId': { name: 'Mine now' },
    'POST /stores/:storeId/webhooks': { url: 'http://127.0.0.1:1/mine', events: ['order.created'] },
    'PATCH /stores/:storeId/webhooks/:endpointId': { url: 'http://127.0.0.1:1/mine' },
    'POST /stores/:storeId/webhooks/:endpointId/enable': { sendMissed: true },
    'POST /stores/:storeId/webhooks/:endpointId/resend': {},
  };
  const place = { ownerId: store.owner_id, storeId };
  const first = async (list: Promise<{ id: string }[]>) => ((await list)[0] as { id: string }).id;
  const records: Record<string, string> = {
    keyId: key.id,
    orderId: order.id,
    customerId: await first(listCustomers(service.db, service.services, storeId, {}).then(({ data }) => data)),
    productId,
    categoryId: await createCategory(
      service.db,
      { name: 'Theirs' },
      { storeId, actor: system, now: service.clock.now },
    ),
    endpointId,
    deliveryId,
    statusId: await first(listOrderStatuses(service.db, storeId)),
    paymentStatusId: await first(listPaymentStatuses(service.db, storeId)),
    deliveryTypeId: await first(listDeliveryTypes(service.db, place)),
    paymentTypeId: await first(listPaymentTypes(service.db, place)),
    warehouseId: (await createWarehouse(service.db, storeId, { name: 'Theirs' }, system, service.clock.now)).id,
  };

  const unknown = Object.fromEntries(Object.keys(records).map((name) => [name, uuid(service.clock.now)]));
  const { id: ownEndpointId } = await hooks.endpoint('http://127.0.0.1:1/own', { storeId: own.id });
  const theirs = browser(service);
  await theirs.signIn(
    (await service.db.one<{ email: string }>(sql`select email from owners where id = ${store.owner_id}`))?.email ?? '',
  );
  const sister = await service.store({ ownerId: store.owner_id });

  const fill = (path: string, ids: Record<string, string>) =>
    path.replace(/:(\w+)/g, (_all, name: string) => {
      if (!ids[name]) throw new Error(`give this test an id for ${name}`);
      return ids[name];
    });
  const storeTable = table.filter(({ path }) => path.includes('/:storeId'));

  test('every store route checks the owner', () => {
    expect(storeTable.length).toBeGreaterThanOrEqual(4);
    for (const { who } of storeTable) expect(who).toBe('store');
    expect(table.filter(({ who }) => who === 'store')).toEqual(storeTable);
    const open = table.filter(({ who }) => who === 'anyone').map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual(['GET /session', 'POST /session', 'DELETE /session', 'POST /setup']);
  });

  test.each(storeTable.map(({ method, path }) => [method, path]))('%s %s: as if unknown', async (method, path) => {
    const body = bodies[`${method} ${path}`];
    const ask = async (ids: Record<string, string>) => {
      const { status, body: problem } = await visitor.send(method, fill(path, ids), body);
      const { requestId, ...rest } = problem;
      return { status, ...rest };
    };
    const stranger = await ask({ ...records, storeId });
    expect(stranger.status).toBe(404);
    expect(await ask({ ...records, storeId: uuid(service.clock.now) })).toEqual(stranger);
    expect(await ask({ ...records, storeId: 'no-uuid' })).toEqual(stranger);
    expect((await browser(service).send(method, fill(path, { ...records, storeId }), body)).status).toBe(401);
    // A record of a stranger's store under a store of one's own is what no record would be.
    if (!/:storeId\/.*:/.test(path)) return;
    const nothing = await ask({ ...unknown, storeId: own.id });
    expect(nothing.status).toBe(404);
    expect(await ask({ ...records, storeId: own.id })).toEqual(nothing);
    // Neither an endpoint of one's own in the path nor another store of the same owner opens the way.
    if (/:endpointId.*:deliveryId/.test(path)) {
      const mixed = { ...records, storeId: own.id, endpointId: ownEndpointId };
      expect(await ask(mixed)).toEqual(await ask({ ...mixed, deliveryId: uuid(service.clock.now) }));
    }
    const isOwners = /:(deliveryType|paymentType)Id/.test(path);
    const sisterly = fill(path, { ...records, storeId: sister.id });
    if (!isOwners) expect((await theirs.send(method, sisterly, body)).status).toBe(404);
  });

  test('and nothing was changed', async () => {
    const { status, body } = await service.get('/api/v1/credentials', secret);
    expect([status, body.data.store.name]).toEqual([200, store.name]);
    expect(await listEndpoints(service.services, storeId)).toMatchObject([
      { url: 'http://127.0.0.1:1/hook', isActive: true, previousSecretUntil: null },
    ]);
    expect(await hooks.statuses(endpointId)).toEqual({ pending: 1 });
  });
});
