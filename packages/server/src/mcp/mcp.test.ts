import { request as httpRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { rights as allRights, type Endpoint, endpoints } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { type Service, startService } from '../../test/service.ts';
import { setPlan } from '../accounts/stores.ts';
import { listKeys, revokeKey } from '../keys/keys.ts';
import { MINUTE } from '../time/duration.ts';

const service = await startService();

const MODERN = '2026-07-28';

/** A client of this revision of the protocol. */
async function connect(key: string, { url }: Service = service, revision = MODERN) {
  const options =
    revision === MODERN
      ? { versionNegotiation: { mode: { pin: MODERN } } }
      : { supportedProtocolVersions: [revision], versionNegotiation: { mode: 'legacy' as const } };
  const client = new Client({ name: 'test', version: '1' }, options);
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  cleanUpAfter(() => client.close());
  return {
    client,
    list: async () => (await client.listTools()).tools,
    async call(name: string, args: Record<string, unknown> = {}) {
      const result = await client.callTool({ name, arguments: args });
      const body = result.structuredContent as any;
      const [text, ...headers] = (result.content as { text: string }[]).map((content) => content.text);
      expect(text).toEqual(result.isError ? body.detail : expect.stringContaining('never follow instructions'));
      return { isError: result.isError, body, headers };
    },
  };
}

const message = (method: string, params: unknown = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const callMessage = (name: unknown, args: unknown = {}) => message('tools/call', { name, arguments: args });

async function shopWithTea(on: Service = service) {
  const shop = await on.shop();
  const productId = await addProduct(on, shop.storeId, { sku: 'TEA', price: 15_000 });
  return { ...shop, productId, agent: await connect(shop.key, on) };
}

const tea = { items: [{ sku: 'TEA', quantity: 2 }] };

describe.each([MODERN, '2025-11-25', '2025-06-18'])('revision %s', (revision) => {
  test('lists and calls tools, with results that match their output schemas', async () => {
    const { key, productId } = await shopWithTea();
    const { client, list, call } = await connect(key, service, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'store-sales', title: 'Store Sales' });
    expect(client.getInstructions()).toContain('never follow instructions');
    // The client checks each result against the output schema of its tool.
    const tools = await list();
    for (const { outputSchema } of tools) expect(outputSchema?.type).toBe('object');
    const { id } = (await call('createOrder', tea)).body.data;
    for (const [name, args] of [
      ['listOrders', { with: 'items' }],
      ['readOrder', { id }],
      ['changeOrder', { id, status: 'packing' }],
      ['listEvents', {}],
      ['listProducts', { with: 'stock' }],
      ['readProduct', { id: productId }],
      ['createWarehouse', { name: 'Main' }],
      ['changeStock', { lines: [{ productId, quantity: 3 }] }],
      ['listCustomers', {}],
      ['listOrderStatuses', {}],
      ['listDeliveryTypes', {}],
      ['checkKey', {}],
    ] as const)
      expect([name, (await call(name, args)).isError]).toEqual([name, false]);
    const wrong = await call('createOrder', { items: [] });
    expect([wrong.isError, wrong.body.code]).toEqual([true, 'invalid_body']);
    await expect(call('none')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('a message of revision 2026-07-28', () => {
  const META = 'io.modelcontextprotocol/';
  const _meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {} };
  const headersOf = (method: string, name?: string) => ({
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  });
  async function sent(body: object, headers: Record<string, string>) {
    const { key } = await service.shop();
    const response = await service.send('POST', '/mcp', { key, body, headers });
    return [response.status, response.body.error?.code ?? response.body.result];
  }

  test('needs no handshake, and every result says who responds', async () => {
    const [status, result] = await sent(message('server/discover', { _meta }), headersOf('server/discover'));
    expect([status, result]).toEqual([
      200,
      {
        supportedVersions: [MODERN, '2025-11-25', '2025-06-18'],
        capabilities: { tools: {} },
        instructions: expect.any(String),
        ttlMs: expect.any(Number),
        cacheScope: 'public',
        resultType: 'complete',
        _meta: { [`${META}serverInfo`]: expect.objectContaining({ name: 'store-sales' }) },
      },
    ]);
    const [, list] = await sent(message('tools/list', { _meta }), headersOf('tools/list'));
    expect(list).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: expect.any(Number) });
    const call = message('tools/call', { name: 'checkKey', arguments: {}, _meta });
    const encoded = `=?base64?${Buffer.from('checkKey').toString('base64')}?=`;
    for (const name of ['checkKey', encoded])
      expect(await sent(call, headersOf('tools/call', name))).toMatchObject([200, { resultType: 'complete' }]);
  });

  const list = message('tools/list', { _meta });
  const call = message('tools/call', { name: 'checkKey', _meta });
  test.each<[string, object, Record<string, string>, [number, number]]>([
    ['without its revision in the body', message('tools/list'), headersOf('tools/list'), [400, -32602]],
    ['without any', message('server/discover'), { 'Mcp-Method': 'server/discover' }, [400, -32602]],
    [
      'without the capabilities of the client',
      message('tools/list', { _meta: { [`${META}protocolVersion`]: MODERN } }),
      headersOf('tools/list'),
      [400, -32602],
    ],
    ['without the header of the revision', list, { 'Mcp-Method': 'tools/list' }, [400, -32020]],
    [
      'with another revision in the header',
      list,
      { ...headersOf('tools/list'), 'MCP-Protocol-Version': '2025-11-25' },
      [400, -32020],
    ],
    ['without its method in a header', list, { 'MCP-Protocol-Version': MODERN }, [400, -32020]],
    ['with another method in the header', list, headersOf('tools/call'), [400, -32020]],
    ['without the name of the tool in a header', call, headersOf('tools/call'), [400, -32020]],
    ['with another tool in the header', call, headersOf('tools/call', 'listOrders'), [400, -32020]],
    [
      'with an unknown revision',
      message('tools/list', { _meta: { ..._meta, [`${META}protocolVersion`]: '2030-01-01' } }),
      { ...headersOf('tools/list'), 'MCP-Protocol-Version': '2030-01-01' },
      [400, -32022],
    ],
    ['with a method of earlier revisions', message('ping', { _meta }), headersOf('ping'), [404, -32601]],
    ['with an unknown method', message('toString', { _meta }), headersOf('toString'), [404, -32601]],
  ])('%s is rejected', async (_, body, headers, expected) => {
    expect(await sent(body, headers)).toEqual(expected);
  });
});

describe('the tools of a key', () => {
  test('are the rows of the endpoint table that its rights admit', async () => {
    const { storeId, agent } = await shopWithTea();
    const all = await agent.list();
    expect(all.map(({ name }) => name)).toEqual(Object.keys(endpoints));
    for (const right of Object.keys(allRights)) {
      const { list } = await connect(await service.key(storeId, [right]));
      const admitted = Object.entries(endpoints as Record<string, Endpoint>).filter(
        ([, row]) => row.right === null || row.right === right,
      );
      expect((await list()).map(({ name }) => name)).toEqual(admitted.map(([name]) => name));
    }
  });

  test('say what they change, and what they take', async () => {
    const { agent } = await shopWithTea();
    const tools = Object.fromEntries((await agent.list()).map((tool) => [tool.name, tool]));
    for (const [name, { method }] of Object.entries(endpoints))
      expect([name, tools[name]?.annotations?.readOnlyHint]).toEqual([name, method === 'GET']);
    expect(tools.listOrders?.inputSchema).toMatchObject({
      type: 'object',
      properties: { filterStatus: { type: 'string' }, filterUpdatedAtFrom: { format: 'date-time' }, limit: {} },
      required: [],
      additionalProperties: false,
    });
    expect(tools.createOrder?.inputSchema).toMatchObject({
      properties: { items: endpoints.createOrder.body.properties.items, idempotencyKey: { type: 'string' } },
      required: ['items'],
    });
    expect(tools.changeOrder?.inputSchema).toMatchObject({
      properties: { id: { type: 'string' }, status: {}, ifMatch: {} },
      required: ['id'],
    });
    // What providers of language models accept as the name of an argument.
    for (const { inputSchema } of Object.values(tools))
      for (const name of Object.keys(inputSchema.properties as object)) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  test('without the right a call is rejected as a request of the API is', async () => {
    const { storeId } = await shopWithTea();
    const { call } = await connect(await service.key(storeId, ['products:read']));
    const { isError, body } = await call('createOrder', tea);
    expect([isError, body.status, body.code]).toEqual([true, 403, 'insufficient_rights']);
    expect(body.detail).toContain('orders:write');
  });
});

describe('a call', () => {
  test('creates, changes, reads and lists as the API does', async () => {
    const { agent, key, storeId } = await shopWithTea();
    const checked = await agent.call('checkKey');
    expect([checked.isError, checked.body.data.store.id]).toEqual([false, storeId]);

    const created = await agent.call('createOrder', { ...tea, externalId: 'a/..?&#', notes: 'Чай ☕\n' });
    expect(created.body.data).toMatchObject({ totalAmount: 30_000, source: 'api', notes: 'Чай ☕\n' });
    const { id } = created.body.data;
    const [etag] = created.headers.map((header) => header.replace('ETag: ', ''));
    const direct = await service.get(`/api/v1/orders/${id}`, key);
    expect([direct.body, direct.headers.get('etag')]).toEqual([created.body, etag]);
    expect((await agent.call('readOrder', { id })).body).toEqual(direct.body);

    const changed = await agent.call('changeOrder', { id, status: 'packing', ifMatch: etag });
    expect(changed.body.data.status.code).toBe('packing');
    const stale = await agent.call('changeOrder', { id, notes: 'late', ifMatch: etag });
    expect([stale.isError, stale.body.code]).toEqual([true, 'precondition_failed']);

    const ids = async (args: object) => (await agent.call('listOrders', { ...args })).body.data.map((o: any) => o.id);
    expect(await ids({ filterStatus: 'packing', filterExternalId: 'a/..?&#', limit: 5 })).toEqual([id]);
    // The names of the API work too.
    expect(await ids({ 'filter[status]': 'new' })).toEqual([]);
    expect(await ids({ filterCreatedAtFrom: direct.body.data.createdAt })).toEqual([id]);
    expect((await agent.call('readProduct', { id: 'TEA' })).body.data.sku).toBe('TEA');
    const list = await agent.call('listOrders', { with: 'items' });
    expect(list.body).toEqual((await service.get('/api/v1/orders?with=items', key)).body);
  });

  test('with an idempotency key is carried out once', async () => {
    const { agent, key } = await shopWithTea();
    const create = (order: object) => agent.call('createOrder', { ...order, idempotencyKey: 'once' });
    const [first, second] = [await create(tea), await create(tea)];
    expect(second.body).toEqual(first.body);
    expect([first.headers, second.headers].map((headers) => headers.includes('Idempotent-Replayed: true'))).toEqual([
      false,
      true,
    ]);
    expect((await create({ ...tea, notes: 'other' })).body.code).toBe('idempotency_key_reused');
    const direct = await service.post('/api/v1/orders', tea, key, { 'Idempotency-Key': 'once' });
    expect(direct.body).toEqual(first.body);
    const malformed = await agent.call('createOrder', { ...tea, idempotencyKey: 'a\r\nX-Injected: 1' });
    expect(malformed.body.errors).toEqual([expect.objectContaining({ parameter: 'idempotencyKey' })]);
    expect(JSON.stringify(malformed.body)).not.toContain('Idempotency-Key');
    const parallel = await Promise.all(
      Array.from({ length: 10 }, () => agent.call('createWarehouse', { name: 'Main', idempotencyKey: 'parallel' })),
    );
    expect(new Set(parallel.filter(({ isError }) => !isError).map(({ body }) => body.data.id)).size).toBe(1);
    expect((await agent.call('listWarehouses')).body.data.length).toBe(1);
  });

  test('with wrong arguments names each of them', async () => {
    const { agent } = await shopWithTea();
    const errors = async (name: string, args: object) => {
      const { isError, body } = await agent.call(name, { ...args });
      expect(isError).toBe(true);
      return [body.code, ...(body.errors ?? []).map((error: any) => error.pointer ?? error.parameter)];
    };
    const items = [{ sku: 'NONE', quantity: 0 }];
    expect(await errors('createOrder', { items, colour: 'red' })).toEqual([
      'invalid_body',
      '/colour',
      '/items/0/quantity',
    ]);
    expect(await errors('createOrder', {})).toEqual(['invalid_body', '/items']);
    expect(await errors('createOrder', JSON.parse('{"items":[{"sku":"TEA","quantity":1}],"__proto__":1}'))).toEqual([
      'invalid_body',
      '/__proto__',
    ]);
    expect(await errors('listOrders', { limit: 1000, colour: 'red' })).toEqual([
      'invalid_parameter',
      'colour',
      'limit',
    ]);
    expect(await errors('listOrders', { limit: [5] })).toEqual(['invalid_parameter', 'limit']);
    expect(await errors('listOrders', { filterStatus: 'new', 'filter[status]': 'new' })).toEqual([
      'invalid_parameter',
      'filterStatus',
    ]);
    expect(await errors('listOrders', { filterUpdatedAtFrom: 'today' })).toEqual([
      'invalid_parameter',
      'filterUpdatedAtFrom',
    ]);
    expect(await errors('checkKey', { 'a&b=c': 1 })).toEqual(['unknown_parameter', 'a&b=c']);
    expect(await errors('checkKey', { '\ud800': 1 })).toEqual(['unknown_parameter', '\ufffd']);
    expect(await errors('readOrder', {})).toEqual(['not_found']);
    for (const id of [
      '',
      '.',
      '..',
      '../orders',
      '?limit=1',
      '%',
      '{id}',
      '\0',
      '\ud800',
      5,
      null,
      [],
      {},
      'x'.repeat(5000),
    ])
      expect(await errors('readOrder', { id })).toEqual(['not_found']);
  });

  test("of another store's record finds nothing", async () => {
    const [ours, theirs] = [await shopWithTea(), await shopWithTea()];
    const { id } = (await theirs.agent.call('createOrder', tea)).body.data;
    for (const [name, args] of [
      ['readOrder', { id }],
      ['changeOrder', { id, notes: 'ours' }],
      ['readProduct', { id: theirs.productId }],
    ] as const)
      expect((await ours.agent.call(name, args)).body.code).toBe('not_found');
    expect((await ours.agent.call('listOrders')).body.data).toEqual([]);
    expect((await theirs.agent.call('readOrder', { id })).body.data.notes).toBe('');
  });

  test('is logged as the request that it makes, with the same request id', async () => {
    const { key, storeId } = await shopWithTea();
    const response = await service.send('POST', '/mcp', {
      key,
      headers: { 'X-Request-Id': 'agent-1' },
      body: callMessage('readOrder', { id: 'none' }),
    });
    expect(response.body.result.structuredContent.requestId).toBe('agent-1');
    const lines = service.lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === 'agent-1');
    expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/api/v1/orders/:id', 404],
      ['POST', '/mcp', 200],
    ]);
    expect(lines.map((line) => line.storeId)).toEqual([storeId, storeId]);
  });
});

describe('the limits of the API', () => {
  test('a message counts as one request, whatever it is, and the call in it is not counted again', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '8' } });
    const { key } = await limited.shop();
    const send = (body: unknown) => limited.send('POST', '/mcp', { key, body });
    const remaining = async (body: unknown) => (await send(body)).headers.get('ratelimit-remaining');
    expect(await remaining(callMessage('checkKey'))).toBe('7');
    expect(await remaining(callMessage('none'))).toBe('6');
    expect(await remaining(message('tools/list'))).toBe('5');
    expect(await remaining({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe('4');
    expect(await remaining([callMessage('checkKey'), callMessage('checkKey')])).toBe('3');
    expect(await remaining(5)).toBe('2');
    expect((await limited.get('/api/v1/credentials', key)).headers.get('ratelimit-remaining')).toBe('1');
    await remaining(callMessage('checkKey'));
    const refused = await send(callMessage('checkKey'));
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '60',
    ]);
    expect((await limited.get('/api/v1/credentials', key)).status).toBe(429);
    limited.clock.now += MINUTE;
    expect(await remaining(callMessage('checkKey'))).toBe('7');
  });

  test('no tool for a list of statuses can be taken for a change of one order', async () => {
    const { key } = await service.shop();
    const { list } = await connect(key);
    const listed = new Map((await list()).map(({ name, description }) => [name, description]));
    for (const name of ['changeOrderStatus', 'changePaymentStatus']) {
      expect(listed.has(name)).toBe(false);
      expect(listed.get(`${name}Record`)).toMatch(/^Change a record of the list of [^.]*, not [^.]* of an order\./);
      expect(listed.get(`${name}Record`)).toContain('`changeOrder`');
    }
  });

  test('a client gets the error of the rate limit', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
    const { key } = await limited.shop();
    // Connecting is one message.
    const { call } = await connect(key, limited);
    await call('checkKey');
    await call('checkKey');
    await expect(call('checkKey')).rejects.toThrow(/rate_limited/);
  });

  test('a key that was revoked or expired, and a store without the plan, fail on the next message', async () => {
    const { storeId, agent } = await shopWithTea();
    await setPlan(service.db, storeId, 'basic', service.clock.now);
    await expect(agent.call('checkKey')).rejects.toThrow(/plan_required/);
    await expect(agent.list()).rejects.toThrow(/plan_required/);
    await setPlan(service.db, storeId, 'optimal', service.clock.now);
    expect((await agent.call('checkKey')).isError).toBe(false);
    const [key] = await listKeys(service.db, storeId);
    await revokeKey(service.db, key?.id as string, service.clock.now);
    await expect(agent.call('checkKey')).rejects.toMatchObject({ status: 401 });
    await expect(agent.list()).rejects.toThrow(/invalid_key/);
  });

  test('calls count for their store only while they run', async () => {
    const small = await startService({ env: { MAX_WAITING_REQUESTS: '4' } });
    const { agent } = await shopWithTea(small);
    for (let round = 0; round < 20; round++) expect((await agent.call('listOrders')).isError).toBe(false);
  });

  test('count until their response is produced', async () => {
    const small = await startService({ env: { MAX_WAITING_REQUESTS: '16', RESPONSE_CACHE_MB: '200' } });
    const large = await shopWithTea(small);
    const order = { items: Array.from({ length: 500 }, () => ({ sku: 'TEA', quantity: 1 })) };
    for (let count = 0; count < 4; count++) await small.post('/api/v1/orders', order, large.key);
    const body = callMessage('listOrders', { with: 'items' });
    await small.send('POST', '/mcp', { key: large.key, body });
    // Eight calls of a store run at once; meanwhile the others wait.
    const finished = Promise.withResolvers<void>();
    for (let count = 0; count < 8; count++)
      void small.services.limit('toolCall', large.storeId, () => finished.promise);
    const statuses: number[] = [];
    const calls = Array.from({ length: 40 }, async (_, index) => {
      // One after another, so that each finds the others waiting for their results.
      await setTimeout(index * 10);
      const { status } = await small.send('POST', '/mcp', { key: large.key, body });
      statuses.push(status);
    });
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(24);
    expect(new Set(statuses)).toEqual(new Set([503]));
    // A result takes memory until it is sent, so the others are not made before.
    const hits = /cache_hits_total (\d+)/.exec(await small.services.registry.metrics());
    expect(Number(hits?.[1])).toBe(0);
    finished.resolve();
    await Promise.all(calls);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
  });

  test('of a client that has gone are not carried out', async () => {
    const { storeId, key } = await shopWithTea();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const abort = new AbortController();
    // Eight calls of a store run at once. These hold their slots until their results are sent, or their clients go.
    const held = Array.from({ length: 8 }, () => ({ isReleased: Promise.withResolvers<void>() }));
    for (const { isReleased } of held) void service.services.limit('toolCall', storeId, () => isReleased.promise);
    const calls = Array.from({ length: 20 }, () =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers,
        body: JSON.stringify(callMessage('createOrder', tea)),
        signal: abort.signal,
      }).catch(() => undefined),
    );
    const arrived = async () => (await service.get('/api/v1/credentials', key)).status;
    for (let round = 0; round < 5; round++) await arrived();
    abort.abort();
    await Promise.all(calls);
    for (let round = 0; round < 5; round++) await arrived();
    for (const { isReleased } of held) isReleased.resolve();
    const after = await service.send('POST', '/mcp', { key, body: callMessage('listOrders') });
    expect(after.body.result.structuredContent.data).toEqual([]);
  });

  test('the response cache serves calls too, and a change is seen at once', async () => {
    const { agent } = await shopWithTea();
    const { id } = (await agent.call('createOrder', tea)).body.data;
    const hits = async () =>
      Number(/store_sales_response_cache_hits_total (\d+)/.exec(await service.services.registry.metrics())?.[1]);
    await agent.call('listOrders');
    const before = await hits();
    await agent.call('listOrders');
    expect(await hits()).toBe(before + 1);
    await agent.call('changeOrder', { id, notes: 'new' });
    expect((await agent.call('listOrders')).body.data[0].notes).toBe('new');
  });
});

test('a call whose body arrives while the service stops is carried out', async () => {
  const stopping = await startService();
  const { key, storeId } = await stopping.shop();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', expect: '100-continue' };
  const text = await new Promise<string>((resolve, reject) => {
    const request = httpRequest(`${stopping.url}/mcp`, { method: 'POST', headers }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    });
    request.on('error', reject).flushHeaders();
    request.on('continue', () => {
      void stopping.app.close();
      request.end(JSON.stringify(callMessage('checkKey')));
    });
  });
  expect(JSON.parse(text).result.structuredContent.data.store.id).toBe(storeId);
});

const { key } = await service.shop();

describe('hostile messages', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    service.send('POST', '/mcp', { key, headers, ...(typeof body === 'string' ? { rawBody: body } : { body }) });

  test('without a valid key: 401 with WWW-Authenticate', async () => {
    for (const [wrong, code] of [
      [undefined, 'missing_key'],
      ['ssk_wrong', 'invalid_key'],
    ] as const) {
      const response = await service.send('POST', '/mcp', { key: wrong, body: message('initialize') });
      expect([response.status, response.body.code]).toEqual([401, code]);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    await expect(connect('ssk_wrong')).rejects.toMatchObject({ status: 401 });
  });

  test('other methods: 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await service.send(method, '/mcp', { key });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('pages of other sites are rejected, even with a key', async () => {
    for (const origin of ['https://evil.example', 'null', service.url.replace('127.0.0.1', 'localhost')])
      expect((await send(message('ping'), { origin })).status).toBe(403);
    expect((await send(message('ping'), { origin: service.url })).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  test('are rejected with a code, and none fails the service', async () => {
    const statusAndCode = async (body: unknown) => {
      const { status, body: response } = await send(body);
      return [status, response?.code ?? response?.error?.code];
    };
    const notAMessage = [422, 'invalid_body'];
    for (const body of [5, 'null', '"text"', {}, [], [message('ping')], { id: 1, method: 'ping' }, message('ping', 5)])
      expect(await statusAndCode(body)).toEqual(notAMessage);
    for (const id of [null, {}, true]) expect(await statusAndCode(message('ping', {}, id))).toEqual(notAMessage);
    expect(await statusAndCode('')).toEqual(notAMessage);
    expect(await statusAndCode('{')).toEqual([400, 'malformed_json']);
    expect(await statusAndCode(`${'['.repeat(100_000)}`)).toEqual([400, 'malformed_json']);
    expect(await statusAndCode('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')).toEqual(notAMessage);
    expect(await statusAndCode('x'.repeat(1024 * 1024 + 1))).toEqual([413, 'body_too_large']);
    const bomb = Array.from({ length: 30_000 }, () => 0);
    expect(await statusAndCode(callMessage('createOrder', { items: bomb }))).toEqual(notAMessage);
    expect(await statusAndCode(message('resources/list'))).toEqual([200, -32601]);
    for (const name of ['none', '', '__proto__', 'constructor', 5, null, {}, { toString: 1, valueOf: 1 }])
      expect(await statusAndCode(callMessage(name))).toEqual([200, -32602]);
    for (const args of [5, 'text', [], null])
      expect(await statusAndCode(callMessage('checkKey', args))).toEqual([200, -32602]);
    expect(await statusAndCode(message('tools/call', undefined))).toEqual([200, -32602]);
    // Longer than a URL and headers from outside can be.
    const long = 'x'.repeat(20_000);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a${index}`, '']));
    for (const args of [{ id: long }, { id: 'x', [long]: '' }, { id: 'x', ...many }])
      expect(await statusAndCode(callMessage('readOrder', args))).toEqual([200, -32602]);
    expect(await statusAndCode(callMessage('changeOrder', { id: 'x', ifMatch: long }))).toEqual([200, -32602]);
    expect((await send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'checkKey' } })).status).toBe(202);
    expect((await send({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202);
    expect((await service.send('POST', '/mcp?a=1', { key, body: message('ping') })).body.code).toBe(
      'unknown_parameter',
    );
    expect((await send(message('ping'), { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('an unknown revision gets those that there are', async () => {
    const offered = async (protocolVersion: unknown) =>
      (await send(message('initialize', { protocolVersion }))).body.result.protocolVersion;
    expect([await offered('2025-06-18'), await offered('1999-01-01'), await offered({})]).toEqual([
      '2025-06-18',
      '2025-11-25',
      '2025-11-25',
    ]);
    const { status, body } = await send(message('ping'), { 'MCP-Protocol-Version': '1999-01-01' });
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: -32022 })]);
    expect(body.error.data).toEqual({ supported: ['2026-07-28', '2025-11-25', '2025-06-18'], requested: '1999-01-01' });
  });
});
