import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { closeAll } from '../accounts/sessions.ts';
import { setPlan } from '../accounts/stores.ts';
import { listKeys, revokeKey } from '../keys/keys.ts';
import { MINUTE } from '../time/duration.ts';

const service = await startService();

/** Sends the headers, waits until the key or session is accepted, runs an action, then sends the body. */
function sendLate(
  path: string,
  method: string,
  headers: Record<string, string>,
  body: unknown,
  action: () => Promise<unknown>,
) {
  const text = JSON.stringify(body);
  return new Promise<{ status: number; body: any }>((resolve, reject) => {
    const request = httpRequest(
      service.url + path,
      {
        method,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': text.length,
          expect: '100-continue',
        },
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode as number, body: text ? JSON.parse(text) : undefined });
      },
    );
    request.on('error', reject);
    request.flushHeaders();
    request.on('continue', () => action().then(() => request.end(text), reject));
  });
}

describe('a body that arrives after its key became invalid changes nothing', () => {
  async function late(action: (shop: Awaited<ReturnType<typeof service.shop>>) => Promise<unknown>, life?: number) {
    const shop = await service.shop();
    await addProduct(service, shop.storeId, { sku: 'TEA' });
    const key = await service.key(shop.storeId, ['orders:write'], life);
    const order = { externalId: 'late', items: [{ sku: 'TEA', quantity: 1 }] };
    const response = await sendLate('/api/v1/orders', 'POST', { authorization: `Bearer ${key}` }, order, () =>
      action(shop),
    );
    const { body } = await service.get('/api/v1/orders', shop.key);
    return { status: response.status, code: response.body.code, orders: body.data?.length };
  }

  test('the key is still valid: the order is created', async () => {
    expect(await late(async () => {})).toEqual({ status: 201, code: undefined, orders: 1 });
  });

  test('revoked', async () => {
    const revoked = await late(async ({ storeId }) => {
      for (const key of await listKeys(service.db, storeId))
        if (key.rights.length === 1) await revokeKey(service.db, key.id, service.clock.now);
    });
    expect(revoked).toEqual({ status: 401, code: 'invalid_key', orders: 0 });
  });

  test('expired', async () => {
    const expired = await late(async () => {
      service.clock.now += 2 * MINUTE;
    }, MINUTE);
    expect(expired).toEqual({ status: 401, code: 'expired_key', orders: 0 });
  });

  test('the store left the Optimal plan', async () => {
    const left = await late(({ storeId }) => setPlan(service.db, storeId, 'basic', service.clock.now));
    expect(left).toMatchObject({ status: 403, code: 'plan_required' });
  });
});

test('a message of an agent that arrives after its key was revoked is rejected', async () => {
  const { storeId, key } = await service.shop();
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const response = await sendLate('/mcp', 'POST', { authorization: `Bearer ${key}` }, message, async () => {
    for (const { id } of await listKeys(service.db, storeId)) await revokeKey(service.db, id, service.clock.now);
  });
  expect([response.status, response.body.code]).toEqual([401, 'invalid_key']);
});

test('a body that arrives after its session ended changes nothing', async () => {
  const { owner, visitor, store, path } = await signedInOwner(service);
  const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, origin: service.url };
  const response = await sendLate(`/console/api${path}`, 'PATCH', headers, { name: 'Renamed' }, () =>
    closeAll(service.db, owner.id),
  );
  expect([response.status, response.body.code]).toEqual([401, 'signed_out']);
  await visitor.signIn(owner.email);
  expect((await visitor.get('/stores')).body).toMatchObject([{ name: store.name }]);
});

test('nor does a request whose body is ignored, if the session ended before the body arrived', async () => {
  const { owner, visitor, storeId } = await signedInOwner(service);
  await service.key(storeId);
  const [key] = await listKeys(service.db, storeId);
  const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const path = `/console/api/stores/${storeId}/keys/${key?.id}`;
  const response = await sendLate(path, 'DELETE', { cookie, origin: service.url }, {}, () =>
    closeAll(service.db, owner.id),
  );
  expect([response.status, response.body.code]).toEqual([401, 'signed_out']);
  expect(await listKeys(service.db, storeId)).toMatchObject([{ revokedAt: null }]);
});

test('a client without a valid key is not asked for its body', async () => {
  const headers = { authorization: 'Bearer unknown' };
  const asked = sendLate('/api/v1/orders', 'POST', headers, {}, () => Promise.reject(new Error('asked for the body')));
  expect(await asked).toMatchObject({ status: 401, body: { code: 'invalid_key' } });
});
