import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../packages/server/test/database.ts';
import { call, envOf, json, program, serve, shop, storeSales } from './processes.ts';

const testDb = await migratedDatabase();
const env = envOf(testDb);
const node = await serve(env);
afterAll(async () => {
  await node.stop();
  await testDb.drop();
});

async function connect(key: string, url = node.url) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--url', url],
    env: { PATH: env.PATH as string, STORE_SALES_KEY: key },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

describe('store-sales mcp', () => {
  test('gives an agent the tools of the key, until the key is revoked', async () => {
    const { key, keyId, storeId } = await shop(env);
    const client = await connect(key, `${node.url}/`);
    expect(client.getServerVersion()?.name).toBe('store-sales');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'listOrders')?.annotations?.readOnlyHint).toBe(true);

    const created = await client.callTool({ name: 'createWarehouse', arguments: { name: 'Склад\nМосква' } });
    expect(created.structuredContent).toMatchObject({ data: { name: 'Склад\nМосква' } });
    const warehouses = await call(node, key, 'GET', '/api/v1/references/warehouses');
    expect(warehouses.body.data).toEqual([(created.structuredContent as any).data]);
    const many = await Promise.all(Array.from({ length: 20 }, () => client.callTool({ name: 'checkKey' })));
    expect(many.map((result: any) => result.structuredContent.data.store.id)).toEqual(Array(20).fill(storeId));
    const wrong = await client.callTool({ name: 'createOrder', arguments: { items: [{ quantity: 1 }] } });
    expect([wrong.isError, (wrong.structuredContent as any).errors[0].pointer]).toEqual([true, '/items/0']);

    await json(env, ['key', 'revoke', keyId]);
    await expect(client.callTool({ name: 'checkKey' })).rejects.toMatchObject({
      message: expect.stringContaining('invalid_key'),
      data: { status: 401, code: 'invalid_key' },
    });
    await client.close();
  });

  test('has only the tools that the rights of the key admit', async () => {
    const { storeId } = await shop(env);
    const { key } = await json<{ key: string }>(env, [
      ...['key', 'create', '--store', storeId, '--name', 'Agent', '--rights', 'products:read'],
    ]);
    const client = await connect(key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['checkKey', 'listProducts', 'readProduct']);
    await client.close();
  });

  test('reports a wrong key and a service that cannot be reached to the agent', async () => {
    await expect(connect('ssk_wrong')).rejects.toThrow(/invalid_key/);
    await expect(connect('ssk_wrong', 'http://127.0.0.1:1')).rejects.toThrow(/cannot be reached/);
    await expect(connect('ssk_wrong', `${node.url}/docs`)).rejects.toThrow(/not_found/);
  });

  test('ends with its input, after all responses, and prints nothing but messages', async () => {
    const { key } = await shop(env);
    const lines = [
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      'not JSON',
      { jsonrpc: '2.0', id: 'b', method: 'tools/list' },
    ].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const args = ['mcp', '--url', node.url];
    const { code, stdout, stderr } = await storeSales({ ...env, STORE_SALES_KEY: key }, args, `${lines.join('\n')}\n`);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect([code, ids.sort()]).toEqual([0, ['a', 'b']]);
    expect(stderr).toMatch(/^store-sales: malformed_json: [^\n]*\n$/);
  });

  test('exits with one line on a mistake', async () => {
    for (const [url, key, problem] of [
      [node.url, '', /STORE_SALES_KEY must be an API key/],
      [node.url, 'two words', /STORE_SALES_KEY must be an API key/],
      ['sales.example', 'ssk_x', /--url must be the URL of the service/],
    ] as const) {
      const { code, stdout, stderr } = await storeSales({ ...env, STORE_SALES_KEY: key }, ['mcp', '--url', url]);
      expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
      expect(stderr).toMatch(problem);
    }
  });
});
