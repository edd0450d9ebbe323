import { API_PREFIX, type Endpoint, type ErrorCode, endpoints, errorCodes, rights } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { setActive } from '../accounts/stores.ts';

/**
 * The contract's order: path and method, key, rate limit, plan, right, parameters and body, existence, If-Match,
 * rules. Every request below is wrong in all the ways that come later; what is named must be the first.
 */
const service = await startService();
const { key, storeId, ownerId } = await service.shop();
await addProduct(service, storeId, { sku: 'TEA' });
const rows = Object.entries(endpoints) as [string, Endpoint][];
const nowhere = '00000000-0000-7000-8000-000000000000';
const MINUTE = 60_000;
const brief = await service.key(storeId, ['customers:read'], MINUTE);
service.clock.now += 2 * MINUTE;
const poor = await service.key((await service.store({ ownerId, plan: 'basic' })).id, ['customers:read']);
const closedStore = await service.store({ ownerId });
const closed = await service.key(closedStore.id, ['customers:read']);
await setActive(service.db, closedStore.id, false, service.clock.now);

const pathOf = (endpoint: Endpoint, id = nowhere) => API_PREFIX + endpoint.path.replace('{id}', id);

/** Wrong in its parameters, its body, its id and its If-Match. */
const wrong = (endpoint: Endpoint, sentKey?: string, from = service) =>
  from.send(endpoint.method, `${pathOf(endpoint)}?colour=red`, {
    key: sentKey,
    headers: { 'if-match': '"never"' },
    ...(endpoint.body && { rawBody: '{"no": json}' }),
  });

async function expectCode(reply: Promise<{ status: number; body: { code: string } }>, code: ErrorCode) {
  const { status, body } = await reply;
  expect([status, body.code]).toEqual([errorCodes[code].status, code]);
}

test('path, then method: neither wants a key', async () => {
  for (const [, endpoint] of rows) {
    await expectCode(service.send(endpoint.method, `${pathOf(endpoint)}/no/such?colour=red`), 'not_found');
    // Nor does what the body is matter, or that there is one at all.
    const rest = { rawBody: 'no json', headers: { 'content-type': 'text/plain' } };
    await expectCode(service.send('DELETE', `${pathOf(endpoint)}?colour=red`, rest), 'method_not_allowed');
    await expectCode(service.send('QUERY', pathOf(endpoint)), 'method_not_allowed');
    if (endpoint.path.includes('{id}'))
      await expectCode(service.send(endpoint.method, pathOf(endpoint, '')), 'not_found');
  }
});

describe.each(rows)('%s', (name, endpoint) => {
  test('key, before anything that was sent is looked at', async () => {
    await expectCode(wrong(endpoint), 'missing_key');
    await expectCode(wrong(endpoint, 'not-a-key'), 'invalid_key');
    await expectCode(wrong(endpoint, brief), 'expired_key');
  });

  test('plan and store, before the right', async () => {
    await expectCode(wrong(endpoint, poor), 'plan_required');
    await expectCode(wrong(endpoint, closed), 'store_inactive');
  });

  test.runIf(endpoint.right)('right, before parameters and body', async () => {
    const others = Object.keys(rights).filter((right) => right !== endpoint.right);
    const reply = wrong(endpoint, await service.key(storeId, others));
    await expectCode(reply, 'insufficient_rights');
    expect((await reply).body).toMatchObject({ detail: expect.stringContaining(endpoint.right as string) });
  });

  test('parameters and body, before existence', async () => {
    await expectCode(wrong(endpoint, key), endpoint.body ? 'malformed_json' : 'unknown_parameter');
    if (!endpoint.body) return;
    const send = (query: string, body: unknown) =>
      service.send(endpoint.method, pathOf(endpoint) + query, { key, body, headers: { 'if-match': '"never"' } });
    await expectCode(send('?colour=red', { colour: 'red' }), 'unknown_parameter');
    await expectCode(send('', { colour: 'red' }), 'invalid_body');
  });

  test.runIf(endpoint.path.includes('{id}'))('existence, before If-Match and rules', async () => {
    const body = name === 'changeOrder' ? { status: 'no such code' } : {};
    const headers = { 'if-match': '"never"' };
    for (const id of [nowhere, 'no-uuid', 'a%2Fb', '%00', '__proto__'])
      await expectCode(
        service.send(endpoint.method, pathOf(endpoint, id), { key, headers, ...(endpoint.body && { body }) }),
        'not_found',
      );
  });
});

test('the rate limit comes after the key and before the plan', async () => {
  const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
  const store = await limited.store({ plan: 'basic' });
  for (const [, endpoint] of rows) {
    const spent = await limited.key(store.id, ['customers:read']);
    await expectCode(wrong(endpoint, spent, limited), 'plan_required');
    await expectCode(wrong(endpoint, spent, limited), 'rate_limited');
    await expectCode(wrong(endpoint, 'not-a-key', limited), 'invalid_key');
  }
});

test('If-Match, before rules', async () => {
  const made = await service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }] }, key);
  const path = `/api/v1/orders/${made.body.data.id}`;
  const broken = { status: 'no such code' };
  await expectCode(service.patch(path, broken, key, { 'if-match': '"never"' }), 'precondition_failed');
  await expectCode(
    service.patch(path, broken, key, { 'if-match': made.headers.get('etag') as string }),
    'invalid_body',
  );
});
