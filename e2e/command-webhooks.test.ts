import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verify } from '@store-sales/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../packages/server/test/database.ts';
import { addHook, call, shop as emptyShop, envOf, json, serve, startListening, storeSales } from './processes.ts';
import { type Received, receiver } from './receiver.ts';

const testDb = await migratedDatabase();
const env = envOf(testDb, { WEBHOOK_ALLOW_INTERNAL: 'true' });
const node = await serve(env, ['--no-dispatch']);
afterAll(async () => {
  await node.stop();
  await testDb.drop();
});

/** A store with one product. */
async function shop() {
  const created = await emptyShop(env);
  const file = join(testDb.DATA_DIR, 'products.csv');
  writeFileSync(file, 'sku,name,price\nTEA,Tea,100\n');
  await json(env, ['product', 'import', '--store', created.storeId, file]);
  return created;
}

async function create(key: string, externalId: string): Promise<{ id: string }> {
  const body = { externalId, items: [{ sku: 'TEA', quantity: 1 }] };
  return (await call(node, key, 'POST', '/api/v1/orders', body)).body.data;
}

const [mine, other] = [await shop(), await shop()];

const isSigned = async ({ body, headers }: Received, secret: string) =>
  (await verify(body, headers['x-service-signature'] as string, secret)).ok;

describe('webhook trigger', () => {
  test('sends a signed event about an order at once, and changes nothing', async () => {
    const { storeId, key } = mine;
    const { received, url, close } = await receiver();
    const hook = await addHook(env, storeId, url);
    const none = await storeSales(env, ['webhook', 'trigger', hook.id, '--event', 'order.created']);
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('has no orders yet')]);

    const orders = [await create(key, 'first'), await create(key, 'second')];
    const before = await json(env, ['webhook', 'log', hook.id]);
    const trigger = (...args: string[]) =>
      json<{ eventId: string }>(env, ['webhook', 'trigger', hook.id, '--event', 'order.status_changed', ...args]);
    const sent = [await trigger(), await trigger('--order', orders[0]?.id as string)];
    expect(sent).toMatchObject([{ responseStatus: 200 }, { responseStatus: 200, error: null }]);
    expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { id: sent[0]?.eventId, type: 'order.status_changed', data: { orderId: orders[1]?.id, externalId: 'second' } },
      { id: sent[1]?.eventId, type: 'order.status_changed', data: { orderId: orders[0]?.id, externalId: 'first' } },
    ]);
    for (const each of received) expect(await isSigned(each, hook.secret)).toBe(true);
    expect(await json(env, ['webhook', 'log', hook.id])).toEqual(before);

    for (const args of [['--event', 'order.deleted'], []])
      expect((await storeSales(env, ['webhook', 'trigger', hook.id, ...args])).code).toBe(2);
    const foreign = await create(other.key, 'foreign');
    const wrong = ['webhook', 'trigger', hook.id, '--event', 'order.created', '--order', foreign.id];
    expect(await storeSales(env, wrong)).toMatchObject({ code: 3, stderr: expect.stringContaining('no such order') });
    await close();
    const refused = await storeSales(env, ['webhook', 'trigger', hook.id, '--event', 'order.created']);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('connection refused')]);
  });

  test('checks the address like a delivery', async () => {
    await create(other.key, 'one');
    const { received, url, close } = await receiver();
    const hook = await addHook(env, other.storeId, url);
    const strict = { ...env, WEBHOOK_ALLOW_INTERNAL: 'false' };
    const { stdout } = await storeSales(strict, ['webhook', 'trigger', hook.id, '--event', 'order.created']);
    expect(stdout).toContain('address not allowed');
    expect(received).toEqual([]);
    await close();
  });
});

describe('listen --forward-to', () => {
  const here = () => [env, ['--store', mine.storeId]] as const;
  const elsewhere = () =>
    [{ ...env, DATABASE_URL: 'postgres://nowhere.invalid/', STORE_SALES_KEY: mine.key }, ['--url', node.url]] as const;

  test.each([
    ['--store', here],
    ['--url', elsewhere],
  ])('%s forwards the events of one store from now on, signed, without an endpoint', async (name, source) => {
    const { key } = mine;
    await create(key, `before ${name}`);
    let status = 500;
    const { received, url, close } = await receiver(() => status);
    const [with_, args] = source();
    const listening = startListening(with_, [...args, '--forward-to', url]);
    const { secret } = JSON.parse(await listening.line());
    await create(other.key, `not forwarded ${name}`);
    const { id } = await create(key, `mine ${name}`);
    expect(JSON.parse(await listening.line())).toMatchObject({
      type: 'order.created',
      orderId: id,
      responseStatus: 500,
      error: 'http_status',
    });
    status = 200;
    const changed = await call(node, key, 'PATCH', `/api/v1/orders/${id}`, { status: 'packing', notes: 'call first' });
    expect(changed.status).toBe(200);
    expect(JSON.parse(await listening.line())).toMatchObject({ type: 'order.status_changed', error: null });
    expect(received.map(({ body }) => JSON.parse(body).data.orderId)).toEqual([id]);
    for (const each of received) expect(await isSigned(each, secret)).toBe(true);
    const { body } = await call(node, key, 'GET', `/api/v1/events?filter[orderId]=${id}&order=createdAt:asc`);
    expect(received.map(({ body: sent }) => JSON.parse(sent))).toEqual(body.data.slice(1));
    expect((await listening.stop()).code).toBe(0);
    await close();
  });

  test('needs a store or a service, and an address', async () => {
    const { storeId } = mine;
    for (const [args, code] of [
      [['--store', storeId], 2],
      [['--forward-to', 'http://127.0.0.1:1'], 2],
      [['--store', storeId, '--forward-to', 'ftp://x'], 2],
      [['--store', 'x', '--forward-to', 'http://127.0.0.1:1'], 3],
      [['--store', storeId, '--url', node.url, '--forward-to', 'http://127.0.0.1:1'], 2],
      [['--url', node.url], 2],
      [['--url', node.url, '--forward-to', 'http://127.0.0.1:1'], 3],
      [['--url', 'http://127.0.0.1:1', '--forward-to', 'http://127.0.0.1:1'], 4],
    ] as const)
      expect((await storeSales({ ...env, STORE_SALES_KEY: 'unknown' }, ['listen', ...args])).code, args.join(' ')).toBe(
        code,
      );
  });
});

describe('completion', () => {
  test('of bash suggests commands and options', async () => {
    const script = join(testDb.DATA_DIR, 'completion.bash');
    writeFileSync(script, (await storeSales(env, ['completion', 'bash'])).stdout);
    const suggestions = (...words: string[]) => {
      const line = `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _store_sales; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', line, 'bash', 'store-sales', ...words], { encoding: 'utf8' })
        .trim()
        .split('\n');
    };
    expect(suggestions('webh')).toEqual(['webhook']);
    expect(suggestions('webhook', 'tr')).toEqual(['trigger']);
    expect(suggestions('webhook', 'trigger', 'some id', '--')).toEqual(['--json', '--event', '--order', '--help']);
    expect(suggestions('nonsense', 'serv')).toEqual(['serve']);
  });

  test('of zsh and fish has every command; of another shell is refused', async () => {
    for (const shell of ['zsh', 'fish'])
      expect((await storeSales(env, ['completion', shell])).stdout).toMatch(/webhook[\s\S]*trigger[\s\S]*event/);
    expect((await storeSales(env, ['completion', 'cmd'])).code).toBe(2);
  });
});
