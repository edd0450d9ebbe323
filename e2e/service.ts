import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createOwner } from '../packages/server/dist/accounts/owners.js';
import { createStore, findStore } from '../packages/server/dist/accounts/stores.js';
import { system } from '../packages/server/dist/actor.js';
import { readConfig } from '../packages/server/dist/config.js';
import { openDatabase } from '../packages/server/dist/db/open.js';
import { sql } from '../packages/server/dist/db/sql.js';
import { createKey } from '../packages/server/dist/keys/keys.js';
import { createOrder } from '../packages/server/dist/orders/create-order.js';
import { servicesFor } from '../packages/server/dist/services.js';
import { addEndpoint } from '../packages/server/dist/webhooks/endpoints/endpoints.js';
import { serve } from './processes.ts';

export const PASSWORD = 'correct horse';

/** The real server in a process of its own, on an empty database that goes with it. */
export async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'store-sales-e2e-'));
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    SECRET_KEY: 'a secret of the tests: 32 characters',
    // The receivers of these tests are on this machine.
    WEBHOOK_ALLOW_INTERNAL: 'true',
  };
  const config = readConfig(settings);
  const node = await serve({ PATH: process.env.PATH ?? '', ...settings });
  const { url, setupUrl = '' } = node;
  const db = openDatabase({ dataDir });
  const receivers: Server[] = [];
  let serial = 0;

  return {
    url,
    setupUrl,
    db,
    owner: (name = 'Anna Ivanova') =>
      createOwner(db, { email: `owner${++serial}@example.test`, name, password: PASSWORD }, Date.now()),
    store: (ownerId: string, name = 'Tea and Coffee', plan = 'optimal') =>
      createStore(db, { ownerId, name, plan }, Date.now()),
    key: (storeId: string, name: string, life?: number) =>
      createKey(db, { storeId, name, rights: ['orders:read', 'orders:write'], life }, Date.now()),
    /** A product of this name, and an order for so many of it, as the store's site would make it. */
    async order(storeId: string, name: string, quantity: number, price: number) {
      const id = randomUUID();
      await db.run(
        sql`insert into products (store_id, id, name, price, created_at, updated_at, seq)
            values (${storeId}, ${id}, ${name}, ${price}, 1, 1, 0)`,
      );
      const order = { items: [{ productId: id, quantity }] };
      return createOrder(db, { storeId, currency: 'RUB', source: 'site', actor: system, order }, Date.now());
    },
    storeOf: (id: string) => findStore(db, id),
    /** An endpoint that wants all events. */
    async endpoint(storeId: string, to: string) {
      const events = ['order.created', 'order.status_changed', 'order.payment_status_changed'];
      return addEndpoint(servicesFor(config, db, pino({ level: 'silent' })), storeId, { url: to, events });
    },
    /** A program that gets webhooks and answers as it is told. */
    async receiver() {
      const received: { signature: string; body: string }[] = [];
      const answer = { status: 200, body: 'thanks' };
      const server = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        received.push({ signature: String(request.headers['x-service-signature']), body });
        response.writeHead(answer.status).end(answer.body);
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      receivers.push(server);
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, answer };
    },
    async stop() {
      for (const server of receivers) server.close().closeAllConnections();
      await db.close();
      await node.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
