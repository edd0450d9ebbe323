import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';

const service = await startService();
const { key, storeId } = await service.shop();
await addProduct(service, storeId, { sku: 'A' });
const post = (rawBody: string) => service.send('POST', '/api/v1/orders', { key, rawBody });

test.each([
  ['{"notes":"a","items":[],"notes":"b"}', '/notes'],
  ['{"items":[{"sku":"x","quantity":1},{"sku":"x","quantity":1,"sku":"y"}]}', '/items/1/sku'],
  ['{"customer":{"name":"\\"a\\":1,","phone":"1"},"customer":{"phone":"2"}}', '/customer'],
  ['{"notes":"a","not\\u0065s":"b"}', '/notes'],
  ['{"a/b":[[1,{"":1 , "" :2}]]}', '/a~1b/0/1/'],
  ['{"__proto__":1,"__proto__":2}', '/__proto__'],
])('%s: the duplicate field is reported', async (text, pointer) => {
  const { status, body } = await post(text);
  expect([status, body.code]).toEqual([422, 'invalid_body']);
  expect(body.errors).toEqual([{ pointer, code: 'repeated', message: 'is given more than once' }]);
});

test('colons, brackets and quotes inside strings are ignored', async () => {
  const notes = '{"a":[1,2],"a":\\"::[[[[{{{{';
  const { status, body } = await post(JSON.stringify({ notes, items: [] }));
  expect(status).toBe(422);
  expect(body.errors).toEqual([expect.objectContaining({ pointer: '/items', code: 'too_small' })]);
});

test.each([
  ['{"items": x}', 'The body is not valid JSON.'],
  ['{"items":', 'The body is not valid JSON.'],
  ['{"notes":"Ivan" 1}', 'The body is not valid JSON at position 16.'],
])('%s: the error is in our words and repeats nothing of the body', async (text, detail) => {
  const { status, body } = await post(text);
  expect([status, body.code, body.detail]).toEqual([400, 'malformed_json', detail]);
});

test('an error lists the fields that are allowed where it is, and counts in singular and plural', async () => {
  const messagesOf = async (order: object) =>
    Object.fromEntries((await post(JSON.stringify(order))).body.errors.map((e: any) => [e.pointer, e.message]));
  const messages = await messagesOf({ customer: { age: 1 }, items: [{ sku: 'A', quantity: 1, amount: 1 }], a: 1 });
  expect(messages).toMatchObject({
    '/customer/age': 'is unknown; allowed: name, phone, email',
    '/items/0/amount': 'is unknown; allowed: productId, sku, externalProductId, quantity, unitPrice, discount',
    '/a': expect.stringMatching(/^is unknown; allowed: .*items/),
  });
  expect(await messagesOf({ items: [] })).toEqual({ '/items': 'must have at least 1 entry' });
  const line = { sku: 'A', quantity: 2, unitPrice: 100 };
  expect(await messagesOf({ items: [{ ...line, discount: 201 }] })).toEqual({
    '/items/0/discount': 'would make the line total negative; at most 200, unitPrice × quantity',
  });
  expect(await messagesOf({ items: [line], discount: 201 })).toEqual({
    '/discount': 'would make the order total negative; at most 200',
  });
  expect(await messagesOf({ items: [line], delivery: { cost: 5, discount: 6 } })).toEqual({
    '/delivery/discount': 'would make the price of delivery negative; at most 5, the cost of delivery',
  });
});

test('an e-mail address of a buyer is one, or empty, when an order is created and when it is changed', async () => {
  const send = async (email: string, id?: string) => {
    const body = { customer: { email }, ...(id === undefined && { items: [{ sku: 'A', quantity: 1 }] }) };
    return id === undefined
      ? service.post('/api/v1/orders', body, key)
      : service.patch(`/api/v1/orders/${id}`, body, key);
  };
  const { body: created } = await send('анна+1@пример.рф');
  for (const wrong of ['not-an-email', 'a@b@c', 'a b@example.com', '@example.com', 'a@', 'a@b\n'])
    for (const { status, body } of [await send(wrong), await send(wrong, created.data.id)]) {
      expect([status, body.errors.map((error: any) => error.pointer)]).toEqual([422, ['/customer/email']]);
      expect(body.errors[0]).toMatchObject({ code: 'invalid_format', message: 'must be an e-mail address, or empty' });
    }
  expect((await send('', created.data.id)).body.data.customer.email).toBe('');
});

test.each([
  ['64 nested levels are parsed', 64, 422, 'invalid_body'],
  ['65 nested levels are rejected', 65, 400, 'malformed_json'],
  ['500,000 nested levels are rejected, and the service still responds', 500_000, 400, 'malformed_json'],
])('%s', async (_name, depth, status, code) => {
  const reply = await post('['.repeat(depth) + ']'.repeat(depth));
  expect([reply.status, reply.body.code]).toEqual([status, code]);
  expect((await service.get('/api/v1/credentials', key)).status).toBe(200);
});

test('a body with more errors than the validator collects is rejected', async () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `"x${index}":1`).join();
  for (const count of [1, 200, 250, 251, 1000, 1001, 19_000]) {
    const { status, body } = await post(`{"items":[{"sku":"A","quantity":1}],${fields(count)}}`);
    expect([status, body.code, body.errors.length > 0], `${count} unknown fields`).toEqual([422, 'invalid_body', true]);
    expect(body.errors.every(({ code }: { code: string }) => code === 'unknown' || code === 'too_large')).toBe(true);
  }
  const lines = Array(499).fill('{"sku":"A","quantity":1}').join();
  const { status } = await post(`{"items":[${lines},{"sku":"A","productId":"x","quantity":"1"}]}`);
  expect(status).toBe(422);
});

test('the size of an error response is limited', async () => {
  const lines = (count: number, line: string) => `{"items":[${Array(count).fill(line).join()}]}`;
  const many = await post(lines(500, '{"a":1,"b":1,"c":"\\u0000"}'));
  expect([many.status, many.body.errors.length]).toEqual([422, 250]);
  const long = await post(lines(501, '{}'));
  expect([long.status, long.body.errors]).toEqual([
    422,
    [{ pointer: '/items', code: 'too_large', message: 'must have at most 500 entries' }],
  ]);
  for (const text of [lines(250_000, '{}'), lines(100_000, '"\\u0000"')]) {
    const { status, body } = await post(text);
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer: '', code: 'too_large' })]]);
  }
  const query = Array.from({ length: 3000 }, (_, index) => index.toString(36)).join('&');
  expect((await service.get(`/api/v1/orders?${query}`, key)).body.errors).toHaveLength(100);
});
