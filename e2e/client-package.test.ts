import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService } from '../packages/server/test/service.ts';

/** The packed client, installed from its file in an empty project, as an integrator gets it. */

const repository = fileURLToPath(new URL('..', import.meta.url));
const compilers = {
  'TypeScript 7': join(repository, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5': join(repository, 'packages/client/node_modules/typescript/bin/tsc'),
};
const project = mkdtempSync(join(tmpdir(), 'store-sales-client-'));
const installed = join(project, 'node_modules/@store-sales/client');
const run = promisify(execFile);
const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: project };

/** The npm that runs these tests, if any. */
function npm(cwd: string, ...args: string[]) {
  const cli = process.env.npm_execpath;
  const [command, before] = cli ? [process.execPath, [cli]] : ['npm', []];
  return run(command, [...before, ...args, '--offline', '--no-audit', '--no-fund'], { cwd, env });
}

const node = async (name: string, source: string) => {
  writeFileSync(join(project, name), source);
  return (await run(process.execPath, [name], { cwd: project, env })).stdout.trim();
};

beforeAll(async () => {
  const service = await startService();
  env.STORE_SALES_URL = service.url;
  env.STORE_SALES_KEY = (await service.shop()).key;
  await npm(join(repository, 'packages/client'), 'pack', '--pack-destination', project);
  const [tarball] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }');
  await npm(project, 'install', `./${tarball}`);
}, 60_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('has no dependencies, no sources and no external references', () => {
  expect(readdirSync(join(project, 'node_modules'))).toEqual(expect.arrayContaining(['@store-sales']));
  expect(readdirSync(join(project, 'node_modules/@store-sales'))).toEqual(['client']);
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  for (const name of readdirSync(join(installed, 'dist'))) {
    const text = readFileSync(join(installed, 'dist', name), 'utf8');
    for (const [, from] of text.matchAll(/(?:from |import\(|require\()["']([^"']+)["']/g))
      expect(from, name).toMatch(/^\.\/[\w.-]+\.c?js$/);
  }
});

test.each(readdirSync(join(repository, 'examples')))('the example %s is installed from a clone', async (name) => {
  // As in a clone, but outside of its node_modules, in which everything is found.
  const clone = join(project, `clone of ${name}`);
  const example = join(clone, 'examples', name);
  cpSync(installed, join(clone, 'packages/client'), { recursive: true });
  cpSync(join(repository, 'examples', name), example, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  await npm(example, 'install');
  const source =
    "await import('@store-sales/client'); await import('@store-sales/client/webhooks'); console.log('found')";
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: example, env });
  expect(stdout.trim()).toBe('found');
});

test('the entries are under 10 KB compressed', () => {
  const code = readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
  expect(code).toEqual(expect.arrayContaining(['index.js', 'webhooks.js', 'testing.js']));
  const bytes = Buffer.concat(code.map((name) => readFileSync(join(installed, 'dist', name))));
  expect(gzipSync(bytes).length).toBeLessThan(10_000);
});

const program = `
const client = new StoreSales({ baseUrl: process.env.STORE_SALES_URL, apiKey: process.env.STORE_SALES_KEY });
const run = async () => {
  const { store } = await client.credentials.check();
  const header = await signatureHeader(['whsec_x'], Math.floor(Date.now() / 1000), '{}');
  const genuine = await verify('{}', header, 'whsec_x');
  const failure = await client.orders.get('none').catch((error) => error);
  console.log([store.plan, genuine.ok, failure instanceof StoreSalesError, hasCode(failure, 'not_found')].join());
};
run();`;

test('works from an ES module', async () => {
  const imports = `import { hasCode, StoreSales, StoreSalesError } from '@store-sales/client';
import { signatureHeader, verify } from '@store-sales/client/webhooks';`;
  expect(await node('program.mjs', imports + program)).toBe('optimal,true,true,true');
});

test('works from CommonJS', async () => {
  const imports = `const { hasCode, StoreSales, StoreSalesError } = require('@store-sales/client');
const { signatureHeader, verify } = require('@store-sales/client/webhooks');`;
  expect(await node('program.cjs', imports + program)).toBe('optimal,true,true,true');
});

test('errors of one copy are recognized by another', async () => {
  const source = `import { createRequire } from 'node:module';
import { StoreSales } from '@store-sales/client';
const other = createRequire(import.meta.url)('@store-sales/client');
const client = new StoreSales({ baseUrl: process.env.STORE_SALES_URL, apiKey: process.env.STORE_SALES_KEY });
const failure = await client.orders.get('none').catch((error) => error);
console.log([other.StoreSales === StoreSales, failure instanceof other.NotFoundError, other.hasCode(failure, 'not_found')].join());`;
  expect(await node('copies.mjs', source)).toBe('false,true,true');
});

test('makes signed events for tests of a receiver', async () => {
  const source = `import { signedEvent, TEST_SECRET } from '@store-sales/client/testing';
import { receiveWebhooks } from '@store-sales/client/webhooks';
const hooks = receiveWebhooks({ secret: TEST_SECRET, onEvent: (event) => console.log(event.type) });
console.log((await hooks.fetch(new Request('http://localhost/', await signedEvent()))).status);`;
  expect(await node('testing.mjs', source)).toBe('order.created\n200');
});

const typed = `
import { hasCode, type Order, type OrderItem, StoreSales } from '@store-sales/client';
import { type SignedEvent, signedEvent } from '@store-sales/client/testing';
import { receiveWebhooks, type WebhookEvent } from '@store-sales/client/webhooks';

export const signed: Promise<SignedEvent> = signedEvent({ type: 'ping' });
export async function run(client: StoreSales): Promise<void> {
  const order = await client.orders.create({ externalId: '1', items: [{ sku: 'a', quantity: 1 }] });
  // @ts-expect-error a key without orders:read gets a summary of an order that it repeats
  void order.status;
  if (!('items' in order)) return;
  const items: OrderItem[] = order.items;
  const code: string | null = order.status.code;
  for await (const each of client.orders.all({ status: 'new', updatedAt: { from: new Date() } })) {
    const one: Order = each;
    // @ts-expect-error items were not requested
    const lines: OrderItem[] = one.items;
    void lines;
  }
  for await (const { records, bookmark } of client.products.sync({ bookmark: '' })) void [records[0]?.sku, bookmark];
  // @ts-expect-error customers have no items
  client.customers.sync({ with: 'items' });
  // @ts-expect-error an amount is a number
  await client.orders.create({ items: [{ sku: 'a', quantity: '1' }] });
  // @ts-expect-error exactly one product key
  await client.orders.create({ items: [{ sku: 'a', productId: 'b', quantity: 1 }] });
  // @ts-expect-error no such sort order
  await client.orders.list({ order: 'name:asc' });
  // @ts-expect-error no such filter
  await client.orders.list({ status: 'new', colour: 'red' });
  const [type] = await client.references.deliveryTypes.list();
  const kind: 'carrier' | 'pickup' | 'courier' | undefined = type?.kind;
  try {
    await client.orders.change(order.id, { status: 'packing' }, { ifMatch: order });
  } catch (error) {
    if (hasCode(error, 'invalid_body')) void error.errors.map(({ pointer }) => pointer);
  }
  void [items, code, kind];
}
export const hooks = receiveWebhooks({
  secret: 'whsec_x',
  onEvent(event: WebhookEvent) {
    if (event.type !== 'ping') void event.data.orderId.length;
  },
});
`;

describe.each(Object.entries(compilers))('its types under %s', (_name, tsc) => {
  test.each([
    ['ES modules and CommonJS', ['typed.mts', 'typed.cts'], ['--module', 'nodenext']],
    ['a bundler', ['typed.ts'], ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])(
    'are strict in %s',
    async (_kind, names, options) => {
      for (const name of names) writeFileSync(join(project, name), typed);
      const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'];
      const target = ['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'];
      const checked = run(process.execPath, [tsc, ...strict, ...target, ...options, ...names], { cwd: project, env });
      await checked.catch((error) => expect(error.stdout || String(error)).toBe(''));
    },
    120_000,
  );
});
