import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { system } from '@store-sales/server/actor';
import { createProduct } from '@store-sales/server/catalog/edit-products';
import { readConfig } from '@store-sales/server/config';
import { openDatabase } from '@store-sales/server/db/open';
import { afterAll, expect } from 'vitest';
import { migratedDatabase } from '../../packages/server/test/database.ts';
import { call, envOf, serve, storeSales } from '../processes.ts';

/** A running service that may deliver to receivers on this machine, and its database. */
export async function startInstallation(args: readonly string[] = []) {
  const database = await migratedDatabase();
  // Some tests record events of orders that do not exist.
  database.damages = ['event_without_order'];
  const env = envOf(database, {
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_INTERNAL: 'true',
    SECRET_KEY: 'a secret of the tests: 32 characters',
  });
  await storeSales(env, ['migrate']);
  const node = await serve(env, args);
  const config = readConfig(env);
  const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
  afterAll(async () => {
    await node.stop();
    await db.close();
    await database.drop();
  });
  return {
    env,
    config,
    db,
    addProduct: (storeId: string): Promise<string> =>
      createProduct(db, { name: 'Tea', price: 100 }, { storeId, actor: system, now: Date.now() }),
    /** Returns the id of the order. */
    async createOrder(key: string, productId: string): Promise<string> {
      const order = { items: [{ productId, quantity: 1 }] };
      const { status, body } = await call(node, key, 'POST', '/api/v1/orders', order);
      expect(status).toBe(201);
      return body.data.id;
    },
  };
}

/** A receiver that records when the event of each order arrived. */
export async function startTimedReceiver({ delayMs = 0, headers = {} } = {}) {
  const arrivals = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrivals.set(JSON.parse(body).data.orderId, performance.now());
    if (delayMs) await sleep(delayMs);
    response.writeHead(200, headers).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterAll(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    arrivals,
    port,
    url: `http://127.0.0.1:${port}/`,
    /** Creates orders one after another; returns how long each event took to arrive, shortest first. */
    async delays(count: number, createOrder: () => Promise<string>): Promise<number[]> {
      const delays: number[] = [];
      for (let index = 0; index < count; index++) {
        const started = performance.now();
        const id = await createOrder();
        await expect.poll(() => arrivals.has(id), { timeout: 60_000, interval: 5 }).toBe(true);
        delays.push((arrivals.get(id) as number) - started);
      }
      return delays.sort((a, b) => a - b);
    },
  };
}

export const median = (sorted: readonly number[]) => sorted[sorted.length >> 1] as number;

export const summary = (sorted: readonly number[]) =>
  `${median(sorted).toFixed(0)} ms (median), ${sorted.at(-1)?.toFixed(0)} ms (worst)`;
