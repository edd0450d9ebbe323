import { type Random, seededRandom } from '../src/demo/random.ts';
import { createPromoCode } from '../src/promo/promo-codes.ts';
import { enableShop } from '../src/shop/shops.ts';
import { type Browser, browser } from './browser.ts';
import { addCategory, addProduct } from './catalog.ts';
import { cleanUpAfter } from './cleanup.ts';
import { mailerFor } from './mail.ts';
import type { MailServer } from './mail-server.ts';
import { type Received, startReceiver } from './receiver.ts';
import type { Service } from './service.ts';
import { webhooksOf } from './webhooks.ts';

/** One store that is written into in many ways, on one or several nodes. */
export interface World {
  random: Random;
  storeId: string;
  key: string;
  slug: string;
  productId: string;
  /** Gets all events; if a write switches it off, it gets what it missed at the end. */
  endpointId: string;
  /** Records that may be changed and switched off. */
  ids: Record<
    | 'orders'
    | 'statuses'
    | 'paymentStatuses'
    | 'deliveryTypes'
    | 'paymentTypes'
    | 'categories'
    | 'warehouses'
    | 'endpoints',
    string[]
  >;
  /** Orders whose creation was acknowledged. */
  created: string[];
  /** Statuses that an order has had according to a response. */
  acknowledged: { orderId: string; type: StatusEvent; statusId: string }[];
  mails: MailServer;
  advance(ms: number): void;
  /** One of the nodes, at random. */
  node(): Node;
}

export type StatusEvent = 'order.status_changed' | 'order.payment_status_changed';

export interface Node {
  service: Service;
  /** The owner of the store in the console, who has just confirmed who they are. */
  owner: Browser;
  dispatcher: ReturnType<ReturnType<typeof webhooksOf>['dispatcher']>;
  mailer: ReturnType<typeof mailerFor>;
  receiverUrl: string;
}

let serial = 0;

/** Nodes on which worlds are opened. */
export async function startNodes(services: readonly [Service, ...Service[]], mails: MailServer, seed: number) {
  const random = seededRandom(seed);
  const [first] = services;
  const receiver = await startReceiver();
  const receiverUrl = new URL('/', receiver.url).href;
  const account = await first.owner();
  const nodes: Node[] = [];
  for (const service of services) {
    const owner = browser(service);
    await owner.signIn(account.email);
    const dispatcher = webhooksOf(service).dispatcher();
    cleanUpAfter(() => dispatcher.close());
    nodes.push({ service, owner, dispatcher, mailer: mailerFor(service, mails), receiverUrl });
  }

  /** A store that is written into on the first of the nodes, by default on all. */
  async function openWorld(nodeCount = nodes.length): Promise<World> {
    const used = nodes.slice(0, nodeCount);
    for (const { owner } of nodes) await owner.verify();
    const { db, clock } = first;
    const { storeId, key } = await first.shop({ ownerId: account.id });
    const { endpoint } = webhooksOf(first);
    const productId = await addProduct(first, storeId, { sku: 'TEA', externalId: 'tea' });
    await addProduct(first, storeId, { externalId: 'cup' });
    const slug = `mixed-${++serial}`;
    await enableShop(db, storeId, slug, clock.now);
    await createPromoCode(db, storeId, { code: 'Once', percent: 15, maxUses: 3 }, clock.now);
    const made = async (path: string, body: unknown): Promise<string> => {
      const { text, body: response } = await first.post(`/api/v1${path}`, body, key);
      if (!response.data) throw new Error(text);
      return response.data.id;
    };
    const two = async (make: (index: number) => Promise<string>) => [await make(1), await make(2)];
    const types = async (table: 'delivery-types' | 'payment-types') =>
      (await first.get(`/api/v1/references/${table}`, key)).body.data.map(({ id }: { id: string }) => id);
    const { id: endpointId } = await endpoint(`${receiverUrl}${storeId}`, { storeId });
    const orders = [];
    for (let index = 0; index < 4; index++)
      orders.push(
        await made('/orders', { items: [{ sku: 'TEA', quantity: 1 }], customer: { email: `${index}@example.test` } }),
      );
    return {
      random,
      storeId,
      key,
      slug,
      productId,
      endpointId,
      ids: {
        orders,
        statuses: await two((index) =>
          made('/references/order-statuses', { name: `Custom ${index}`, group: 'packing' }),
        ),
        paymentStatuses: await two((index) => made('/references/payment-statuses', { name: `Custom ${index}` })),
        // The order page offers the first.
        deliveryTypes: (await types('delivery-types')).slice(1),
        paymentTypes: (await types('payment-types')).slice(1),
        categories: await two((index) => addCategory(first, storeId, `Category ${index}`)),
        warehouses: await two((index) => made('/references/warehouses', { name: `Warehouse ${index}` })),
        endpoints: await two(async () => (await endpoint(`${receiverUrl}other`, { storeId })).id),
      },
      created: [...orders],
      acknowledged: [],
      mails,
      advance(ms) {
        for (const { service } of nodes) service.clock.now += ms;
      },
      node: () => random.pick(used),
    };
  }

  return {
    openWorld,
    /** Sends what is due, on all nodes, until nothing is. */
    async deliver({ storeId, endpointId }: World) {
      const [{ owner }] = nodes as [Node];
      const path = `/stores/${storeId}/webhooks/${endpointId}/enable`;
      const { status, text } = await owner.post(path, { sendMissed: true });
      if (status !== 200) throw new Error(text);
      for (const { dispatcher } of nodes) await dispatcher.idle();
    },
    /** The events that the endpoint of a world has received, in any order. */
    received: ({ storeId }: World) =>
      receiver.received.filter(({ path }: Received) => path === `/${storeId}`).map(({ json }) => json),
  };
}
