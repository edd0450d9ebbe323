import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../packages/server/test/service.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'store-sales-openapi-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the document in the repository is the one that the service returns', async () => {
  const service = await startService();
  const { text } = await service.get('/api/v1/openapi.json');
  const shipped = JSON.parse(readFileSync(at('../docs/openapi.json'), 'utf8'));
  const returned = JSON.parse(text.replaceAll(service.url, 'https://sales.example'));
  expect(shipped, 'run node scripts/openapi.mjs').toEqual(returned);
});

test('generated types compile in a program that uses them', async () => {
  // The generator needs the compiler API of TypeScript 5, which is installed in packages/client.
  const tools = '../packages/client/node_modules';
  const types = join(folder, 'api.ts');
  await run(process.execPath, [at(`${tools}/openapi-typescript/bin/cli.js`), at('../docs/openapi.json'), '-o', types]);
  writeFileSync(
    join(folder, 'program.ts'),
    `import type { components, operations, paths, webhooks } from './api.js';
export const query: paths['/api/v1/orders']['get']['parameters']['query'] = {
  'filter[status]': 'new',
  'filter[updatedAt][from]': '2026-09-27T13:15:30+03:00',
  order: 'updatedAt:asc',
  with: 'items',
};
export const body: operations['createOrder']['requestBody']['content']['application/json'] = {
  externalId: '1',
  items: [{ sku: 'tea', quantity: 1 }],
};
// @ts-expect-error items are required
export const empty: components['schemas']['OrderCreate'] = {};
export const total = (order: components['schemas']['Order']): number => order.totalAmount;
export const code = (problem: components['schemas']['Problem']): string => problem.code;
export type Created = webhooks['order.created']['post'];
`,
  );
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--lib', 'es2022', '--module', 'nodenext'];
  const checked = run(process.execPath, [at(`${tools}/typescript/bin/tsc`), ...options, join(folder, 'program.ts')]);
  await checked.catch((error) => expect(error.stdout || String(error)).toBe(''));
}, 120_000);
