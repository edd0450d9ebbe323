import { type ConsoleEndpoint, type ConsoleRoute, consoleEndpoints } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { signedInMember } from '../../test/member.ts';
import { startService } from '../../test/service.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import { system } from '../actor.ts';
import { createCategory } from '../catalog/edit-categories.ts';
import { listCustomers } from '../customers/customers.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';
import { createKey } from '../keys/keys.ts';
import { invite } from '../members/invitations.ts';
import { listOrderStatuses } from '../orders/statuses/order-statuses.ts';
import { listPaymentStatuses } from '../orders/statuses/payment-statuses.ts';
import { createView } from '../orders/views/order-views.ts';
import { createOrder } from '../orders/write/create-order.ts';
import { createPromoCode } from '../promo/promo-codes.ts';
import { listDeliveryTypes } from '../references/delivery-types.ts';
import { listPaymentTypes } from '../references/payment-types.ts';
import { createWarehouse } from '../references/warehouses.ts';
import { listRequests } from '../requests/find-requests.ts';
import { listEndpoints } from '../webhooks/endpoints/find-endpoints.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });

async function signedIn() {
  const owner = await service.owner();
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  return { owner, visitor };
}

describe('stores', () => {
  test('are created on the Basic plan with the chosen currency, and listed', async () => {
    const { visitor } = await signedIn();
    expect((await visitor.get('/stores')).body).toEqual([]);
    const created = await visitor.post('/stores', { name: ' Tea ', currency: 'EUR', timezone: 'Europe/Berlin' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'Tea',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      lowStock: 5,
      plan: 'basic',
      isActive: true,
      createdAt: new Date(service.clock.now).toISOString(),
      role: 'owner',
      mayChangeTypes: true,
      requiresSecondFactor: false,
    });
    expect((await visitor.get('/stores')).body).toEqual([created.body]);
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
  ])('%j is rejected', async (body) => {
    const { visitor } = await signedIn();
    expect((await visitor.post('/stores', body)).status).toBe(422);
  });
});

describe('another owner’s ids', async () => {
  const table = Object.entries(consoleEndpoints).map(([route, row]) => {
    const [method, path] = route.split(' ') as [string, string];
    return { route, method, path, ...(row as ConsoleEndpoint) };
  });
  const { store, storeId } = await service.shop();
  const details = { storeId, name: 'Theirs', rights: ['orders:read'] };
  const { key, secret } = await createKey(service.db, details, service.clock.now);
  const productId = await addProduct(service, storeId);
  const order = await service.db.write(
    createOrder({
      storeId,
      currency: 'RUB',
      source: 'api',
      actor: system,
      order: { customer: { phone: '+7 900' }, items: [{ productId, quantity: 1 }] },
      now: service.clock.now,
    }),
  );
  const hooks = webhooksOf(service);
  const { id: endpointId } = await hooks.endpoint('http://127.0.0.1:1/hook', { storeId });
  await hooks.record(storeId);
  const [{ id: deliveryId }] = (await hooks.log(endpointId)) as unknown as [{ id: string }];
  const { visitor, owner } = await signedIn();
  const own = await service.store({ ownerId: owner.id });
  /** Valid bodies, so that the requests are rejected because of the id. */
  const bodies: Partial<Record<ConsoleRoute, unknown>> = {
    'PATCH /stores/{storeId}': { name: 'Mine now' },
    'PUT /stores/{storeId}/second-factor': { isRequired: false },
    'PATCH /stores/{storeId}/members/{accountId}': { role: 'viewer' },
    'POST /stores/{storeId}/invitations': { email: 'x@example.com', role: 'owner' },
    'PUT /stores/{storeId}/order-mail': { isOn: true },
    'POST /stores/{storeId}/keys': { name: 'k', rights: ['orders:read'], life: '90d' },
    'POST /stores/{storeId}/orders': { items: [{ sku: 'x', quantity: 1 }] },
    'PATCH /stores/{storeId}/orders/{orderId}': { notes: 'Mine now' },
    'PUT /stores/{storeId}/order-views/{viewId}': { name: 'n', filters: {}, columns: [] },
    'POST /stores/{storeId}/promo-codes': { code: 'MINE', percent: 100 },
    'PATCH /stores/{storeId}/promo-codes/{promoCodeId}': { isActive: false },
    'POST /stores/{storeId}/products/{productId}/stock': { warehouseId: uuid(0), quantity: 1 },
    'PATCH /stores/{storeId}/customers/{customerId}': { name: 'Mine now' },
    'POST /stores/{storeId}/customers/{customerId}/merge': { otherId: key.id },
    'POST /stores/{storeId}/orders/{orderId}/mails': { text: 'Hello' },
    'PUT /stores/{storeId}/status-mails/{statusId}': { isEnabled: true, textEn: 'Hello', textRu: '' },
    'POST /stores/{storeId}/order-statuses': { group: 'new', name: 'n' },
    'PUT /stores/{storeId}/order-statuses': { group: 'new', ids: [key.id] },
    'PATCH /stores/{storeId}/order-statuses/{statusId}': { name: 'n' },
    'POST /stores/{storeId}/payment-statuses': { name: 'n' },
    'PUT /stores/{storeId}/payment-statuses': { ids: [key.id] },
    'PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}': { name: 'n' },
    'POST /stores/{storeId}/delivery-types': { name: 'n', kind: 'pickup' },
    'PATCH /stores/{storeId}/delivery-types/{deliveryTypeId}': { name: 'n' },
    'POST /stores/{storeId}/payment-types': { name: 'n' },
    'PATCH /stores/{storeId}/payment-types/{paymentTypeId}': { isActive: false },
    'POST /stores/{storeId}/warehouses': { name: 'n' },
    'PATCH /stores/{storeId}/warehouses/{warehouseId}': { name: 'n' },
    'POST /stores/{storeId}/products': { name: 'n', price: 1 },
    'PATCH /stores/{storeId}/products/{productId}': { name: 'Mine now' },
    'PUT /stores/{storeId}/products/{productId}/pictures': { ids: [] },
    'POST /stores/{storeId}/categories': { name: 'n' },
    'PATCH /stores/{storeId}/categories/{categoryId}': { name: 'Mine now' },
    'POST /stores/{storeId}/webhooks': { url: 'http://127.0.0.1:1/mine', events: ['order.created'] },
    'PATCH /stores/{storeId}/webhooks/{endpointId}': { url: 'http://127.0.0.1:1/mine' },
    'POST /stores/{storeId}/webhooks/{endpointId}/enable': { sendMissed: true },
    'POST /stores/{storeId}/webhooks/{endpointId}/resend': {},
  };
  async function loggedLine() {
    await service.get('/api/v1/credentials', secret);
    await service.app.requestLog?.flush();
    const { rows } = await listRequests(service.services, storeId, {});
    return (rows[0] as { id: string }).id;
  }
  const storeScope = { ownerId: store.owner_id, storeId };
  const first = async (list: Promise<{ id: string }[]>) => ((await list)[0] as { id: string }).id;
  const edit = { storeId, actor: system, now: service.clock.now };
  const records: Record<string, string> = {
    lineId: await loggedLine(),
    accountId: (await signedInMember(service, storeId, 'viewer')).account.id,
    invitationId: (await invite(service.db, 'invited@example.com', 'viewer', edit)).id,
    keyId: key.id,
    orderId: order.id,
    customerId: JSON.parse(`${await listCustomers(service.db, service.services, storeId, {})}`).data[0].id,
    productId,
    // Of a product, which is looked for first.
    pictureId: uuid(service.clock.now),
    categoryId: await createCategory(
      service.db,
      { name: 'Theirs' },
      { storeId, actor: system, now: service.clock.now },
    ),
    endpointId,
    deliveryId,
    viewId: (await createView(service.db, storeId, { name: 'Theirs', filters: {}, columns: [] }, service.clock.now)).id,
    promoCodeId: (await createPromoCode(service.db, storeId, { code: 'TEN', percent: 10 }, service.clock.now)).id,
    statusId: await first(listOrderStatuses(service.db, storeId)),
    paymentStatusId: await first(listPaymentStatuses(service.db, storeId)),
    deliveryTypeId: await first(listDeliveryTypes(service.db, storeScope)),
    paymentTypeId: await first(listPaymentTypes(service.db, storeScope)),
    warehouseId: (await createWarehouse(service.db, storeId, { name: 'Theirs' }, system, service.clock.now)).id,
  };

  const unknown = Object.fromEntries(Object.keys(records).map((name) => [name, uuid(service.clock.now)]));
  const { id: ownEndpointId } = await hooks.endpoint('http://127.0.0.1:1/own', { storeId: own.id });
  const otherOwner = browser(service);
  await otherOwner.signIn(
    (await service.db.one<{ email: string }>(sql`select email from owners where id = ${store.owner_id}`))?.email ?? '',
  );
  const otherStore = await service.store({ ownerId: store.owner_id });

  const fill = (path: string, ids: Record<string, string>) =>
    path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      if (!ids[name]) throw new Error(`give this test an id for ${name}`);
      return ids[name];
    });
  const storeTable = table.filter(({ path }) => path.includes('/{storeId}'));

  test('every store route checks the member', () => {
    expect(storeTable.length).toBeGreaterThanOrEqual(4);
    expect(table.filter(({ access }) => typeof access !== 'string')).toEqual(storeTable);
    const open = table.filter(({ access }) => access === 'anyone').map(({ route }) => route);
    expect(open).toEqual([
      'GET /session',
      'POST /session',
      'POST /session/second-factor',
      'DELETE /session',
      'POST /setup',
      'POST /forgotten-password',
      'POST /password-reset',
      'POST /invitation',
      'POST /invitation/account',
    ]);
  });

  test.each(storeTable.map(({ method, path }) => [method, path]))(
    '%s %s: responds as to an unknown id',
    async (method, path) => {
      const body = bodies[`${method} ${path}` as ConsoleRoute];
      const respond = async (ids: Record<string, string>) => {
        const { status, body: problem } = await visitor.send(method, fill(path, ids), body);
        const { requestId, ...rest } = problem;
        return { status, ...rest };
      };
      const foreign = await respond({ ...records, storeId });
      expect(foreign.status).toBe(404);
      expect(await respond({ ...records, storeId: uuid(service.clock.now) })).toEqual(foreign);
      expect(await respond({ ...records, storeId: 'no-uuid' })).toEqual(foreign);
      expect((await browser(service).send(method, fill(path, { ...records, storeId }), body)).status).toBe(401);
      // A record of another owner's store gets the same response as an unknown one.
      if (!/\{storeId\}\/.*\{/.test(path)) return;
      // It needs a file; catalog/product-pictures.test.ts sends one.
      if (method === 'POST' && path.endsWith('/pictures')) return;
      const notFound = await respond({ ...unknown, storeId: own.id });
      expect(notFound.status).toBe(404);
      expect(await respond({ ...records, storeId: own.id })).toEqual(notFound);
      // Also with an own endpoint in the path, and from another store of the same owner.
      if (/\{endpointId\}.*\{deliveryId\}/.test(path)) {
        const mixed = { ...records, storeId: own.id, endpointId: ownEndpointId };
        expect(await respond(mixed)).toEqual(await respond({ ...mixed, deliveryId: uuid(service.clock.now) }));
      }
      const isSharedByStores = /\{(deliveryType|paymentType)Id\}/.test(path);
      const otherStorePath = fill(path, { ...records, storeId: otherStore.id });
      if (!isSharedByStores) expect((await otherOwner.send(method, otherStorePath, body)).status).toBe(404);
    },
  );

  test('the requests changed nothing', async () => {
    const { status, body } = await service.get('/api/v1/credentials', secret);
    expect([status, body.data.store.name]).toEqual([200, store.name]);
    expect(await listEndpoints(service.services, storeId)).toMatchObject([
      { url: 'http://127.0.0.1:1/hook', isActive: true, previousSecretUntil: null },
    ]);
    expect(await hooks.statuses(endpointId)).toEqual({ pending: 1 });
  });
});
