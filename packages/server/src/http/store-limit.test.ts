import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { engine } from '../../test/database.ts';
import { countBlocked } from '../../test/lock-wait.ts';
import { startService } from '../../test/service.ts';
import { tick } from '../db/clock/store-clock.ts';
import { StoreBusy, storeLimits } from './store-limit.ts';

const order = { items: [{ sku: 'TEA', quantity: 1 }] };

async function twoShops(env: Record<string, string> = {}) {
  const service = await startService({ env });
  const [noisy, quiet] = [await service.shop(), await service.shop()];
  for (const { storeId } of [noisy, quiet]) await addProduct(service, storeId, { sku: 'TEA' });
  return { service, noisy, quiet };
}

/** A promise and the function that resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test.runIf(engine === 'postgres')(
  'requests that wait for the clock of their store leave connections to other stores',
  async () => {
    const { service, noisy, quiet } = await twoShops();
    const { opened, open } = gate();
    const isLocked = gate();
    const holder = service.db.transaction(async (tx) => {
      await tick(tx, noisy.storeId, service.clock.now);
      isLocked.open();
      await opened;
    });
    await isLocked.opened;
    let done = 0;
    const writes = Array.from({ length: 40 }, async () => {
      const reply = await service.post('/api/v1/orders', order, noisy.key);
      done++;
      return reply.status;
    });
    await expect.poll(() => countBlocked(service.db)).toBeGreaterThan(0);
    expect((await service.post('/api/v1/orders', order, quiet.key)).status).toBe(201);
    expect((await service.get('/api/v1/orders', quiet.key)).body.data).toHaveLength(1);
    expect((await service.get('/api/v1/references/order-statuses', quiet.key)).status).toBe(200);
    expect(await countBlocked(service.db)).toBeLessThanOrEqual(2);
    expect(done).toBe(0);
    open();
    await holder;
    expect(await Promise.all(writes)).toEqual(Array(40).fill(201));
  },
);

test("one store's many writes do not all run before another store's one", async () => {
  const { service, noisy, quiet } = await twoShops();
  const finished: string[] = [];
  const write = ({ storeId }: { storeId: string }, name: string) =>
    service.services.limit('orderWrite', storeId, async () => {
      await service.db.transaction((tx) => tick(tx, storeId, service.clock.now));
      finished.push(name);
    });
  const many = Array.from({ length: 300 }, () => write(noisy, 'noisy'));
  await write(quiet, 'quiet');
  await Promise.all(many);
  // On SQLite, one or two group commits run before it.
  expect(finished.indexOf('quiet')).toBeLessThan(150);
  expect(finished).toHaveLength(301);
});

test('a waiting request whose client has disconnected is not run', async () => {
  const { service, noisy } = await twoShops();
  const { opened, open } = gate();
  const blocking = Array.from({ length: 64 }, () => service.services.limit('orderWrite', noisy.storeId, () => opened));
  const body = JSON.stringify({ ...order, externalId: 'gone' });
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${noisy.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  // Queued after it on another connection, and run.
  const connections = async () =>
    (await service.get('/metrics')).text.match(/^store_sales_http_connections (\d+)/m)?.[1];
  const before = Number(await connections());
  const next = service.post('/api/v1/orders', { ...order, externalId: 'next' }, noisy.key);
  await expect.poll(async () => Number(await connections())).toBeGreaterThan(before);
  const both = Number(await connections());
  socket.destroy();
  await expect.poll(async () => Number(await connections())).toBeLessThan(both);
  open();
  await Promise.all(blocking);
  expect((await next).status).toBe(201);
  const { body: list } = await service.get('/api/v1/orders', noisy.key);
  expect(list.data.map(({ externalId }: { externalId: string }) => externalId)).toEqual(['next']);
});

test('waiting has a timeout, and the others run in order', async () => {
  const limit = storeLimits(engine, { waitLimitMs: 50 });
  const owner = 'a';
  const { opened, open } = gate();
  const blocking = limit('import', owner, () => opened);
  const late = limit('import', owner, async () => 'late');
  const streamed = limit('import', owner, async () => 'streamed', { isStreaming: true });
  await expect(late).rejects.toThrow(StoreBusy);
  open();
  await blocking;
  expect(await streamed).toBe('streamed');
  expect(await limit('import', owner, async () => 'next')).toBe('next');
});

test('large pages are the same on every connection', async () => {
  const { service, noisy } = await twoShops({ RESPONSE_CACHE_MB: '0' });
  const notes = 'ы'.repeat(4000);
  await Promise.all(Array.from({ length: 100 }, () => service.post('/api/v1/orders', { ...order, notes }, noisy.key)));
  const read = async (query = '') => {
    const response = await fetch(`${service.url}/api/v1/orders?limit=100${query}`, {
      headers: { authorization: `Bearer ${noisy.key}` },
    });
    return response.text();
  };
  const first = await read();
  expect(first.length).toBeGreaterThan(256 * 1024);
  expect(new Set(await Promise.all([read(), read(), read(), read()]))).toEqual(new Set([first]));
  const late = '&filter[updatedAt][from]=1970-01-01T00:00:00Z';
  expect(JSON.parse(await read(late)).data).toEqual(JSON.parse(first).data);
});
