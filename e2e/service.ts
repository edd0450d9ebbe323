import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CreatePromoCode, Role } from '@store-sales/contract/console';
import { createOwner } from '@store-sales/server/accounts/owners';
import { createStore, findStore } from '@store-sales/server/accounts/stores';
import { system } from '@store-sales/server/actor';
import { createProduct } from '@store-sales/server/catalog/edit-products';
import { readConfig } from '@store-sales/server/config';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { createKey } from '@store-sales/server/keys/keys';
import { addMember, changeRole, changeTeam } from '@store-sales/server/members/members';
import { createOrder } from '@store-sales/server/orders/write/create-order';
import { createPromoCode } from '@store-sales/server/promo/promo-codes';
import { servicesFor } from '@store-sales/server/services';
import { formTokens } from '@store-sales/server/shop/checkout-form';
import { enableShop } from '@store-sales/server/shop/shops';
import { addEndpoint } from '@store-sales/server/webhooks/endpoints/edit-endpoints';
import { pino } from 'pino';
import { migratedDatabase } from '../packages/server/test/database.ts';
import { type Env, envOf, serve } from './processes.ts';

export const PASSWORD = 'correct horse';

/** Starts the server in a separate process with an empty database that is deleted afterwards. */
export async function startService(extra: Env = {}) {
  const testDb = await migratedDatabase();
  const env = envOf(testDb, {
    SECRET_KEY: 'a secret of the tests: 32 characters',
    // The receivers of the tests listen on localhost.
    WEBHOOK_ALLOW_INTERNAL: 'true',
    // All customers of the tests have one address.
    SHOP_ORDERS_PER_MINUTE: '100',
    ...extra,
  });
  const config = readConfig(env);
  const node = await serve(env);
  const { url, setupUrl = '' } = node;
  const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
  const receivers: Server[] = [];
  let serial = 0;
  /** Returns its id. */
  const product = (storeId: string, fields: { name: string; price: number; sku?: string }) =>
    createProduct(db, fields, { storeId, actor: system, now: Date.now() });

  return {
    url,
    setupUrl,
    db,
    product,
    owner: (name = 'Anna Ivanova') =>
      createOwner(db, { email: `owner${++serial}@example.test`, name, password: PASSWORD }, Date.now()),
    store: (ownerId: string, name = 'Tea and Coffee', plan = 'optimal') =>
      createStore(db, { ownerId, name, plan }, Date.now()),
    /** Someone who was invited, so that they may not create stores. */
    async member(storeId: string, role: Role) {
      const email = `member${++serial}@example.test`;
      const person = await createOwner(db, { email, name: 'Boris Petrov', password: PASSWORD }, Date.now());
      await db.run(sql`update owners set is_invited = ${true} where id = ${person.id}`);
      await changeTeam(db, storeId, (tx) => addMember(tx, person, role, { storeId, actor: system, now: Date.now() }));
      return person;
    },
    setRole: (storeId: string, memberId: string, role: Role) =>
      changeRole(db, memberId, role, { storeId, actor: system, now: Date.now() }),
    key: (storeId: string, name: string, life?: number) =>
      createKey(db, { storeId, name, rights: ['orders:read', 'orders:write'], life }, Date.now()),
    /** Creates a product and an order for it, with the source `site`. */
    async order(storeId: string, name: string, quantity: number, price: number) {
      const productId = await product(storeId, { name, price });
      const order = { items: [{ productId, quantity }] };
      return db.write(createOrder({ storeId, currency: 'RUB', source: 'site', actor: system, order, now: Date.now() }));
    },
    /** The token of a checkout form that was opened a minute ago; people need at least three seconds. */
    formToken: (storeId: string) => formTokens(config.SECRET_KEY).issue(storeId, Date.now() - 60_000),
    promo: (storeId: string, promoCode: CreatePromoCode) => createPromoCode(db, storeId, promoCode, Date.now()),
    shop: (storeId: string, slug: string) => enableShop(db, storeId, slug, Date.now()),
    storeOf: (id: string) => findStore(db, id),
    /** Adds an endpoint for all events. */
    async endpoint(storeId: string, to: string) {
      const events = ['order.created', 'order.status_changed', 'order.payment_status_changed'];
      return addEndpoint(servicesFor(config, db, pino({ level: 'silent' })), storeId, { url: to, events });
    },
    /** A webhook receiver with a configurable response. */
    async receiver() {
      const received: { signature: string; body: string }[] = [];
      const reply = { status: 200, body: 'thanks' };
      const server = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        received.push({ signature: String(request.headers['x-service-signature']), body });
        response.writeHead(reply.status).end(reply.body);
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      receivers.push(server);
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, reply };
    },
    async stop() {
      for (const server of receivers) server.close().closeAllConnections();
      await db.close();
      await node.stop();
      await testDb.drop();
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
