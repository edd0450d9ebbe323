import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { engine } from '../../test/database.ts';
import { planOf } from '../../test/plan.ts';
import { startReceiver } from '../../test/receiver.ts';
import { insertOrders } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { fillIn, shopVisitor } from '../../test/shop-visitor.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { table } from '../../test/tables.ts';
import { columnsWith } from '../../test/text-columns.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import { system } from '../actor.ts';
import { customerTable, importCustomers } from '../customers/import-customers.ts';
import type { Database, Queryable, Sql, Transaction, TransactionOptions } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { addMember, changeTeam } from '../members/members.ts';
import { mailAboutOrders, setOrderMail } from '../members/order-mails.ts';
import { enableShop } from '../shop/shops.ts';
import { eraseCustomer, finishErasures } from './erase-customer.ts';

const service = await startService({
  env: { WEBHOOK_ALLOW_INTERNAL: 'true', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.test' },
});
const { db, clock } = service;
let serial = 0;

async function shop() {
  const signedIn = await signedInOwner(service);
  const { storeId, visitor, path } = signedIn;
  const key = await service.key(storeId);
  const productId = await addProduct(service, storeId, { sku: 'TEA', price: 500 });
  const order = async (body: object, headers?: Record<string, string>) =>
    (await service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 2 }], ...body }, key, headers)).body.data;
  const read = async (what: 'orders' | 'customers', id: string) =>
    (await service.get(`/api/v1/${what}/${id}`, key)).body.data;
  const create = async (body: object) => (await visitor.post(`${path}/customers`, body)).body;
  const erase = (id: string) => visitor.delete(`${path}/customers/${id}/personal-data`);
  return { ...signedIn, key, productId, order, read, create, erase };
}

const fromNowOn = () => {
  clock.now += 60_000;
};

test('nothing of the person is left in any column of any table', async () => {
  const mine = await shop();
  const { storeId, visitor, path, key, owner, productId, order, create, erase } = mine;
  const phone = '+7 916 555-01-77';
  const email = 'Zina.Q@example.test';
  const name = 'Zinaida Qwertova';
  /** What each of the values is found by, whatever its notation. */
  const needles = ['9165550177', '9165550188', 'zina.q@', 'zina-two@', 'qwertova', 'quiet lane', 'doorcode', 'giftof'];
  const isTheirs = (text: string) => {
    const lower = decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25')).toLowerCase();
    const digits = lower.replace(/[\s()+.-]/g, '');
    return needles.some((needle) => lower.includes(needle) || digits.includes(needle));
  };

  // Webhooks whose receiver says what it knows, and mails that are not sent.
  const receiver = await startReceiver();
  receiver.respondWith(200, JSON.stringify({ saved: { name, phone } }));
  const hooks = webhooksOf(service);
  await hooks.endpoint(receiver.url, { storeId });
  await setOrderMail(db, storeId, owner.id, true);
  await enableShop(db, storeId, 'quiet', clock.now);

  // The customer, one that was merged into it, and one that was merged into that.
  const [kept, second, third] = [
    await create({ name, phone, externalId: `crm-${email}` }),
    await create({ name: `${name} 2`, phone: '+7 916 555-01-88' }),
    await create({ name, email: 'zina-two@example.test' }),
  ];
  await visitor.patch(`${path}/customers/${kept.id}`, { email, name: 'Z. Qwertova' });
  const placed = await order({
    externalId: `site/${email}`,
    customer: { name, phone: '8 (916) 555 01 77', email: 'zina-two@example.test' },
    delivery: { address: 'Quiet lane 7', city: 'Quiet Lane', trackingNumber: 'giftof-1' },
    notes: 'The doorcode is 4711',
    metadata: { gift: `giftof ${name}` },
  });
  for (const idempotencyKey of ['plain', 'form-79165550177'])
    await order({ customer: { name, email: 'zina-two@example.test' } }, { 'Idempotency-Key': idempotencyKey });
  await visitor.post(`${path}/customers/${second.id}/merge`, { otherId: third.id });
  await visitor.post(`${path}/customers/${kept.id}/merge`, { otherId: second.id });
  await visitor.send(
    'POST',
    `${path}/orders`,
    { items: [{ productId, quantity: 1 }], customer: { name, phone } },
    { 'Idempotency-Key': 'console' },
  );
  await service.patch(`/api/v1/orders/${placed.id}`, { notes: 'doorcode 4712', status: 'packing' }, key);
  const guest = shopVisitor(service);
  const form = await fillIn(guest, '/shop/quiet', productId);
  clock.now += 5000;
  const checkout = { ...form, name, phone, email, address: 'Quiet lane 7', notes: 'doorcode' };
  const { location } = await guest.post('/shop/quiet/checkout', checkout);
  const dispatcher = hooks.dispatcher();
  await dispatcher.idle();
  await dispatcher.close();
  // The order of somebody else has an e-mail of hers.
  const neighbour = await create({ name: 'Boris', phone: '+7 900 000-00-01', email: 'boris@example.test' });
  const foreign = await order({ customer: { name: 'Boris', phone: neighbour.phone, email: 'zina-two@example.test' } });
  expect(foreign.customer.id).toBe(neighbour.id);

  clock.now += 120_000;
  await mailAboutOrders(service.services);
  for (const q of ['916 555-01-77', 'ZINA.Q@EXAMPLE.TEST', name, 'Quiet lane 7'])
    await visitor.post(`${path}/order-views`, { name: `View ${++serial}`, filters: { q }, columns: [] });
  await visitor.post(`${path}/order-views`, { name, filters: {}, columns: [] });
  await visitor.post(`${path}/order-views`, { name: 'All', filters: { q: 'tea' }, columns: [] });
  for (const query of [
    'filter[phone]=8%20(916)%20555-01-77',
    'filter[phone]=%2B7%E2%80%91916%E2%80%91555%E2%80%9101%E2%80%9177',
    'filter[phone]=9165550177&limit=7',
    'filter[email]=zina.q%40example.test',
    `filter[metadata][gift]=giftof%20${encodeURIComponent(name)}`,
    'filter[+79165550177]=1',
  ])
    await service.get(`/api/v1/orders?${query}`, key, { 'X-Request-Id': 'for-zina.q@example.test' });
  await service.get('/api/v1/orders?filter[status]=new', key);
  await service.app.requestLog?.flush();

  const columns = await columnsWith(db, isTheirs);
  for (const column of [
    ...[
      'attempts.response_body',
      'customer_terms.term',
      'events.external_id',
      'history.details',
      'history.subject_name',
    ],
    ...['idempotency_keys.body', 'idempotency_keys.key', 'mails.params', 'mails.recipient', 'order_keys.key'],
    ...['order_views.name', 'order_views.view', 'orders.document', 'orders.document_head', 'orders.document_rest'],
    ...[
      'orders.document_tail',
      'orders.external_id',
      'orders.tracking_code',
      'request_log.problem',
      'request_log.query',
    ],
    ...['request_log.request_id', 'customers.email', 'customers.external_id', 'customers.name', 'customers.phone_key'],
  ])
    expect(columns).toContain(column);

  fromNowOn();
  expect((await erase(kept.id)).status).toBe(200);
  expect(await columnsWith(db, isTheirs)).toEqual([]);

  // What is not about the person stays.
  expect((await visitor.get(`${path}/order-views`)).body.map((view: any) => view.name)).toEqual(['All']);
  const { body: log } = await visitor.get(`${path}/requests?route=%2Forders&method=GET`);
  expect(log.requests).toHaveLength(7);
  expect((await visitor.get(`${path}/requests/${log.requests[0].id}`)).body.query).toBe('filter[status]=new');
  expect(await mine.read('customers', neighbour.id)).toEqual(neighbour);
  expect((await mine.read('orders', foreign.id)).customer).toEqual({
    ...foreign.customer,
    email: '',
  });
  const { text } = await shopVisitor(service).get(location.replace('?new', ''));
  expect(text).toContain('₽5.00');
  const { body: exported } = await visitor.get(`${path}/customers/${kept.id}/personal-data`);
  expect(isTheirs(JSON.stringify(exported))).toBe(false);
});

test('orders, sums and numbers stay; followers learn of it', async () => {
  const { key, visitor, path, order, read, create, erase } = await shop();
  const customer = await create({ name: 'Anna', phone: '+7 916 000-00-01' });
  const before = await order({
    externalId: 'A-1',
    customer: { name: 'Anna K', phone: customer.phone, email: 'a@example.test' },
    delivery: { address: 'Street 1', cost: 300, discount: 100 },
    discount: 50,
    notes: 'note',
  });
  const paid = await order({ customer: { phone: customer.phone } });
  await service.patch(`/api/v1/orders/${paid.id}`, { paymentStatus: 'paid' }, key);
  const follow = async (what: string, cursor = '') =>
    (await service.get(`/api/v1/${what}?order=updatedAt:asc${cursor && `&cursor=${cursor}`}`, key)).body;
  const [orders, customers] = [await follow('orders'), await follow('customers')];
  const sales = (await visitor.get(`${path}/customers/${customer.id}/sales`)).body;
  fromNowOn();
  const at = new Date(clock.now).toISOString();

  const { status, body } = await erase(customer.id);
  expect(status).toBe(200);
  const texts = { externalId: '', name: '', phone: '', email: '' };
  const erased = { ...customer, ...texts, updatedAt: at, erasedAt: at };
  expect(body).toEqual(erased);
  expect(await read('customers', customer.id)).toEqual(erased);
  expect((await service.get('/api/v1/customers', key)).body.data).toEqual([erased]);
  expect(await read('orders', before.id)).toEqual({
    ...before,
    updatedAt: at,
    customer: { id: customer.id, name: '', phone: '', email: '' },
    delivery: { ...before.delivery, address: '' },
    notes: '',
  });
  expect(await read('orders', paid.id)).toMatchObject({ paidAmount: 1000, number: paid.number, updatedAt: at });
  expect((await visitor.get(`${path}/customers/${customer.id}/sales`)).body).toEqual(sales);
  const changed = await follow('orders', orders.page.syncCursor);
  expect(changed.data.map(({ id }: any) => id)).toEqual([before.id, paid.id]);
  expect((await follow('customers', customers.page.syncCursor)).data).toEqual([erased]);
  // No event is sent: the receiver would get nothing new from it.
  const events = (await service.get('/api/v1/events', key)).body.data.map(({ type }: any) => type);
  expect(events.sort()).toEqual(['order.created', 'order.created', 'order.payment_status_changed']);
  const [entry] = (await visitor.get(`${path}/history?kind=customers`)).body.entries;
  expect(entry).toMatchObject({ action: 'erased', subject: { id: customer.id, name: '' } });

  // A second time changes nothing.
  fromNowOn();
  expect((await erase(customer.id)).body).toEqual(erased);
  expect((await follow('orders', changed.page.syncCursor)).data).toEqual([]);
});

test('the phone makes a new customer; the erased one is found and changed by nothing', async () => {
  const { key, storeId, visitor, path, order, read, create, erase } = await shop();
  const customer = await create({ name: 'Anna', phone: '+7 916 000-00-01', externalId: 'crm-1' });
  const old = await order({ customer: { phone: customer.phone } });
  fromNowOn();
  await erase(customer.id);

  const again = await order({ customer: { name: 'Anna', phone: '89160000001' } });
  expect(again.customer.id).not.toBe(customer.id);
  expect(again.customer.phone).toBe('89160000001');
  const found = await service.get('/api/v1/orders?filter[phone]=9160000001'.replace('=9', '=%2B79'), key);
  expect(found.body.data.map(({ id }: any) => id)).toEqual([again.id]);
  for (const q of ['anna', '9160000001', 'crm-1'])
    expect((await visitor.get(`${path}/customers?q=${q}`)).body.data.map(({ id }: any) => id)).not.toContain(
      customer.id,
    );
  const imported = await importCustomers(db, storeId, table(customerTable, 'externalId,name', 'crm-1,New'), {
    now: () => clock.now,
  });
  expect(imported).toMatchObject({ created: 1, updated: 0 });
  expect((await visitor.patch(`${path}/customers/${customer.id}`, { name: 'X' })).status).toBe(404);
  for (const [one, other] of [
    [customer.id, again.customer.id],
    [again.customer.id, customer.id],
  ])
    expect((await visitor.post(`${path}/customers/${one}/merge`, { otherId: other })).status).toBe(404);

  // The order can still be worked with, and given to a customer.
  expect((await service.patch(`/api/v1/orders/${old.id}`, { notes: 'returned' }, key)).body.data.notes).toBe(
    'returned',
  );
  const moved = await service.patch(`/api/v1/orders/${old.id}`, { customer: { phone: '89160000001' } }, key);
  expect(moved.body.data.customer.id).toBe(again.customer.id);
  expect(await read('customers', customer.id)).toMatchObject({ name: '', phone: '' });
});

test('a repeated creation gets its first response without the person, and creates nothing', async () => {
  const { key, order, read, erase } = await shop();
  const body = { customer: { name: 'Anna', phone: '+7 916 000-00-01' }, notes: 'note' };
  const headers = { 'Idempotency-Key': 'once' };
  const first = await order(body, headers);
  const other = await order({ customer: { phone: '5' } }, { 'Idempotency-Key': 'other' });
  fromNowOn();
  await erase(first.customer.id);
  const repeated = await service.post(
    '/api/v1/orders',
    { items: [{ sku: 'TEA', quantity: 2 }], ...body },
    key,
    headers,
  );
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(repeated.body.data).toEqual({ ...(await read('orders', first.id)), updatedAt: first.updatedAt });
  expect(repeated.body.data).toMatchObject({ id: first.id, notes: '', customer: { name: '', phone: '' } });
  expect((await service.get('/api/v1/orders', key)).body.data).toHaveLength(2);
  expect(await order({ customer: { phone: '5' } }, { 'Idempotency-Key': 'other' })).toEqual(other);
});

test('a merged customer is the same person, whichever of the two is erased', async () => {
  const { visitor, path, order, read, create, erase } = await shop();
  const [kept, merged] = [await create({ name: 'Kept', phone: '1' }), await create({ name: 'Merged', phone: '2' })];
  const { id } = await order({ customer: { name: 'Merged', phone: '2' } });
  await visitor.post(`${path}/customers/${kept.id}/merge`, { otherId: merged.id });
  fromNowOn();
  expect((await erase(merged.id)).body.id).toBe(kept.id);
  for (const each of [kept, merged])
    expect(await read('customers', each.id)).toMatchObject({ name: '', phone: '', erasedAt: expect.any(String) });
  expect((await read('customers', merged.id)).mergedIntoId).toBe(kept.id);
  expect((await read('orders', id)).customer).toEqual({ id: kept.id, name: '', phone: '', email: '' });
});

test('what another customer has too stays theirs', async () => {
  const { storeId, key, visitor, path, order, read, erase } = await shop();
  await importCustomers(
    db,
    storeId,
    table(customerTable, 'externalId,name,phone', 'a,Anna,+79160000001', 'b,Boris,+79160000001'),
    { now: () => clock.now },
  );
  const { data } = (await service.get('/api/v1/customers?order=createdAt:asc', key)).body;
  const [anna, boris] = ['Anna', 'Boris'].map((name) => data.find((customer: any) => customer.name === name));
  await visitor.patch(`${path}/customers/${boris.id}`, { name: 'Boris B' });
  const theirs = await order({ customer: { name: 'B', phone: '+79160000001' } });
  await service.get('/api/v1/orders?filter[phone]=89160000001', key);
  await service.app.requestLog?.flush();
  fromNowOn();
  const [gone, left] = theirs.customer.id === anna.id ? [boris, anna] : [anna, boris];
  await erase(gone.id);
  expect((await read('orders', theirs.id)).customer).toEqual(theirs.customer);
  expect(await read('customers', left.id)).toMatchObject({ phone: '+79160000001' });
  const { body } = await visitor.get(`${path}/requests?route=%2Forders`);
  const queries = await Promise.all(
    body.requests.map(async ({ id }: any) => (await visitor.get(`${path}/requests/${id}`)).body.query),
  );
  expect(queries).toContain('filter[phone]=89160000001');
});

test('only owners of the store may, and an unknown customer is not found', async () => {
  const mine = await shop();
  const theirs = await shop();
  const { id } = await mine.create({ name: 'Anna' });
  const path = `${mine.path}/customers/${id}/personal-data`;
  const { storeId } = mine;
  for (const role of ['manager', 'integrator', 'viewer'] as const) {
    const account = await service.owner();
    const edit = { storeId, actor: system, now: clock.now };
    await changeTeam(db, storeId, (tx) => addMember(tx, account, role, edit));
    const member = browser(service);
    await member.signIn(account.email);
    for (const method of ['GET', 'DELETE']) expect((await member.send(method, path)).status).toBe(403);
  }
  expect((await theirs.visitor.delete(path)).status).toBe(404);
  expect((await theirs.erase(id)).status).toBe(404);
  expect((await mine.erase('nobody')).status).toBe(404);
  expect((await mine.visitor.get(`${mine.path}/customers/nobody/personal-data`)).status).toBe(404);
  expect((await mine.read('customers', id)).erasedAt).toBeNull();
});

test('exports everything that is kept', async () => {
  const { visitor, path, key, order, create } = await shop();
  const customer = await create({ name: 'Anna', phone: '+7 916 000-00-01' });
  const other = await create({ name: 'A.', email: 'a@example.test' });
  const mine = await order({ customer: { phone: customer.phone }, notes: 'note' }, { 'Idempotency-Key': 'x' });
  await order({ customer: { phone: '5' } });
  await visitor.post(`${path}/customers/${customer.id}/merge`, { otherId: other.id });
  await visitor.post(`${path}/order-views`, { name: 'Hers', filters: { q: '9160000001' }, columns: [] });
  await service.get('/api/v1/orders?filter[phone]=89160000001', key);
  await service.app.requestLog?.flush();
  const { status, headers, body } = await visitor.get(`${path}/customers/${other.id}/personal-data`);
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="customer.json"']);
  expect(body).toMatchObject({
    customer: { id: customer.id, email: 'a@example.test' },
    mergedCustomers: [{ id: other.id }],
    orders: [{ id: mine.id, notes: 'note', webhookResponses: [] }],
    history: [{ action: 'created' }, { action: 'created' }, { action: 'merged' }],
    requests: [{ route: '/orders', query: 'filter[phone]=89160000001' }],
    savedViews: [{ name: 'Hers' }],
    keptResponses: [{ body: { data: { id: mine.id } } }],
  });
  expect(body.orders).toHaveLength(1);
});

test.runIf(engine === 'sqlite')('each statement reads as much of a table as it changes', async () => {
  const { storeId, order } = await shop();
  const body = { customer: { name: 'Anna', phone: '+7 916 000-00-01' }, externalId: 'of 79160000001', notes: 'note' };
  const { customer } = await order(body);
  const statements = new Set<Sql>();
  const recording = <Reads extends Queryable>(to: Reads): Reads => {
    const record =
      <Method extends 'all' | 'one' | 'run'>(method: Method) =>
      (statement: Sql) => {
        statements.add(statement);
        return to[method](statement);
      };
    return { ...to, all: record('all'), one: record('one'), run: record('run') };
  };
  const transaction: Database['transaction'] = (work, options) => db.transaction((tx) => work(recording(tx)), options);
  const { orders } = await eraseCustomer(
    { ...recording(db), transaction },
    { storeId, id: customer.id, actor: system, now: clock.now },
  );
  expect(orders).toBe(1);
  const plans = await Promise.all([...statements].map((statement) => planOf(db, statement)));
  expect(plans.join('\n')).toMatch(/orders_customer/);
  // Of the tables that grow with the store, nothing is read with the store alone.
  const whole =
    /(?:SEARCH|SCAN) (?:orders|order_\w*s|events|deliveries|attempts|customers|customer_terms|[a-z])\b.*\(store_id=\?\)/;
  for (const plan of plans) expect(plan.replaceAll(/.*order_(?:views|search_stores).*/g, '')).not.toMatch(whole);
});

describe('a customer with many orders', () => {
  const count = 1200;

  async function withOrders() {
    const mine = await shop();
    const { id } = await mine.create({ name: 'Anna', phone: '+7 916 000-00-01' });
    const statuses = await db.all<{ id: string }>(
      sql`select id from order_statuses where store_id = ${mine.storeId} and code = 'new'
          union all select id from payment_statuses where store_id = ${mine.storeId} and code = 'paid'`,
    );
    const [status, paid] = statuses.map((row) => row.id) as [string, string];
    await insertOrders(db, mine.storeId, Array(count).fill({ status_id: status, payment_status_id: paid }));
    await db.run(sql`update orders set customer_id = ${id},
        document = replace(document, '"customer":{"id":null,"name":""', ${`"customer":{"id":"${id}","name":"Anna"`})
      where store_id = ${mine.storeId}`);
    await db.run(sql`update order_search set terms = terms where false`);
    return { ...mine, id };
  }

  const left = async (storeId: string) =>
    Number(
      (
        await db.one<{ count: number }>(
          sql`select count(*) as count from orders where store_id = ${storeId} and document like '%"name":"Anna"%'`,
        )
      )?.count,
    );

  test('is erased in several transactions, each order with its own change number', async () => {
    const { storeId, id, erase } = await withOrders();
    expect(await left(storeId)).toBe(count);
    fromNowOn();
    expect((await erase(id)).status).toBe(200);
    expect(await left(storeId)).toBe(0);
    const numbers = await db.one<{ count: number }>(
      sql`select count(distinct seq) as count from orders where store_id = ${storeId} and updated_at = ${clock.now}`,
    );
    expect(Number(numbers?.count)).toBe(count);
  });

  test('is resumed at the next start if the process dies; an order that comes in meanwhile is not touched', async () => {
    const { storeId, id, key, order, read } = await withOrders();
    await service.get('/api/v1/orders?filter[phone]=89160000001', key);
    await service.app.requestLog?.flush();
    fromNowOn();
    let batches = 0;
    const dying: Database = Object.assign(Object.create(db), {
      run: () => Promise.reject(new Error('killed')),
      transaction: <Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions) =>
        options?.isLong && batches++ === 2 ? Promise.reject(new Error('killed')) : db.transaction(work, options),
    });
    const erasure = { storeId, id, actor: system, now: clock.now };
    await expect(eraseCustomer(dying, erasure)).rejects.toThrow('killed');
    expect(await left(storeId)).toBe(count - db.dialect.ordersPerBatch);
    expect(await read('customers', id)).toMatchObject({ name: '', erasedAt: expect.any(String) });

    const { id: later, customer } = await order({ customer: { name: 'Anna', phone: '+7 916 000-00-01' } });
    expect(customer.id).not.toBe(id);
    fromNowOn();
    await finishErasures(service.services);
    expect(await read('orders', later)).toMatchObject({ customer });
    expect(await left(storeId)).toBe(1);
    expect(await db.all(sql`select id from unfinished_changes`)).toEqual([]);
    const { query } = (await db.one<{ query: string }>(
      sql`select query from request_log where store_id = ${storeId} and query <> '' limit 1`,
    )) ?? { query: '' };
    expect(query).toBe('');
    // Nothing is left to resume.
    await finishErasures(service.services);
  });
});
