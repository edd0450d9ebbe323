import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventHeaders, signatureHeader } from '@store-sales/contract';
import { sql } from '@store-sales/server/db/sql';
import { seededRandom } from '@store-sales/server/demo/random';
import { rotateSecret } from '@store-sales/server/webhooks/endpoints/rotate-secret';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Order, StoreSales } from '../packages/client/src/index.ts';
import { addProduct } from '../packages/server/test/catalog.ts';
import { type Service, startService } from '../packages/server/test/service.ts';
import { webhooksOf } from '../packages/server/test/webhooks.ts';

/** The example's receiver against an unreliable network and an attacker. */

const program = fileURLToPath(new URL('../examples/live-copy/server.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'store-sales-copy-'));
const secret = 'whsec_of_the_example';

let service: Service;
let client: StoreSales;
let storeId: string;
let receiver: { url: string; child: ChildProcess };

beforeAll(async () => {
  service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
  const shop = await service.shop();
  storeId = shop.storeId;
  await addProduct(service, storeId, { sku: 'tea' });
  client = new StoreSales({ baseUrl: service.url, apiKey: shop.key });
  await create('before the receiver was there');
  receiver = await start(shop.key);
});
afterAll(() => {
  receiver?.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(key: string, given: { WEBHOOK_SECRET?: string; PORT?: string } = {}) {
  const env = {
    STORE_SALES_URL: service.url,
    STORE_SALES_KEY: key,
    WEBHOOK_SECRET: secret,
    COPY_FILE: join(folder, 'orders.json'),
    PORT: '0',
    ...given,
  };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      const found = /webhooks at (http:\S+)\/hooks/.exec(output);
      if (found) resolve(found[1] as string);
    });
    child.on('exit', (code) => reject(new Error(`the example ended with ${code}`)));
  });
  return { url, child };
}

async function kill() {
  const gone = new Promise((resolve) => receiver.child.once('exit', resolve));
  receiver.child.kill('SIGKILL');
  await gone;
}

const create = (notes: string) => client.orders.create({ notes, items: [{ sku: 'tea', quantity: 1 }] });

/** The requests that the service must send to the receiver, in the order of the changes. */
async function events() {
  const found = await service.db.all<{ id: string; type: string; order_id: string; created_at: number }>(
    sql`select id, type, order_id, created_at from events
        where store_id = ${storeId} and type not in ('order.edited', 'order.mailed') order by created_at, id`,
  );
  return found.map((event) => ({
    id: event.id,
    type: event.type,
    createdAt: new Date(event.created_at).toISOString(),
    data: { orderId: event.order_id, externalId: '' },
  }));
}
type Event = Awaited<ReturnType<typeof events>>[number];

/** Signs `body` with a time some seconds from now and sends it, or `tampered` instead. */
async function deliver(event: object, forged: { seconds?: number; body?: string; tampered?: string } = {}) {
  const { seconds = 0, body = JSON.stringify(event), tampered = body } = forged;
  const response = await fetch(`${receiver.url}/hooks`, {
    method: 'POST',
    body: tampered,
    headers: {
      'content-type': 'application/json',
      [eventHeaders.signature]: await signatureHeader([secret], Math.floor(Date.now() / 1000) + seconds, body),
      [eventHeaders.delivery]: 'd',
    },
  });
  return response.status;
}

const copied = async () => (await (await fetch(`${receiver.url}/orders`)).json()) as Order[];

async function ordersOfService() {
  const orders: Order[] = [];
  for await (const order of client.orders.all({ with: 'items', order: 'createdAt:asc' })) orders.push(order);
  return orders;
}

test('existing orders are copied at the start', async () => {
  expect(await copied()).toEqual(await ordersOfService());
  expect(await copied()).toHaveLength(1);
});

test('tampered bodies and old or future timestamps change nothing', async () => {
  const order = await create('delivered later');
  const event = (await events()).find(({ data }) => data.orderId === order.id) as Event;
  const other = JSON.stringify({ ...event, id: 'other' });
  expect(await deliver(event, { body: other, tampered: JSON.stringify(event) })).toBe(400);
  expect(await deliver(event, { tampered: `${JSON.stringify(event)} ` })).toBe(400);
  expect(await deliver(event, { seconds: -330 })).toBe(400);
  expect(await deliver(event, { seconds: 330 })).toBe(400);
  expect(await copied()).toHaveLength(1);
  expect(await deliver(event)).toBe(200);
  expect(await copied()).toEqual(await ordersOfService());
});

test('a ping is acknowledged, and an order that cannot be read is requested again', async () => {
  expect(await deliver({ id: 'p', type: 'ping', createdAt: '', data: {} })).toBe(200);
  const unknown = { id: 'n', type: 'order.created', createdAt: '', data: { orderId: 'none', externalId: '' } };
  expect(await deliver(unknown)).toBe(500);
});

test('with duplicates, reordering and forgeries the copy ends in the state of the service', async () => {
  const { next, boolean, pick } = seededRandom(42);
  const delivered = new Set<string>();
  const orders: string[] = [];
  const statuses = ['new', 'packing', 'delivering', 'completed', 'cancelled'];
  const underway: Promise<unknown>[] = [];

  for (let step = 0; step < 60; step++) {
    if (boolean(0.3) || !orders.length) orders.push((await create(`order ${step}`)).id);
    else await client.orders.change(pick(orders), { status: pick(statuses), paymentStatus: pick(['paid', 'unpaid']) });
    if (boolean(0.3)) service.clock.now += 1;
    // Random earlier events, repeated and concurrent.
    for (let sends = 0; sends < 3; sends++) {
      const event = pick(await events());
      const expectedStatus = boolean(0.2) ? 400 : 200;
      const sent = expectedStatus === 200 ? deliver(event) : deliver(event, { tampered: '{}' });
      if (expectedStatus === 200) delivered.add(event.id);
      underway.push(sent.then((status) => expect(status).toBe(expectedStatus)));
    }
    if (step % 7 === 0) await Promise.all(underway.splice(0));
  }
  await Promise.all(underway);
  const left = (await events()).filter(({ id }) => !delivered.has(id)).sort(() => next() - 0.5);
  expect(left.length).toBeGreaterThan(5);
  await Promise.all([...left, ...left].map((event) => deliver(event)));
  expect(await copied()).toEqual(await ordersOfService());
}, 60_000);

test('after a kill, lost events and changes without events are caught up', async () => {
  const [first] = await ordersOfService();
  service.clock.now += 1000;
  await create('its event never arrives');
  await client.orders.change(first?.id as string, { notes: 'changed without an event' });
  await kill();
  const key = await service.key(storeId, ['orders:read']);
  receiver = await start(key);
  expect(await copied()).toEqual(await ordersOfService());
  const [event] = await events();
  expect(await deliver(event as Event)).toBe(200);
  expect(await copied()).toEqual(await ordersOfService());
});

test('the service keeps it up to date, also while the secret is replaced', async () => {
  // The receiver uses the real clock, so the service must sign with the current time.
  service.clock.now = Date.now();
  const hooks = webhooksOf(service);
  const endpoint = await hooks.endpoint(`${receiver.url}/hooks`, { storeId });
  await kill();
  const key = await service.key(storeId, ['orders:read']);
  receiver = await start(key, { WEBHOOK_SECRET: endpoint.secret, PORT: new URL(receiver.url).port });

  const dispatcher = hooks.dispatcher();
  const order = await create('sent by the service');
  await dispatcher.idle();
  expect(await copied()).toEqual(await ordersOfService());

  await rotateSecret(service.services, endpoint.id);
  await client.orders.change(order.id, { status: 'packing', paymentStatus: 'paid' });
  await dispatcher.idle();
  await dispatcher.close();
  expect(await copied()).toEqual(await ordersOfService());
  expect(await hooks.statuses(endpoint.id)).toEqual({ delivered: 3 });
});
