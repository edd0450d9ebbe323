import { describe, expect, test, vi } from 'vitest';
import { addProduct } from '../../server/test/catalog.ts';
import { startService } from '../../server/test/service.ts';
import {
  type AttemptDetails,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  hasCode,
  NotFoundError,
  PermissionError,
  RateLimitError,
  responseOf,
  ServiceError,
  StoreSales,
  StoreSalesError,
  ValidationError,
} from './index.ts';

const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '60' } });
const { storeId, key } = await service.shop();
await addProduct(service, storeId, { sku: 'TEA' });
const items = [{ sku: 'TEA', quantity: 1 }];
const connect = (options: object = {}) =>
  new StoreSales({ baseUrl: service.url, apiKey: key, retries: { limit: 2, delay: 1 }, ...options });

describe('hooks', () => {
  test('see each attempt, and never the key', async () => {
    const seen: [string, AttemptDetails][] = [];
    let failures = 1;
    const client = connect({
      fetch: (url: string, init: RequestInit) =>
        failures-- > 0 ? Promise.reject(new Error('offline')) : fetch(url, init),
      onRequest: (request: AttemptDetails) => seen.push(['request', request]),
      onResponse: (response: AttemptDetails) => seen.push(['response', response]),
      onRetry: (retry: AttemptDetails) => seen.push(['retry', retry]),
    });
    await client.orders.get('none').catch(() => {});
    const about = { method: 'GET', url: `${service.url}/api/v1/orders/none`, requestId: seen[0]?.[1].requestId };
    expect(seen).toMatchObject([
      ['request', { ...about, attempt: 1 }],
      ['retry', { ...about, attempt: 1, error: { code: 'no_answer' }, delayMs: expect.any(Number) }],
      ['request', { ...about, attempt: 2 }],
      ['response', { ...about, attempt: 2, status: 404, durationMs: expect.any(Number) }],
    ]);
    expect(JSON.stringify(seen)).not.toContain(key);
  });

  test('can add headers, and wait', async () => {
    const client = connect({
      async onRequest({ headers }: { headers: Record<string, string> }) {
        await Promise.resolve();
        headers['X-Request-Id'] = 'from-the-hook';
        headers.Authorization = 'Bearer other';
      },
    });
    expect(responseOf(await client.credentials.check()).requestId).toBe('from-the-hook');
  });

  test('an error of a hook fails the call, without a retry', async () => {
    const reason = new Error('the hook failed');
    let calls = 0;
    const fail = () => {
      calls++;
      throw reason;
    };
    for (const hook of ['onRequest', 'onResponse'])
      await expect(connect({ [hook]: fail }).credentials.check()).rejects.toBe(reason);
    expect(calls).toBe(2);
  });

  test('the client names itself and its version', async () => {
    let agent = '';
    const record = (url: string, init: { headers: Record<string, string> }) => {
      agent = init.headers['User-Agent'] as string;
      return fetch(url, init);
    };
    await connect({ fetch: record }).credentials.check();
    expect(agent).toMatch(/^store-sales-client\/\d+\.\d+\.\d+$/);
  });
});

describe('request', () => {
  const client = connect();

  test('sends what the client has no method for', async () => {
    const created = await client.request<{ data: { id: string } }>('post', '/orders', { body: { items } });
    expect(responseOf(created)).toMatchObject({ status: 201, etag: expect.any(String) });
    const query = { 'filter[status]': 'new', limit: 1, with: undefined };
    const listed = await client.request<{ data: { id: string }[] }>('GET', '/orders', { query });
    expect(listed.data).toMatchObject([{ id: created.data.id }]);
    const { openapi } = await client.request<{ openapi: string }>('GET', '/openapi.json');
    expect(openapi).toBe('3.1.0');
    const stale = client.request('PATCH', `/orders/${created.data.id}`, { body: { notes: 'x' }, ifMatch: '"0"' });
    await expect(stale).rejects.toThrow(ConflictError);
    await expect(client.request('GET', '/nothing')).rejects.toThrow(NotFoundError);
    await expect(client.request('GET', 'https://elsewhere.example/')).rejects.toThrow(TypeError);
  });

  test('retries a creation with one Idempotency-Key, and a change only with ifMatch', async () => {
    const attempts = async (method: string, options: object) => {
      const keys: (string | undefined)[] = [];
      const fetch = async (_url: string, init: { headers: Record<string, string> }) => {
        keys.push(init.headers['Idempotency-Key']);
        throw new Error('offline');
      };
      await connect({ fetch })
        .request(method, '/orders', options)
        .catch(() => {});
      return [keys.length, new Set(keys).size, typeof keys[0]];
    };
    expect(await attempts('POST', { body: {} })).toEqual([3, 1, 'string']);
    expect(await attempts('PATCH', { body: {} })).toEqual([1, 1, 'undefined']);
    expect(await attempts('DELETE', { ifMatch: '"1"' })).toEqual([3, 1, 'undefined']);
    expect(await attempts('GET', {})).toEqual([3, 1, 'undefined']);
  });
});

describe('errors', () => {
  const failure = async (call: Promise<unknown>) => {
    const error = await call.catch((reason) => reason);
    const families = { AuthenticationError, ConflictError, ConnectionError, NotFoundError, PermissionError };
    const others = { RateLimitError, ServiceError, ValidationError };
    expect(error).toBeInstanceOf(StoreSalesError);
    return Object.entries({ ...families, ...others })
      .filter(([, family]) => error instanceof family)
      .map(([name]) => name);
  };
  const respond = (status: number, type: string) =>
    connect({ retries: 0, fetch: async () => new Response('{}', { status, headers: { 'content-type': type } }) });

  test('have a class for each family', async () => {
    const client = connect({ retries: 0 });
    const reader = connect({ apiKey: await service.key(storeId, ['orders:read']) });
    expect(await failure(client.orders.get('none'))).toEqual(['NotFoundError']);
    expect(await failure(client.orders.create({ items: [] }))).toEqual(['ValidationError']);
    expect(await failure(client.orders.list({ cursor: 'x' }))).toEqual(['ValidationError']);
    expect(await failure(connect({ apiKey: 'wrong' }).credentials.check())).toEqual(['AuthenticationError']);
    expect(await failure(reader.orders.create({ items }))).toEqual(['PermissionError']);
    const { id } = await client.orders.create({ items });
    expect(await failure(client.orders.change(id, { notes: 'x' }, { ifMatch: '"0"' }))).toEqual(['ConflictError']);
    const unreachable = connect({ retries: 0, baseUrl: 'http://127.0.0.1:1' });
    expect(await failure(unreachable.credentials.check())).toEqual(['ConnectionError']);
    expect(await failure(respond(503, 'text/html').credentials.check())).toEqual(['ServiceError']);
    // The page of a proxy says nothing about the record.
    expect(await failure(respond(404, 'text/html').orders.get('o'))).toEqual(['ServiceError']);
    expect(await failure(respond(401, 'text/html').orders.get('o'))).toEqual(['ServiceError']);
    const limited = connect({ retries: 0, apiKey: await service.key(storeId) });
    const all = await Promise.allSettled(Array.from({ length: 61 }, () => limited.credentials.check()));
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await failure(limited.credentials.check())).toEqual(['RateLimitError']);
    service.clock.now += 60_000;
  });

  test('are recognized over copies of the package', async () => {
    vi.resetModules();
    const copy = await import('./errors.ts');
    expect(copy.NotFoundError).not.toBe(NotFoundError);
    const error = await connect()
      .orders.get('none')
      .catch((reason) => reason);
    expect(error instanceof copy.NotFoundError).toBe(true);
    expect(error instanceof copy.StoreSalesError).toBe(true);
    expect(error instanceof copy.ConflictError).toBe(false);
    expect(copy.hasCode(error, 'not_found')).toBe(true);
    for (const other of [new Error('no'), null, undefined, 'text', { name: 'StoreSalesError' }]) {
      expect(other instanceof StoreSalesError).toBe(false);
      expect(hasCode(other)).toBe(false);
    }
  });

  test('a class that a program derives is its own', async () => {
    class Mine extends NotFoundError {}
    const error = await connect()
      .orders.get('none')
      .catch((reason) => reason);
    const mine = new Mine({ status: 404, code: 'not_found', detail: '', requestId: '' });
    expect([error instanceof Mine, mine instanceof Mine, mine instanceof NotFoundError]).toEqual([false, true, true]);
  });

  test('a family narrows the type', () => {
    const describeError = (error: StoreSalesError): string => {
      if (error instanceof NotFoundError) return `${error.status satisfies 404}`;
      return error.code;
    };
    expect(describeError(new NotFoundError({ status: 404, code: 'not_found', detail: '', requestId: '' }))).toBe('404');
  });
});

describe('an order line', () => {
  const client = connect();

  test('has exactly one product key by type', async () => {
    const wrong = [
      // @ts-expect-error no product key
      () => client.orders.create({ items: [{ quantity: 1 }] }),
      // @ts-expect-error two product keys
      () => client.orders.create({ items: [{ sku: 'TEA', externalProductId: 'x', quantity: 1 }] }),
      // @ts-expect-error a line of the order and a product key
      () => client.orders.change('none', { items: [{ id: 'x', sku: 'TEA', quantity: 1 }] }),
      // @ts-expect-error a new line needs a quantity
      () => client.orders.change('none', { items: [{ sku: 'TEA' }] }),
    ];
    for (const send of wrong) await expect(send()).rejects.toThrow(ValidationError);
  });

  test('may be one of the order, or a new one', async () => {
    const order = await client.orders.create({ items });
    if (!('items' in order)) throw new Error('a summary');
    const lines = order.items.map(({ id }) => ({ id }));
    const changed = await client.orders.change(order.id, { items: [...lines, { sku: 'TEA', quantity: 2 }] });
    expect('items' in changed && changed.items.map(({ quantity }) => quantity)).toEqual([1, 2]);
  });
});
