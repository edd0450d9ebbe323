import { connect } from 'node:net';
import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@store-sales/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { maintain } from '../../test/maintain.ts';
import { type Reply, startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';
import { createKey, revokeKey } from '../keys/keys.ts';
import { DAY } from '../time/duration.ts';
import { bodyHash, pruneKeysOf } from './idempotency.ts';

const service = await startService();
const { db, clock } = service;
const ORDERS = `${API_PREFIX}/orders`;
const lines = { items: [{ sku: 'P', quantity: 2 }] };
let storeId: string;
let key: string;
let productId: string;
let stockedId: string;

beforeAll(async () => {
  ({ storeId, key } = await service.shop());
  productId = await addProduct(service, storeId, { sku: 'P' });
  stockedId = await addProduct(service, storeId, { sku: 'S' });
  await service.post(`${API_PREFIX}/references/warehouses`, { name: 'Shop' }, key);
});

let serial = 0;
let value: string;
beforeEach(() => {
  value = `request-${++serial}`;
});

const post = (path: string, body: unknown, sentKey = key, idempotencyKey = value) =>
  service.post(path, body, sentKey, { 'idempotency-key': idempotencyKey });
const isReplay = (reply: Reply) => reply.headers.get('idempotent-replayed') === 'true';
const outcome = (reply: Reply) => [reply.status, reply.body.code ?? 'ok', isReplay(reply)];
const count = async (table: 'orders' | 'events', of = storeId) =>
  (
    await db.all(
      table === 'orders'
        ? sql`select id from orders where store_id = ${of}`
        : sql`select id from events where store_id = ${of}`,
    )
  ).length;
const keptKeys = (of = storeId) =>
  db.all<{ key: string; status: number | null }>(
    sql`select key, status from idempotency_keys where store_id = ${of} order by key`,
  );

/** A body, another one, and one that a rule rejects after the body was validated. */
const bodies: Partial<Record<EndpointName, { first: object; other: object; invalid?: object }>> = {
  createOrder: {
    first: lines,
    other: { ...lines, notes: 'other' },
    invalid: { items: [{ sku: 'NONE', quantity: 1 }] },
  },
  createPaymentType: {
    first: { name: 'Invoice', code: 'invoice' },
    other: { name: 'Later' },
    invalid: { name: 'X', code: 'cash' },
  },
  createOrderStatus: {
    first: { group: 'new', name: 'Asked' },
    other: { group: 'new', name: 'Handled' },
    invalid: { group: 'new', name: 'New' },
  },
  createPaymentStatus: { first: { name: 'Half' }, other: { name: 'Most' }, invalid: { name: 'Paid' } },
  createWarehouse: { first: { name: 'North' }, other: { name: 'South' } },
  changeStock: {
    first: { lines: [{ sku: 'S', change: 1 }] },
    other: { lines: [{ sku: 'S', change: 2 }] },
    invalid: { lines: [{ sku: 'NONE', change: 1 }] },
  },
};

const creations = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { method }]) => method === 'POST',
);

describe.each(creations)('%s', (name, { path: relative, statuses }) => {
  const path = API_PREFIX + relative;
  const { first, other, invalid } = bodies[name] ?? { first: {}, other: {} };
  /** What a request that is carried out changes: the number of records, or the stock. */
  const records = async () =>
    name === 'changeStock'
      ? (await service.get(`${API_PREFIX}/products/${stockedId}`, key)).body.data.stock
      : (await service.get(`${path}${name === 'createOrder' ? '?limit=100' : ''}`, key)).body.data.length;

  test('a repetition gets the same response and creates nothing', async () => {
    const created = await post(path, first);
    expect(outcome(created)).toEqual([statuses[0], 'ok', false]);
    const before = await records();
    clock.now += 60_000;
    for (let repetition = 0; repetition < 3; repetition++) {
      const replay = await post(path, first);
      expect(outcome(replay)).toEqual([statuses[0], 'ok', true]);
      expect(replay.text).toBe(created.text);
      for (const header of ['etag', 'location', 'content-type'])
        expect(replay.headers.get(header)).toBe(created.headers.get(header));
    }
    expect(await records()).toBe(before);
  });

  test('another body is rejected, and the stored response remains', async () => {
    const changed = { ...other, ...(name.endsWith('Type') && { name: 'Reused' }) };
    const created = await post(path, changed);
    const before = await records();
    expect(outcome(await post(path, first))).toEqual([422, 'idempotency_key_reused', false]);
    expect(await records()).toBe(before);
    expect((await post(path, changed)).text).toBe(created.text);
  });

  test.runIf(invalid)('a failed request stores nothing, and the key can be used again', async () => {
    const failed = await post(path, invalid);
    expect([400, 409, 422]).toContain(failed.status);
    expect(await keptKeys()).not.toContainEqual(expect.objectContaining({ key: value }));
    expect((await post(path, invalid)).body.code).toBe(failed.body.code);
    const body = 'name' in first ? { ...first, name: `After an error ${serial}`, code: undefined } : first;
    expect(outcome(await post(path, body))).toEqual([statuses[0], 'ok', false]);
  });
});

test('a change, a body with errors and a rejected key store nothing', async () => {
  const before = await keptKeys();
  const headers = { 'idempotency-key': value };
  expect(outcome(await post(ORDERS, { items: [] }))).toEqual([422, 'invalid_body', false]);
  expect(outcome(await post(ORDERS, lines, await service.key(storeId, ['orders:read'])))).toEqual([
    403,
    'insufficient_rights',
    false,
  ]);
  expect((await service.post(ORDERS, lines, 'unknown', headers)).status).toBe(401);
  const { data } = (await service.post(ORDERS, lines, key)).body;
  expect((await service.patch(`${ORDERS}/${data.id}`, { notes: 'a' }, key, headers)).status).toBe(200);
  expect((await service.patch(`${ORDERS}/${data.id}`, { notes: 'b' }, key, headers)).body.data.notes).toBe('b');
  expect(await keptKeys()).toEqual(before);
});

test('the stored response stays as it was, whatever happens to the order', async () => {
  const created = await post(ORDERS, lines);
  await service.patch(`${ORDERS}/${created.body.data.id}`, { notes: 'later' }, key);
  await db.run(sql`update products set is_active = false where store_id = ${storeId} and id = ${productId}`);
  const replay = await post(ORDERS, lines);
  await db.run(sql`update products set is_active = true where store_id = ${storeId} and id = ${productId}`);
  expect([replay.text, isReplay(replay)]).toEqual([created.text, true]);
});

test('bodies are compared as JSON', async () => {
  const created = await service.send('POST', ORDERS, {
    key,
    headers: { 'idempotency-key': value },
    rawBody: '{"items":[{"sku":"P","quantity":100,"discount":0}],"customer":{"name":"Ёж","phone":""},"notes":"a/b"}',
  });
  expect(created.status).toBe(201);
  const spellings = [
    ' {\n"notes" : "a\\/b", "customer":{"phone":"","name":"\\u0401\\u0436"},"items":[{"discount":-0,"quantity":1e2,"sku":"\\u0050"}]}',
    '\ufeff{"items":[{"quantity":100.0,"sku":"P","discount":0}],"customer":{"name":"Ёж","phone":""},"notes":"a/b"}',
  ];
  for (const rawBody of spellings) {
    const replay = await service.send('POST', ORDERS, { key, headers: { 'idempotency-key': value }, rawBody });
    expect([outcome(replay), replay.text]).toEqual([[201, 'ok', true], created.text]);
  }
  const same = { items: [{ sku: 'P', quantity: 100, discount: 0 }], customer: { name: 'Ёж', phone: '' }, notes: 'a/b' };
  for (const body of [
    { ...same, notes: 'a/b ' },
    { ...same, items: [...same.items, ...same.items] },
    { ...same, customer: { name: 'ёж', phone: '' } },
    { ...same, promoCode: '' },
  ])
    expect(outcome(await post(ORDERS, body))).toEqual([422, 'idempotency_key_reused', false]);
});

test('the hash distinguishes structure from text', () => {
  const distinct = [
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { a: { 0: 1 } },
    [{ a: 1 }],
    { a: null },
    {},
    { a: 1, b: 1 },
    [1, 2],
    [2, 1],
  ];
  expect(new Set(distinct.map(bodyHash)).size).toBe(distinct.length);
  expect(bodyHash({ b: [{ d: 1, c: 2 }], a: 0 })).toBe(bodyHash({ a: 0, b: [{ c: 2, d: 1 }] }));
});

test('any key of the store repeats the request; other values, paths and stores are independent', async () => {
  const created = await post(ORDERS, lines);
  const replay = await post(ORDERS, lines, await service.key(storeId));
  expect([replay.text, isReplay(replay)]).toEqual([created.text, true]);

  expect(outcome(await post(ORDERS, lines, key, value.toUpperCase()))).toEqual([201, 'ok', false]);
  expect(outcome(await post(`${API_PREFIX}/references/warehouses`, { name: 'East' }))).toEqual([201, 'ok', false]);
  const another = await service.shop();
  await addProduct(service, another.storeId, { sku: 'P' });
  const elsewhere = await post(ORDERS, { ...lines, notes: 'x' }, another.key);
  expect([outcome(elsewhere), elsewhere.body.data.number]).toEqual([[201, 'ok', false], 1]);
  expect((await post(ORDERS, lines)).text).toBe(created.text);
});

test('differently spelled URLs are the same path', async () => {
  const created = await post(ORDERS, lines);
  for (const url of [`${ORDERS}?`, '/api/v1/%6Frders', '/api/v1/orders?&'])
    expect([url, (await post(url, lines)).text]).toEqual([url, created.text]);
});

test('a revoked key gets no stored response', async () => {
  const { secret, key: created } = await createKey(db, { storeId, name: 'k', rights: ['orders:write'] }, clock.now);
  expect((await post(ORDERS, lines, secret)).status).toBe(201);
  await revokeKey(db, created.id, clock.now);
  expect((await post(ORDERS, lines, secret)).body.code).toBe('invalid_key');
});

describe('a key without orders:read', () => {
  test('gets the whole order once, and only its ids from a repetition', async () => {
    const writeOnly = await service.key(storeId, ['orders:write']);
    const body = { ...lines, customer: { name: 'Anna', phone: '+7 900 123-45-67' }, notes: 'third floor' };
    const created = await post(ORDERS, body, writeOnly);
    expect([created.status, created.body.data.notes]).toEqual([201, 'third floor']);
    const replay = await post(ORDERS, body, writeOnly);
    const { id, number, createdAt } = created.body.data;
    expect(outcome(replay)).toEqual([201, 'ok', true]);
    expect(replay.body).toEqual({ data: { id, number, externalId: '', createdAt } });
    expect(replay.headers.get('etag')).toBe(created.headers.get('etag'));
    // What is stored does not depend on who asked first.
    expect((await post(ORDERS, body)).text).toBe(created.text);
    const others = await post(ORDERS, { ...body, notes: 'a' }, writeOnly);
    expect([outcome(others), others.text.includes('Anna')]).toEqual([[422, 'idempotency_key_reused', false], false]);
  });
});

describe('externalId decides alone', () => {
  const order = (externalId: string, more: object = {}) => ({ externalId, ...lines, ...more });

  test('a repetition gets 200 with the current order, whatever the Idempotency-Key', async () => {
    const created = await post(ORDERS, order('both'));
    expect(outcome(created)).toEqual([201, 'ok', false]);
    await service.patch(`${ORDERS}/${created.body.data.id}`, { notes: 'now' }, key);
    for (const idempotencyKey of [value, 'another-value']) {
      const replay = await post(ORDERS, order('both', { promoCode: 'NEW' }), key, idempotencyKey);
      expect(outcome(replay)).toEqual([200, 'ok', true]);
      expect([replay.body.data.id, replay.body.data.notes]).toEqual([created.body.data.id, 'now']);
    }
  });

  test('one Idempotency-Key with two external ids creates two orders', async () => {
    const created = [await post(ORDERS, order('one')), await post(ORDERS, order('two'))];
    expect(created.map(outcome)).toEqual([
      [201, 'ok', false],
      [201, 'ok', false],
    ]);
    expect(await keptKeys()).not.toContainEqual(expect.objectContaining({ key: value }));
  });

  test('a key used without an external id does not apply to an order with one, and vice versa', async () => {
    const plain = await post(ORDERS, lines);
    expect(outcome(await post(ORDERS, order('after')))).toEqual([201, 'ok', false]);
    expect((await post(ORDERS, lines)).text).toBe(plain.text);
  });

  test('a malformed key is still an error', async () => {
    const before = await count('orders');
    expect((await post(ORDERS, order('malformed'), key, 'a b')).body.code).toBe('invalid_parameter');
    expect(await count('orders')).toBe(before);
  });
});

describe('a malformed key', () => {
  /** Sent by hand, as HTTP clients reject most of these. */
  function sendRaw(
    headers: string[],
    query = '',
    body = JSON.stringify(lines),
    path = ORDERS,
  ): Promise<{ status: number; body: any }> {
    const { hostname, port } = new URL(service.url);
    const head = [
      `POST ${path}${query} HTTP/1.1`,
      'Host: service.test',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...headers,
    ];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1')),
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (data) => {
        text += data;
      });
      socket.on('error', reject).on('end', () => {
        resolve({ status: Number(text.split(' ')[1]), body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) });
      });
    });
  }

  test.each([
    ['empty', ['Idempotency-Key:'], 'invalid_format'],
    ['blank', ['Idempotency-Key:   '], 'invalid_format'],
    ['with a space', ['Idempotency-Key: a b'], 'invalid_format'],
    ['with a tab', ['Idempotency-Key: a\tb'], 'invalid_format'],
    ['of 256 characters', [`Idempotency-Key: ${'x'.repeat(256)}`], 'invalid_format'],
    ['of 10,000 characters', [`Idempotency-Key: ${'x'.repeat(10_000)}`], 'invalid_format'],
    ['not ASCII', ['Idempotency-Key: caf\u00e9'], 'invalid_format'],
    ['with a soft hyphen', ['Idempotency-Key: a\u00adb'], 'invalid_format'],
    ['given twice', ['Idempotency-Key: a', 'Idempotency-Key: b'], 'repeated'],
    ['the same twice', ['Idempotency-Key: a', 'idempotency-key: a'], 'repeated'],
    ['twice, once empty', ['Idempotency-Key: a', 'Idempotency-Key:'], 'repeated'],
  ])('%s', async (_name, headers, code) => {
    const before = [await count('orders'), await keptKeys()];
    const reply = await sendRaw(headers);
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_parameter']);
    expect(reply.body.errors).toEqual([expect.objectContaining({ parameter: 'Idempotency-Key', code })]);
    expect([await count('orders'), await keptKeys()]).toEqual(before);
  });

  test('is listed with the other parameters, before the body is checked', async () => {
    const reply = await sendRaw(['Idempotency-Key: a b'], '?colour=red', '{}');
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_parameter']);
    expect(reply.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'Idempotency-Key',
      'colour',
    ]);
  });

  test.each(creations)('is an error of %s', async (_name, { path }) => {
    const reply = await sendRaw(['Idempotency-Key: a b'], '', '{}', API_PREFIX + path);
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_parameter']);
  });

  test.each(['x', '!~"\\\'{}', 'x'.repeat(255), '0', 'null', '__proto__', "';drop/**/table/**/orders;--", '%00'])(
    '%j is valid',
    async (valid) => {
      const [created, replay] = [await post(ORDERS, lines, key, valid), await post(ORDERS, lines, key, valid)];
      expect([created.status, replay.text, isReplay(replay)]).toEqual([201, created.text, true]);
    },
  );
});

describe('after 24 hours', () => {
  test('the key is free again', async () => {
    const created = await post(ORDERS, lines);
    const start = clock.now;
    clock.now = start + DAY - 1;
    expect((await post(ORDERS, lines)).text).toBe(created.text);
    expect(outcome(await post(ORDERS, { ...lines, notes: 'x' }))).toEqual([422, 'idempotency_key_reused', false]);
    clock.now = start + DAY;
    const later = await post(ORDERS, { ...lines, notes: 'next day' });
    expect(outcome(later)).toEqual([201, 'ok', false]);
    expect((await post(ORDERS, { ...lines, notes: 'next day' })).text).toBe(later.text);
    clock.now += DAY - 1;
    expect(isReplay(await post(ORDERS, { ...lines, notes: 'next day' }))).toBe(true);
  });

  test('its row is deleted, in batches; younger ones are kept', async () => {
    const shop = await service.shop();
    await addProduct(service, shop.storeId, { sku: 'P' });
    for (let index = 0; index < 7; index++) await post(ORDERS, lines, shop.key, `old-${index}`);
    clock.now += DAY;
    await post(ORDERS, lines, shop.key, 'young');
    expect(await pruneKeysOf(service.services, shop.storeId, { batchSize: 3 })).toBe(7);
    expect((await keptKeys(shop.storeId)).map(({ key: kept }) => kept)).toEqual(['young']);
    clock.now += DAY;
    await maintain(service.services);
    expect(await keptKeys(shop.storeId)).toEqual([]);
    expect(await count('orders', shop.storeId)).toBe(8);
  });
});

test('what a store keeps is bounded by the records it creates', async () => {
  const shop = await service.shop();
  const name = 'Ж'.repeat(200);
  await addProduct(service, shop.storeId, { sku: 'LONG', name });
  const order = { items: Array.from({ length: 500 }, () => ({ sku: 'LONG', quantity: 1 })), notes: '"'.repeat(5000) };
  for (let index = 0; index < 3; index++) await post(ORDERS, order, shop.key, `${value}-${index}`);
  // Repetitions and failures add nothing.
  for (let index = 0; index < 5; index++) {
    await post(ORDERS, order, shop.key, `${value}-0`);
    await post(ORDERS, { items: [{ sku: 'NONE', quantity: 1 }] }, shop.key, `${value}-failed-${index}`);
  }
  const [kept, orders] = await Promise.all([
    db.one<{ rows: number; bytes: number }>(
      sql`select count(*) as rows, sum(length(body) + length(headers) + length(key) + length(path)) as bytes
          from idempotency_keys where store_id = ${shop.storeId}`,
    ),
    db.one<{ rows: number; bytes: number }>(
      sql`select count(*) as rows, sum(length(document) + length(document_rest) + length(items)) as bytes from orders where store_id = ${shop.storeId}`,
    ),
  ]);
  expect([kept?.rows, orders?.rows]).toEqual([3, 3]);
  expect(Number(kept?.bytes)).toBeLessThan(Number(orders?.bytes) + 3 * 1000);
});

describe('in the console', () => {
  test('a new order is created once', async () => {
    const { visitor, path, storeId: of } = await signedInOwner(service);
    await addProduct(service, of, { sku: 'P' });
    const create = (body: object, idempotencyKey = value) =>
      visitor.send('POST', `${path}/orders`, body, { 'idempotency-key': idempotencyKey });
    const created = await create(lines);
    expect([created.status, created.body.order.source, isReplay(created)]).toEqual([201, 'manual', false]);
    const replay = await create(lines);
    expect([replay.status, replay.text, isReplay(replay)]).toEqual([201, created.text, true]);
    expect(created.body.timeline).toMatchObject([{ type: 'order.created' }]);
    expect((await visitor.get(`${path}/orders/${created.body.order.id}`)).body).toEqual(created.body);
    expect([await count('orders', of), await count('events', of)]).toEqual([1, 1]);

    const reused = await create({ ...lines, notes: 'x' });
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused']);
    const malformed = await create(lines, 'a b');
    expect([malformed.status, malformed.body.code]).toEqual([400, 'invalid_parameter']);
    expect((await create({ items: [{ sku: 'NONE', quantity: 1 }] }, 'failed')).status).toBe(422);
    expect((await create(lines, 'failed')).status).toBe(201);
  });

  test('its keys are independent of those of the API', async () => {
    const { visitor, path, storeId: of } = await signedInOwner(service);
    await addProduct(service, of, { sku: 'P' });
    expect((await visitor.send('POST', `${path}/orders`, lines, { 'idempotency-key': value })).status).toBe(201);
    expect(outcome(await post(ORDERS, lines, await service.key(of)))).toEqual([201, 'ok', false]);
  });

  test('with an externalId, the header makes no difference', async () => {
    const { visitor, path, storeId: of } = await signedInOwner(service);
    await addProduct(service, of, { sku: 'P' });
    const create = () =>
      visitor.send('POST', `${path}/orders`, { externalId: 'a', ...lines }, { 'idempotency-key': value });
    expect([(await create()).status, (await create()).status]).toEqual([201, 200]);
    expect(await keptKeys(of)).toEqual([]);
  });
});
