import { type endpoints, IDEMPOTENCY_KEY_HEADER, type Order } from '@store-sales/contract';
import type { BulkResult, ConsoleRoute } from '@store-sales/contract/console';
import { setActive, setPlan } from '../src/accounts/stores.ts';
import { system } from '../src/actor.ts';
import { rotateSecrets } from '../src/db/installation/secret-keys.ts';
import { DomainError } from '../src/domain-error.ts';
import { retryDeadMails } from '../src/mail/dead-mails.ts';
import { addMember, changeTeam } from '../src/members/members.ts';
import { disableShop, enableShop } from '../src/shop/shops.ts';
import { HOUR } from '../src/time/duration.ts';
import { resendFailed } from '../src/webhooks/endpoints/resend.ts';
import { enableEndpoint } from '../src/webhooks/endpoints/switch-endpoint.ts';
import { browser } from './browser.ts';
import { maintain } from './maintain.ts';
import { solid, upload as uploadPicture } from './pictures.ts';
import type { Reply, Service } from './service.ts';
import { fillIn, inputValue, shopVisitor } from './shop-visitor.ts';
import type { Node, StatusEvent, World } from './world.ts';

type ApiEndpoints = typeof endpoints;
type ApiWrite = {
  [Name in keyof ApiEndpoints]: ApiEndpoints[Name]['method'] extends 'GET' ? never : Name;
}[keyof ApiEndpoints];
type ConsoleWrite = Exclude<ConsoleRoute, `GET ${string}`>;
/** Writes that are in no table of endpoints. Those of commands that no endpoint has are named for the command. */
type OtherWrite =
  | 'POST /shop/:slug/checkout'
  | 'POST /mcp'
  | 'dispatcher'
  | 'mailer'
  | 'maintenance'
  | 'mail retry'
  | 'secrets rotate'
  | 'shop disable'
  | 'store deactivate'
  | 'store plan'
  | 'webhook resend';

type Outcome = Pick<Reply, 'status' | 'text'>;

/** Carries out one write with values at random. */
export type Write = (world: World) => Promise<Outcome>;

/** A request before the write itself was refused. */
class Refused extends Error {
  constructor(readonly reply: Outcome) {
    super(reply.text);
  }
}

/** The write changes an account or a session, and nothing of a store. */
const OF_ACCOUNT = 'of an account';

const api =
  (method: 'POST' | 'PATCH', path: (world: World) => string, body: (world: World) => unknown): Write =>
  async (world) => {
    const { service } = world.node();
    const headers =
      method === 'POST' && world.random.boolean(0.5)
        ? { [IDEMPOTENCY_KEY_HEADER]: serial('key').replace(' ', '-') }
        : {};
    return service.send(method, `/api/v1${path(world)}`, { key: world.key, body: body(world), headers });
  };

/** A request of the owner in the console; the path is relative to the store's. */
const send = ({ owner }: Node, { storeId }: World, method: string, path: string, body?: unknown): Promise<Reply> =>
  owner.send(method, `/stores/${storeId}${path}`, body);

const inConsole =
  (method: string, path: (world: World) => string, body?: (world: World) => unknown): Write =>
  async (world) =>
    send(world.node(), world, method, path(world), body?.(world));

/** Reads in the console. */
async function read(node: Node, world: World, path: string) {
  const reply = await send(node, world, 'GET', path);
  if (reply.status !== 200) throw new Refused(reply);
  return reply.body;
}

/** Creates a record in the console, and then writes to it. */
const onNew =
  (
    list: string,
    create: (world: World) => unknown,
    write: (node: Node, world: World, created: any) => Promise<Reply>,
  ): Write =>
  async (world) => {
    const node = world.node();
    const made = await send(node, world, 'POST', list, create(world));
    return made.status === 201 ? write(node, world, made.body) : made;
  };

const upload =
  (list: string, rows: (world: World) => string[]): Write =>
  async (world) => {
    const { service, owner } = world.node();
    const cookie = [...owner.jar].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(`${service.url}/console/api/stores/${world.storeId}/${list}/import`, {
      method: 'POST',
      headers: { origin: service.url, cookie, 'content-type': 'text/csv' },
      body: rows(world).join('\n'),
    });
    const text = await response.text();
    // Two imports of an owner run at a time.
    return { status: response.status === 429 ? 409 : response.status, text };
  };

/** One of a few pictures, so that some share their files. */
async function sendPicture(node: Node, world: World, method: 'POST' | 'PUT', path: string): Promise<Outcome> {
  const bytes = await solid(9, 9, `#00000${world.random.between(0, 6)}`)
    .png()
    .toBuffer();
  const reply = await uploadPicture(node.service, node.owner, method, `/stores/${world.storeId}${path}`, bytes);
  // Four uploads of an owner run at a time.
  return { status: reply.status === 429 ? 409 : reply.status, text: reply.text };
}

/** What a command does, without an endpoint that does the same. */
const command =
  (run: (service: Service, world: World) => Promise<unknown>): Write =>
  async (world) => {
    try {
      await run(world.node().service, world);
      return { status: 200, text: '' };
    } catch (error) {
      if (error instanceof DomainError) return { status: 409, text: error.message };
      throw error;
    }
  };

/** A member who has just joined. */
async function newMember({ service }: Node, { storeId, random }: World) {
  const account = await service.owner();
  const edit = { storeId, actor: system, now: service.clock.now };
  await changeTeam(service.db, storeId, (tx) => addMember(tx, account, random.pick(['manager', 'viewer']), edit));
  return account;
}

const serial = (() => {
  let last = 0;
  return (name: string) => `${name} ${++last}`;
})();
const one =
  (list: keyof World['ids']) =>
  ({ ids, random }: World) =>
    random.pick(ids[list]);
const isActive = ({ random }: World) => ({ isActive: random.boolean(0.5) });
const contact = ({ random }: World) => {
  const index = random.between(1, 5);
  return {
    ...(random.boolean(0.7) && { phone: `+7 900 000 00 0${index}` }),
    ...(random.boolean(0.7) && { email: `${index}@example.test` }),
  };
};
const items = ({ random }: World) => [
  { sku: 'TEA', quantity: random.between(1, 9) },
  ...(random.boolean(0.3) ? [{ externalProductId: 'cup', quantity: 1 }] : []),
];
const order = (world: World) => ({
  items: items(world),
  customer: { name: 'Anna', ...contact(world) },
  ...(world.random.boolean(0.2) && { externalId: `A-${world.random.between(1, 20)}` }),
  ...(world.random.boolean(0.2) && { metadata: { batch: serial('Batch') }, delivery: { trackingNumber: serial('T') } }),
});
/** An order in the console or on the order page, where promo codes apply. */
const promoCode = ({ random }: World) => (random.boolean(0.4) ? { promoCode: ' once ' } : {});
const orderChange = (world: World) => {
  const { random } = world;
  return random.pick<() => object>([
    () => ({ statusId: one('statuses')(world) }),
    () => ({ status: random.pick(['new', 'packing', 'completed', 'cancelled', 'returned']) }),
    () => ({ paymentStatusId: one('paymentStatuses')(world) }),
    () => ({ paymentStatus: random.pick(['unpaid', 'paid', 'refunded']), notes: serial('paid') }),
    () => ({ status: random.pick(['new', 'packing']), paymentStatus: random.pick(['unpaid', 'paid']) }),
    () => ({ notes: serial('note') }),
    () => ({ items: items(world) }),
    () => ({ items: items(world), status: random.pick(['new', 'cancelled']) }),
    () => ({ customer: contact(world) }),
    () => ({ metadata: { [random.pick(['a', 'b'])]: random.pick(['', serial('value')]) } }),
    () => ({ paidAmount: random.between(0, 1000) }),
    () => ({ promoCode: random.pick(['', 'ONCE', 'other text']), discount: random.between(0, 50) }),
    () => ({ promoCode: random.pick(['', 'ONCE', 'other text']) }),
    () => ({ delivery: { cost: random.between(0, 50), city: serial('City'), typeId: one('deliveryTypes')(world) } }),
    () => ({ delivery: { trackingNumber: serial('T') }, paymentTypeId: '' }),
  ])();
};

/** Remembers which statuses the response says that the order has now. */
function acknowledge({ acknowledged }: World, sent: object, shown: Pick<Order, 'id' | 'status' | 'paymentStatus'>) {
  const fields = [
    ['order.status_changed', 'status'],
    ['order.payment_status_changed', 'paymentStatus'],
  ] as const;
  for (const [type, field] of fields)
    if (field in sent || `${field}Id` in sent)
      acknowledged.push({ orderId: shown.id, type, statusId: shown[field].id });
}
const events = ['order.created', 'order.status_changed'];
const endpointUrl = ({ node }: World) => `${node().receiverUrl}other`;
const resend = async (node: Node, world: World, endpointId: string) => {
  const path = `/webhooks/${endpointId}/deliveries`;
  const { deliveries } = await read(node, world, path);
  return { path, delivery: world.random.pick(deliveries as { id: string }[]) };
};
const view = () => ({ name: serial('View'), filters: {}, columns: [] });
const guestEmail = () => `${serial('guest').replace(' ', '')}@example.test`;
const invitation = () => ({ email: guestEmail(), role: 'viewer' });

/** The link that was mailed to a new guest. */
async function invited(node: Node, world: World, email: string) {
  const reply = await send(node, world, 'POST', '/invitations', { email, role: 'viewer' });
  if (reply.status !== 201) throw new Refused(reply);
  await node.mailer.idle();
  const mail = world.mails.mails.findLast(({ recipients }) => recipients.includes(email));
  const token = /invitation#(\S+)/.exec(mail?.text ?? '')?.[1];
  // Another node is sending it.
  if (token === undefined) throw new Refused({ status: 404, text: 'no mail yet' });
  return token;
}

/**
 * Every kind of write there is: a new endpoint does not compile without its row here. The kinds run beside each other
 * in check/mixed-writes.test.ts.
 */
export const writeKinds: Record<ApiWrite | ConsoleWrite | OtherWrite, Write | typeof OF_ACCOUNT> = {
  createOrder: async (world) => {
    const { service } = world.node();
    // A key is sent with the same body each time, so that the first response is sent again.
    const copies = world.random.between(1, 20);
    const isRepeated = world.random.boolean(0.3);
    const body = isRepeated ? { items: [{ sku: 'TEA', quantity: copies }] } : order(world);
    const headers = isRepeated ? { [IDEMPOTENCY_KEY_HEADER]: `order-${copies}` } : undefined;
    const reply = await service.post('/api/v1/orders', body, world.key, headers);
    if (reply.status === 201) world.created.push(reply.body.data.id);
    return reply;
  },
  changeOrder: async (world) => {
    const change = orderChange(world);
    const path = `/api/v1/orders/${one('orders')(world)}`;
    const reply = await world.node().service.patch(path, change, world.key);
    if (reply.status === 200) acknowledge(world, change, reply.body.data);
    return reply;
  },
  changeDeliveryType: api('PATCH', (world) => `/references/delivery-types/${one('deliveryTypes')(world)}`, isActive),
  createPaymentType: api(
    'POST',
    () => '/references/payment-types',
    () => ({ name: serial('Payment') }),
  ),
  createOrderStatus: api(
    'POST',
    () => '/references/order-statuses',
    ({ random }) => ({ name: serial('Status'), group: random.pick(['new', 'packing']) }),
  ),
  changeOrderStatusRecord: api('PATCH', (world) => `/references/order-statuses/${one('statuses')(world)}`, isActive),
  createPaymentStatus: api(
    'POST',
    () => '/references/payment-statuses',
    () => ({ name: serial('Payment status') }),
  ),
  changePaymentStatusRecord: api(
    'PATCH',
    (world) => `/references/payment-statuses/${one('paymentStatuses')(world)}`,
    isActive,
  ),
  changeStock: api(
    'POST',
    () => '/stock',
    ({ random, ids }) => ({
      lines: [
        { sku: 'TEA', change: random.between(-5, 20) },
        { externalProductId: 'cup', warehouseId: random.pick(ids.warehouses), quantity: random.between(0, 5) },
      ],
    }),
  ),
  createWarehouse: api(
    'POST',
    () => '/references/warehouses',
    () => ({ name: serial('Warehouse') }),
  ),

  'POST /shop/:slug/checkout': async (world) => {
    const { service } = world.node();
    const visitor = shopVisitor(service, { 'x-forwarded-for': `10.0.${world.random.between(0, 255)}.7` });
    const path = `/shop/${world.slug}`;
    const form = await fillIn(visitor, path, world.productId);
    // As slowly as people do.
    world.advance(5000);
    const filled = { ...form, ...contact(world), ...promoCode(world) };
    const { text } = await visitor.post(`${path}/checkout`, { ...filled, action: 'apply' });
    const reply = await visitor.post(`${path}/checkout`, { ...filled, promo: inputValue(text, 'promo') });
    // To the page of the order.
    return reply.status === 303 ? { ...reply, status: 201 } : reply;
  },
  'POST /mcp': async (world) => {
    const message = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'createOrder', arguments: { ...order(world), idempotencyKey: serial('tool').replace(' ', '-') } },
    };
    const { status, body, text } = await world.node().service.post('/mcp', message, world.key);
    if (status !== 200) return { status, text };
    const { isError, structuredContent: content } = body.result;
    if (isError) return { status: content.status, text };
    world.created.push(content.data.id);
    return { status, text };
  },
  dispatcher: async (world) => {
    await world.node().dispatcher.cycle();
    return { status: 200, text: '' };
  },
  mailer: async (world) => {
    await world.node().mailer.cycle();
    return { status: 200, text: '' };
  },
  maintenance: command(({ services }) => maintain(services)),
  'mail retry': command(({ db, clock }) => retryDeadMails(db, undefined, clock.now)),
  'secrets rotate': command(({ db, config, clock }) => rotateSecrets(db, config.SECRET_KEY, clock.now)),
  'shop disable': command(async ({ db, clock }, { storeId, slug }) => {
    await disableShop(db, storeId, clock.now);
    await enableShop(db, storeId, slug, clock.now);
  }),
  'store deactivate': command(async ({ db, clock }, { storeId }) => {
    await setActive(db, storeId, false, clock.now);
    await setActive(db, storeId, true, clock.now);
  }),
  'store plan': command(async ({ services, db, clock }, { storeId, endpointId }) => {
    await setPlan(db, storeId, 'basic', clock.now);
    await setPlan(db, storeId, 'optimal', clock.now);
    await enableEndpoint(services, endpointId, { sendMissed: true });
  }),
  'webhook resend': command(({ services, clock }, { endpointId }) =>
    resendFailed(services, endpointId, clock.now - HOUR, system),
  ),

  'POST /stores/{storeId}/orders': async (world) => {
    const { owner } = world.node();
    const key = { [IDEMPOTENCY_KEY_HEADER]: serial('key').replace(' ', '-') };
    const headers = world.random.boolean(0.5) ? key : undefined;
    const body = { ...order(world), ...promoCode(world) };
    const reply = await owner.send('POST', `/stores/${world.storeId}/orders`, body, headers);
    if (reply.status === 201) world.created.push(reply.body.order.id);
    return reply;
  },
  'POST /stores/{storeId}/orders/bulk': async (world) => {
    const node = world.node();
    const { data } = await read(node, world, '/orders');
    const orders = (data as { id: string; etag: string }[]).slice(0, 5).map(({ id, etag }) => ({ id, etag }));
    const [field, type, statusId] = world.random.pick<[string, StatusEvent, string]>([
      ['statusId', 'order.status_changed', one('statuses')(world)],
      ['paymentStatusId', 'order.payment_status_changed', one('paymentStatuses')(world)],
    ]);
    const reply = await send(node, world, 'POST', '/orders/bulk', { change: { [field]: statusId }, orders });
    if (reply.status === 200)
      for (const { id, outcome } of (reply.body as BulkResult).results)
        if (outcome === 'changed') world.acknowledged.push({ orderId: id, type, statusId });
    return reply;
  },
  'POST /stores/{storeId}/orders/tracking': async (world) => {
    const node = world.node();
    const { data } = await read(node, world, '/orders');
    const orders = (data as { number: number }[]).slice(0, 5).map(({ number }) => ({
      number,
      trackingNumber: serial('T'),
    }));
    return send(node, world, 'POST', '/orders/tracking', { orders });
  },
  'PATCH /stores/{storeId}/orders/{orderId}': async (world) =>
    // The response shows the order as it is when it is read, which may be after another change.
    send(world.node(), world, 'PATCH', `/orders/${one('orders')(world)}`, orderChange(world)),
  'POST /stores/{storeId}/orders/deliveries/{deliveryId}/resend': async (world) => {
    const node = world.node();
    const { delivery } = await resend(node, world, world.endpointId);
    return send(node, world, 'POST', `/orders/deliveries/${delivery.id}/resend`);
  },
  'POST /stores/{storeId}/orders/{orderId}/mails': inConsole(
    'POST',
    (world) => `/orders/${one('orders')(world)}/mails`,
    () => ({ text: serial('Hello') }),
  ),
  'PUT /stores/{storeId}/status-mails/{statusId}': inConsole(
    'PUT',
    (world) => `/status-mails/${one('statuses')(world)}`,
    ({ random }) => ({ isEnabled: random.boolean(0.5), textEn: serial('Order {number}'), textRu: '' }),
  ),
  'PUT /stores/{storeId}/seller': inConsole(
    'PUT',
    () => '/seller',
    () => ({ name: serial('Seller'), address: '', taxNumber: '', email: '' }),
  ),
  'POST /stores/{storeId}/promo-codes': inConsole(
    'POST',
    () => '/promo-codes',
    ({ random }) => ({ code: serial('Code'), percent: random.between(1, 100) }),
  ),
  'PATCH /stores/{storeId}/promo-codes/{promoCodeId}': onNew(
    '/promo-codes',
    () => ({ code: serial('Code'), amount: 100 }),
    (node, world, { id }) => send(node, world, 'PATCH', `/promo-codes/${id}`, { isActive: false }),
  ),
  'POST /stores/{storeId}/order-views': onNew('/order-views', view, (node, world, { id }) =>
    send(node, world, 'DELETE', `/order-views/${id}`),
  ),
  'PUT /stores/{storeId}/order-views/{viewId}': onNew('/order-views', view, async (node, world, { id }) => {
    const saved = await send(node, world, 'PUT', `/order-views/${id}`, view());
    await send(node, world, 'DELETE', `/order-views/${id}`);
    return saved;
  }),
  'DELETE /stores/{storeId}/order-views/{viewId}': onNew('/order-views', view, (node, world, { id }) =>
    send(node, world, 'DELETE', `/order-views/${id}`),
  ),

  'POST /stores/{storeId}/products': inConsole(
    'POST',
    () => '/products',
    () => ({ name: serial('Product'), price: 100 }),
  ),
  'PATCH /stores/{storeId}/products/{productId}': inConsole(
    'PATCH',
    ({ productId }) => `/products/${productId}`,
    ({ random }) => ({ price: random.between(100, 999) }),
  ),
  'PATCH /stores/{storeId}/products': inConsole(
    'PATCH',
    () => '/products',
    ({ productId, random }) => ({
      ids: [productId],
      isActive: true,
      ...(random.boolean(0.5) && { price: { percent: random.between(-5, 5), roundTo: 100 } }),
    }),
  ),
  'POST /stores/{storeId}/products/{productId}/pictures': async (world) => {
    const node = world.node();
    return sendPicture(node, world, 'POST', `/products/${world.productId}/pictures`);
  },
  'PUT /stores/{storeId}/products/{productId}/pictures': async (world) => {
    const node = world.node();
    const path = `/products/${world.productId}/pictures`;
    const ids = ((await read(node, world, path)) as { id: string }[]).map(({ id }) => id).reverse();
    return send(node, world, 'PUT', path, { ids });
  },
  'DELETE /stores/{storeId}/products/{productId}/pictures/{pictureId}': async (world) => {
    const node = world.node();
    const path = `/products/${world.productId}/pictures`;
    const pictures = (await read(node, world, path)) as { id: string }[];
    return send(node, world, 'DELETE', `${path}/${pictures.length ? world.random.pick(pictures).id : world.productId}`);
  },
  'PUT /stores/{storeId}/shop/logo': (world) => sendPicture(world.node(), world, 'PUT', '/shop/logo'),
  'PUT /stores/{storeId}/shop/cover': (world) => sendPicture(world.node(), world, 'PUT', '/shop/cover'),
  'DELETE /stores/{storeId}/shop/logo': inConsole('DELETE', () => '/shop/logo'),
  'DELETE /stores/{storeId}/shop/cover': inConsole('DELETE', () => '/shop/cover'),
  'POST /stores/{storeId}/products/import': upload('products', ({ random }) => [
    'externalId,name,sku,price,stock',
    `tea,Tea,TEA,${random.between(100, 999)},${random.pick(['', random.between(0, 50)])}`,
    `p-${random.between(1, 9)},Imported,,100,${random.between(0, 9)}`,
  ]),
  'POST /stores/{storeId}/products/{productId}/stock': inConsole(
    'POST',
    ({ productId }) => `/products/${productId}/stock`,
    ({ random, ids }) => ({
      warehouseId: random.pick(ids.warehouses),
      ...random.pick([{ quantity: random.between(-5, 20) }, { change: random.between(-5, 20) }]),
    }),
  ),
  'POST /stores/{storeId}/categories': inConsole(
    'POST',
    () => '/categories',
    (world) => ({ name: serial('Category'), parentId: one('categories')(world) }),
  ),
  'PATCH /stores/{storeId}/categories/{categoryId}': inConsole(
    'PATCH',
    (world) => `/categories/${one('categories')(world)}`,
    (world) => world.random.pick([{ name: serial('Category') }, { parentId: one('categories')(world) }]),
  ),
  'DELETE /stores/{storeId}/categories/{categoryId}': onNew(
    '/categories',
    () => ({ name: serial('Category') }),
    (node, world, categories) => send(node, world, 'DELETE', `/categories/${categories.at(-1).id}`),
  ),
  'POST /stores/{storeId}/categories/import': upload('categories', ({ random }) => [
    'externalId,name,parentExternalId',
    `c-${random.between(1, 3)},${serial('Imported')},`,
    `c-4,${serial('Imported')},c-${random.between(1, 3)}`,
  ]),

  'POST /stores/{storeId}/customers': inConsole(
    'POST',
    () => '/customers',
    (world) => ({ name: 'Boris', ...contact(world) }),
  ),
  'PATCH /stores/{storeId}/customers/{customerId}': onNew(
    '/customers',
    () => ({ name: 'Boris' }),
    (node, world, { id }) => send(node, world, 'PATCH', `/customers/${id}`, { name: 'Vera', ...contact(world) }),
  ),
  'POST /stores/{storeId}/customers/{customerId}/merge': onNew(
    '/customers',
    () => ({ name: 'Boris' }),
    async (node, world, { id }) => {
      const { data } = await read(node, world, '/customers');
      const others = (data as { id: string }[]).filter((other) => other.id !== id);
      return send(node, world, 'POST', `/customers/${id}/merge`, { otherId: world.random.pick(others).id });
    },
  ),
  'DELETE /stores/{storeId}/customers/{customerId}/personal-data': async (world) => {
    const node = world.node();
    const { body } = await send(node, world, 'GET', '/customers');
    const { id } = world.random.pick(body.data as { id: string }[]);
    return send(node, world, 'DELETE', `/customers/${id}/personal-data`);
  },
  'POST /stores/{storeId}/customers/import': upload('customers', ({ random }) => [
    'externalId,name,phone,email',
    `c-${random.between(1, 3)},Imported,+7 900 000 00 0${random.between(1, 5)},`,
    `c-${random.between(4, 6)},Imported,,${random.between(1, 5)}@example.test`,
  ]),

  'POST /stores/{storeId}/order-statuses': inConsole(
    'POST',
    () => '/order-statuses',
    () => ({ name: serial('Status'), group: 'packing' }),
  ),
  'PUT /stores/{storeId}/order-statuses': async (world) => {
    const node = world.node();
    const statuses = await read(node, world, '/order-statuses');
    const ids = (statuses as { id: string; group: string }[])
      .filter(({ group }) => group === 'packing')
      .map((s) => s.id);
    return send(node, world, 'PUT', '/order-statuses', { group: 'packing', ids: ids.reverse() });
  },
  'PATCH /stores/{storeId}/order-statuses/{statusId}': inConsole(
    'PATCH',
    (world) => `/order-statuses/${one('statuses')(world)}`,
    isActive,
  ),
  'POST /stores/{storeId}/payment-statuses': inConsole(
    'POST',
    () => '/payment-statuses',
    () => ({ name: serial('Payment status') }),
  ),
  'PUT /stores/{storeId}/payment-statuses': async (world) => {
    const node = world.node();
    const statuses = await read(node, world, '/payment-statuses');
    const ids = (statuses as { id: string }[]).map(({ id }) => id).reverse();
    return send(node, world, 'PUT', '/payment-statuses', { ids });
  },
  'PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}': inConsole(
    'PATCH',
    (world) => `/payment-statuses/${one('paymentStatuses')(world)}`,
    isActive,
  ),
  'POST /stores/{storeId}/delivery-types': inConsole(
    'POST',
    () => '/delivery-types',
    () => ({ name: serial('Delivery'), kind: 'courier' }),
  ),
  'PATCH /stores/{storeId}/delivery-types/{deliveryTypeId}': inConsole(
    'PATCH',
    (world) => `/delivery-types/${one('deliveryTypes')(world)}`,
    isActive,
  ),
  'POST /stores/{storeId}/payment-types': inConsole(
    'POST',
    () => '/payment-types',
    () => ({ name: serial('Payment') }),
  ),
  'PATCH /stores/{storeId}/payment-types/{paymentTypeId}': inConsole(
    'PATCH',
    (world) => `/payment-types/${one('paymentTypes')(world)}`,
    isActive,
  ),
  'POST /stores/{storeId}/warehouses': inConsole(
    'POST',
    () => '/warehouses',
    () => ({ name: serial('Warehouse') }),
  ),
  'PATCH /stores/{storeId}/warehouses/{warehouseId}': inConsole(
    'PATCH',
    (world) => `/warehouses/${one('warehouses')(world)}`,
    isActive,
  ),

  'POST /stores/{storeId}/keys': onNew(
    '/keys',
    () => ({ name: serial('Key'), rights: ['orders:read'], life: '90d' }),
    (node, world, { key }) => send(node, world, 'DELETE', `/keys/${key.id}`),
  ),
  'DELETE /stores/{storeId}/keys/{keyId}': onNew(
    '/keys',
    () => ({ name: serial('Key'), rights: ['orders:read'], life: '90d' }),
    (node, world, { key }) => send(node, world, 'DELETE', `/keys/${key.id}`),
  ),

  'POST /stores/{storeId}/webhooks': onNew(
    '/webhooks',
    (world) => ({ url: endpointUrl(world), events }),
    (node, world, { id }) => send(node, world, 'DELETE', `/webhooks/${id}`),
  ),
  'PATCH /stores/{storeId}/webhooks/{endpointId}': inConsole(
    'PATCH',
    (world) => `/webhooks/${one('endpoints')(world)}`,
    ({ random }) => ({ events: random.pick([events, ['order.payment_status_changed'], ['order.created']]) }),
  ),
  'DELETE /stores/{storeId}/webhooks/{endpointId}': onNew(
    '/webhooks',
    (world) => ({ url: endpointUrl(world), events }),
    (node, world, { id }) => send(node, world, 'DELETE', `/webhooks/${id}`),
  ),
  'POST /stores/{storeId}/webhooks/{endpointId}/ping': inConsole(
    'POST',
    (world) => `/webhooks/${one('endpoints')(world)}/ping`,
  ),
  'POST /stores/{storeId}/webhooks/{endpointId}/enable': inConsole(
    'POST',
    (world) => `/webhooks/${one('endpoints')(world)}/enable`,
    ({ random }) => ({ sendMissed: random.boolean(0.5) }),
  ),
  'POST /stores/{storeId}/webhooks/{endpointId}/disable': inConsole(
    'POST',
    (world) => `/webhooks/${one('endpoints')(world)}/disable`,
  ),
  'POST /stores/{storeId}/webhooks/{endpointId}/rotate': inConsole(
    'POST',
    (world) => `/webhooks/${one('endpoints')(world)}/rotate`,
  ),
  'POST /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}/resend': async (world) => {
    const node = world.node();
    const { path, delivery } = await resend(node, world, world.endpointId);
    return send(node, world, 'POST', `${path}/${delivery.id}/resend`);
  },
  'POST /stores/{storeId}/webhooks/{endpointId}/resend': inConsole(
    'POST',
    ({ endpointId }) => `/webhooks/${endpointId}/resend`,
    () => ({}),
  ),

  'PATCH /stores/{storeId}': inConsole(
    'PATCH',
    () => '',
    () => ({ name: serial('Store') }),
  ),
  'PUT /stores/{storeId}/shop': async (world) => {
    const node = world.node();
    const body = await read(node, world, '/shop');
    const { url, etag, ...settings } = body;
    const delivery = body.delivery.filter((type: any) => type.isOffered);
    return send(node, world, 'PUT', '/shop', {
      ...settings,
      about: serial('About'),
      delivery: delivery.map(({ typeId, cost }: any) => ({ typeId, cost })),
      payments: body.payments.filter((type: any) => type.isOffered).map((type: any) => type.typeId),
    });
  },
  'PUT /stores/{storeId}/order-mail': inConsole(
    'PUT',
    () => '/order-mail',
    ({ random }) => ({ isOn: random.boolean(0.5) }),
  ),
  'PUT /stores/{storeId}/second-factor': inConsole(
    'PUT',
    () => '/second-factor',
    () => ({ isRequired: false }),
  ),
  'PATCH /stores/{storeId}/members/{accountId}': async (world) => {
    const node = world.node();
    const { id } = await newMember(node, world);
    await send(node, world, 'PATCH', `/members/${id}`, { role: 'integrator' });
    return send(node, world, 'DELETE', `/members/${id}`);
  },
  'DELETE /stores/{storeId}/members/{accountId}': async (world) => {
    const node = world.node();
    const { id } = await newMember(node, world);
    return send(node, world, 'DELETE', `/members/${id}`);
  },
  'DELETE /stores/{storeId}/membership': async (world) => {
    const node = world.node();
    const { email } = await newMember(node, world);
    const member = browser(node.service);
    await member.signIn(email);
    return member.delete(`/stores/${world.storeId}/membership`);
  },
  'POST /stores/{storeId}/invitations': inConsole('POST', () => '/invitations', invitation),
  'POST /stores/{storeId}/invitations/{invitationId}/renew': onNew(
    '/invitations',
    invitation,
    async (node, world, { team }) => {
      const { body } = await send(node, world, 'POST', `/invitations/${team.invitations[0].id}/renew`);
      return send(node, world, 'DELETE', `/invitations/${body.team?.invitations[0].id}`);
    },
  ),
  'DELETE /stores/{storeId}/invitations/{invitationId}': onNew('/invitations', invitation, (node, world, { team }) =>
    send(node, world, 'DELETE', `/invitations/${team.invitations[0].id}`),
  ),

  'POST /stores': OF_ACCOUNT,
  'POST /session': OF_ACCOUNT,
  'POST /session/second-factor': OF_ACCOUNT,
  'DELETE /session': OF_ACCOUNT,
  'POST /session/verify/start': OF_ACCOUNT,
  'POST /session/verify': OF_ACCOUNT,
  'POST /setup': OF_ACCOUNT,
  'POST /forgotten-password': OF_ACCOUNT,
  'POST /password-reset': OF_ACCOUNT,
  'PATCH /profile': OF_ACCOUNT,
  'PUT /password': OF_ACCOUNT,
  'DELETE /sessions': OF_ACCOUNT,
  'DELETE /sessions/others': OF_ACCOUNT,
  'DELETE /sessions/{sessionId}': OF_ACCOUNT,
  'POST /second-factor/codes': OF_ACCOUNT,
  'PUT /second-factor/codes': OF_ACCOUNT,
  'DELETE /second-factor/codes': OF_ACCOUNT,
  'POST /second-factor/passkeys/start': OF_ACCOUNT,
  'POST /second-factor/passkeys': OF_ACCOUNT,
  'DELETE /second-factor/passkeys/{passkeyId}': OF_ACCOUNT,
  'POST /second-factor/recovery-codes': OF_ACCOUNT,
  'POST /invitation': OF_ACCOUNT,
  'POST /invitation/account': async (world) => {
    const node = world.node();
    const token = await invited(node, world, guestEmail());
    return browser(node.service).post('/invitation/account', { token, name: 'Guest', password: 'correct horse' });
  },
  'POST /invitation/accept': async (world) => {
    const node = world.node();
    const { email } = await node.service.owner();
    const token = await invited(node, world, email);
    const guest = browser(node.service);
    await guest.signIn(email);
    return guest.post('/invitation/accept', { token });
  },
};

/** The kinds that write into a store. */
export const kindsInStore = Object.entries(writeKinds).filter((entry): entry is [string, Write] => {
  return entry[1] !== OF_ACCOUNT;
});

/** While they run, other requests of the store may be refused. */
export const isInterrupting = (name: string) => ['store plan', 'store deactivate'].includes(name);

/** Carries out a write; a refusal of what it needs first is its outcome. */
export const carryOut = (write: Write, world: World): Promise<Outcome> =>
  write(world).catch((error: unknown) => {
    if (error instanceof Refused) return error.reply;
    throw error;
  });

const READS = 'reads';
/** Of a database that nothing else uses, or of the whole installation; each has its own tests. */
const OF_INSTALLATION = 'of the installation';

/** What each command writes: as one of the kinds, if it changes a store. */
export const commands: Record<string, keyof typeof writeKinds | typeof READS | typeof OF_INSTALLATION> = {
  serve: 'maintenance',
  dispatch: 'dispatcher',
  migrate: OF_INSTALLATION,
  demo: OF_INSTALLATION,
  backup: READS,
  restore: OF_INSTALLATION,
  copy: OF_INSTALLATION,
  check: READS,
  'secrets rotate': 'secrets rotate',
  'owner create': 'POST /setup',
  'owner password': 'PUT /password',
  'owner reset-second-factor': 'DELETE /second-factor/codes',
  'store create': 'POST /stores',
  'store list': READS,
  'store plan': 'store plan',
  'store deactivate': 'store deactivate',
  'store activate': 'store deactivate',
  'shop enable': 'shop disable',
  'shop disable': 'shop disable',
  'shop feeds': 'shop disable',
  'member add': 'POST /stores/{storeId}/invitations',
  'member list': READS,
  'member remove': 'DELETE /stores/{storeId}/members/{accountId}',
  'mail list': READS,
  'mail retry': 'mail retry',
  'mail test': READS,
  'promo create': 'POST /stores/{storeId}/promo-codes',
  'promo list': READS,
  'promo disable': 'PATCH /stores/{storeId}/promo-codes/{promoCodeId}',
  'key create': 'POST /stores/{storeId}/keys',
  'key list': READS,
  'key revoke': 'DELETE /stores/{storeId}/keys/{keyId}',
  'request log': READS,
  'webhook add': 'POST /stores/{storeId}/webhooks',
  'webhook list': READS,
  'webhook ping': 'POST /stores/{storeId}/webhooks/{endpointId}/ping',
  'webhook trigger': READS,
  'webhook enable': 'POST /stores/{storeId}/webhooks/{endpointId}/enable',
  'webhook disable': 'POST /stores/{storeId}/webhooks/{endpointId}/disable',
  'webhook delete': 'DELETE /stores/{storeId}/webhooks/{endpointId}',
  'webhook rotate': 'POST /stores/{storeId}/webhooks/{endpointId}/rotate',
  'webhook resend': 'webhook resend',
  'webhook log': READS,
  'category import': 'POST /stores/{storeId}/categories/import',
  'product import': 'POST /stores/{storeId}/products/import',
  'customer import': 'POST /stores/{storeId}/customers/import',
  'customer export': READS,
  'customer erase': 'DELETE /stores/{storeId}/customers/{customerId}/personal-data',
  'order export': READS,
  listen: READS,
  mcp: 'POST /mcp',
  completion: READS,
};
