import { API_PREFIX, type Endpoint, type ErrorCode, endpoints, errorCodes, rights } from '@store-sales/contract';
import { type ConsoleEndpoint, consoleEndpoints } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { setActive } from '../accounts/stores.ts';
import { MINUTE } from '../time/duration.ts';

/**
 * The contract's order: path and method, key, rate limit, plan, right, parameters and body, existence, If-Match,
 * rules. Every request below also has all later errors; the response must name the first.
 */
const service = await startService();
const { key, storeId, ownerId } = await service.shop();
await addProduct(service, storeId, { sku: 'TEA' });
const rows = Object.entries(endpoints) as [string, Endpoint][];
const unknownId = '00000000-0000-7000-8000-000000000000';
const expiringKey = await service.key(storeId, ['customers:read'], MINUTE);
service.clock.now += 2 * MINUTE;
const basicPlanKey = await service.key((await service.store({ ownerId, plan: 'basic' })).id, ['customers:read']);
const closedStore = await service.store({ ownerId });
const closed = await service.key(closedStore.id, ['customers:read']);
await setActive(service.db, closedStore.id, false, service.clock.now);

const pathOf = (endpoint: Endpoint, id = unknownId) => API_PREFIX + endpoint.path.replace('{id}', id);

/** Invalid parameters, body, id and If-Match. */
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

test('path, then method, without a key', async () => {
  for (const [, endpoint] of rows) {
    await expectCode(service.send(endpoint.method, `${pathOf(endpoint)}/no/such?colour=red`), 'not_found');
    // With any body, or none.
    const rest = { rawBody: 'no json', headers: { 'content-type': 'text/plain' } };
    await expectCode(service.send('DELETE', `${pathOf(endpoint)}?colour=red`, rest), 'method_not_allowed');
    await expectCode(service.send('QUERY', pathOf(endpoint)), 'method_not_allowed');
    if (endpoint.path.includes('{id}'))
      await expectCode(service.send(endpoint.method, pathOf(endpoint, '')), 'not_found');
  }
});

describe.each(rows)('%s', (name, endpoint) => {
  test('key, before parameters and body', async () => {
    await expectCode(wrong(endpoint), 'missing_key');
    await expectCode(wrong(endpoint, 'not-a-key'), 'invalid_key');
    await expectCode(wrong(endpoint, expiringKey), 'expired_key');
  });

  test('plan and store, before the right', async () => {
    await expectCode(wrong(endpoint, basicPlanKey), 'plan_required');
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
    for (const id of [unknownId, 'no-uuid', 'a%2Fb', '%00', '__proto__'])
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
  const created = await service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }] }, key);
  const path = `/api/v1/orders/${created.body.data.id}`;
  const broken = { status: 'no such code' };
  await expectCode(service.patch(path, broken, key, { 'if-match': '"never"' }), 'precondition_failed');
  await expectCode(
    service.patch(path, broken, key, { 'if-match': created.headers.get('etag') as string }),
    'invalid_body',
  );
});

describe('the console', async () => {
  const { visitor, storeId: ours } = await signedInOwner(service);
  const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const withIds = (Object.entries(consoleEndpoints) as [string, ConsoleEndpoint][]).filter(([name]) =>
    name.includes('{'),
  );

  test.each(withIds)('%s: site, session and store, before everything else', async (name, { access }) => {
    const [method, path] = name.split(' ') as [string, string];
    const codeOf = async (store: string, id: string, headers: Record<string, string>) => {
      const sent = `/console/api${path}`.replace('{storeId}', store).replace(/\{\w+\}/g, id);
      const reply = await service.send(method, `${sent}?colour=red`, { headers });
      expect(reply.headers.get('cache-control')).toBe('no-store');
      return reply.body.code;
    };
    const origin = service.url;
    for (const store of [ours, storeId, unknownId, '', '%00'])
      for (const id of [unknownId, '', '%00']) {
        if (method !== 'GET')
          expect(await codeOf(store, id, { cookie, origin: 'https://evil.example' })).toBe('cross_site');
        expect(await codeOf(store, id, { origin })).toBe('signed_out');
        if (typeof access !== 'string' && store !== ours)
          expect(await codeOf(store, id, { cookie, origin })).toBe('not_found');
      }
    if (path.replace('{storeId}', '').includes('{'))
      for (const id of ['', '%00']) {
        const sent = `/console/api${path}`.replace('{storeId}', ours).replace(/\{\w+\}/g, id);
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
        const reply = await service.send(method, sent, { headers: { cookie, origin }, ...body });
        expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
      }
  });
});
