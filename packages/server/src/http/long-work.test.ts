import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { consoleEndpoints } from '@store-sales/contract/console';
import { expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { signedInMember } from '../../test/member.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';

const service = await startService();

/** An owner with more orders than a connection buffers as a file: the notes are in every row. */
async function manyOrders() {
  const shop = await signedInOwner(service);
  await addProduct(service, shop.storeId, { sku: 'A' });
  const order = { items: Array.from({ length: 250 }, () => ({ sku: 'A', quantity: 1 })), notes: 'n'.repeat(5000) };
  for (let count = 0; count < 16; count++)
    expect((await shop.visitor.post(`${shop.path}/orders`, order)).status).toBe(201);
  return shop;
}

/** Begins an export and does not read it. */
async function beginExport({ jar }: Browser, path: string): Promise<IncomingMessage> {
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
  const sent = request(`${service.url}/console/api${path}/orders/export?rows=items`, {
    headers: { origin: service.url, cookie },
    agent: false,
  });
  sent.on('error', () => {});
  cleanUpAfter(() => void sent.destroy());
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return response;
}

test('the members of a store have a limited number of exports open at once', async () => {
  const { maxOpen } = consoleEndpoints['GET /stores/{storeId}/orders/export'].response;
  const { visitor, path, storeId } = await manyOrders();
  const { visitor: viewer } = await signedInMember(service, storeId, 'viewer');
  const exports: IncomingMessage[] = [];
  for (let count = 0; count < maxOpen; count++) exports.push(await beginExport(count % 2 ? viewer : visitor, path));
  expect(exports.map(({ statusCode }) => statusCode)).toEqual(exports.map(() => 200));
  for (const member of [visitor, viewer]) {
    const { statusCode, headers } = await beginExport(member, path);
    expect([statusCode, headers['retry-after']]).toEqual([429, '60']);
  }
  expect((await viewer.get(`${path}/orders`)).status).toBe(200);
  const other = await signedInOwner(service);
  expect((await other.visitor.get(`${other.path}/orders/export`)).status).toBe(200);

  exports[0]?.destroy();
  await expect.poll(async () => (await beginExport(viewer, path)).statusCode).toBe(200);
  // Whoever reads to the end makes room, too.
  const [, second] = exports as [IncomingMessage, IncomingMessage];
  await second.resume();
  await once(second, 'close');
  await expect.poll(async () => (await beginExport(visitor, path)).statusCode).toBe(200);
});
