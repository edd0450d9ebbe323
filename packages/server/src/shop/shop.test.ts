import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { type Service, startService } from '../../test/service.ts';
import { fillIn as fillInAtOnce, inputValue, openShopWith as openShop, shopVisitor } from '../../test/shop-visitor.ts';
import { setActive } from '../accounts/stores.ts';
import { sql } from '../db/sql.ts';
import { MINUTE } from '../time/duration.ts';
import { disableShop } from './shops.ts';

const service = await startService();
const visitor = (of: Service) => shopVisitor(of);
const openShopWith = (...products: Parameters<typeof addProduct>[2][]) => openShop(service, ...products);

/** The form is filled in as slowly as people do. */
async function fillIn(...call: Parameters<typeof fillInAtOnce>) {
  const form = await fillInAtOnce(...call);
  service.clock.now += 5000;
  return form;
}

const ordersOf = async (key: string) => (await service.get('/api/v1/orders?with=items', key)).body.data;

test('a customer orders without JavaScript and sees the state of the order', async () => {
  const { path, ids, key } = await openShopWith({ sku: 'A', name: 'Green <b>tea</b>', price: 15_000 });
  const customer = visitor(service);
  const list = await customer.get(path);
  expect(list.status).toBe(200);
  expect(list.text).toContain('Green &lt;b&gt;tea&lt;/b&gt;');
  expect(list.headers.getSetCookie()).toEqual([]);
  expect((await customer.get(`${path}?q=green`)).text).toContain(ids[0]);
  expect((await customer.get(`${path}?q=nothing`)).text).not.toContain(ids[0]);
  expect((await customer.get(`${path}/products/${ids[0]}`)).status).toBe(200);

  for (const action of ['add', 'set'])
    await customer.post(`${path}/cart`, { product: ids[0] as string, action, quantity: '2' });
  const form = await fillIn(customer, path, ids[0] as string);
  const placed = await customer.post(`${path}/checkout`, { ...form, price: '1', total: '1', unitPrice: '1' });
  expect([placed.status, customer.jar.size]).toEqual([303, 0]);
  const page = await customer.get(placed.location);
  expect(page.text).toContain('Thank you!');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  const [order] = await ordersOf(key);
  expect(order).toMatchObject({ source: 'site', totalAmount: 45_000, customer: { name: 'Anna' } });
  expect(order.items).toMatchObject([{ quantity: 3, unitPrice: 15_000 }]);

  await service.patch(`/api/v1/orders/${order.id}`, { status: 'delivering' }, key);
  // Valid in another browser, without a cookie.
  expect((await visitor(service).get(placed.location)).text).toContain('On its way');
  expect((await visitor(service).get(`${path}/orders/${'x'.repeat(22)}`)).status).toBe(404);
});

test('a form that is sent several times makes one order', async () => {
  const { path, ids, key } = await openShopWith({ sku: 'A', price: 100 });
  const customer = visitor(service);
  const form = await fillIn(customer, path, ids[0] as string);
  const cart = { cookie: `cart=${customer.jar.get('cart')}` };
  const sent = await Promise.all(Array.from({ length: 8 }, () => customer.post(`${path}/checkout`, form, cart)));
  const addresses = new Set(sent.map(({ location }) => location.replace('?new', '')));
  expect([sent.map(({ status }) => status), addresses.size]).toEqual([Array(8).fill(303), 1]);
  // The back button, with an empty cart.
  expect((await visitor(service).post(`${path}/checkout`, form)).location).toBe([...addresses][0]);
  expect(await ordersOf(key)).toHaveLength(1);
});

test('a lost response leads to the order and empties the cart, but not one that was filled since', async () => {
  const { path, ids, key } = await openShopWith({ sku: 'A' }, { sku: 'B' });
  const customer = visitor(service);
  const form = await fillIn(customer, path, ids[0] as string);
  const cart = customer.jar.get('cart') as string;
  const { location } = await customer.post(`${path}/checkout`, form);
  // Sent again, or opened again by going back.
  for (const again of [() => customer.post(`${path}/checkout`, form), () => customer.get(`${path}/checkout`)]) {
    customer.jar.set('cart', cart).set('form', form.token);
    expect((await again()).location).toBe(location.replace('?new', ''));
    expect(customer.jar.size).toBe(0);
  }
  await customer.post(`${path}/cart`, { product: ids[1] as string, action: 'add' });
  await customer.post(`${path}/checkout`, form);
  expect(customer.jar.size).toBe(1);
  expect(await ordersOf(key)).toHaveLength(1);
});

test('a changed cost of delivery is shown before it is ordered', async () => {
  const { path, ids, key, storeId } = await openShopWith({ sku: 'A', price: 100 });
  const customer = visitor(service);
  const form = await fillIn(customer, path, ids[0] as string);
  const delivery = JSON.stringify([{ typeId: form.deliveryId, cost: 30_000 }]);
  await service.db.run(sql`update shops set delivery = ${delivery} where store_id = ${storeId}`);
  const asked = await customer.post(`${path}/checkout`, form);
  expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('The cost of delivery has changed')]);
  expect(await ordersOf(key)).toHaveLength(0);
  await customer.post(`${path}/checkout`, { ...form, costs: inputValue(asked.text, 'costs') });
  expect(await ordersOf(key)).toMatchObject([{ totalAmount: 30_100 }]);
});

test('what changed since it was put into the cart is shown before it is ordered', async () => {
  const { path, ids, key, storeId } = await openShopWith({ sku: 'A', price: 100 }, { sku: 'B', price: 100 });
  const customer = visitor(service);
  await customer.post(`${path}/cart`, { product: ids[1] as string, action: 'add' });
  const form = await fillIn(customer, path, ids[0] as string);
  await service.db.run(sql`update products set price = 250 where store_id = ${storeId} and sku = 'A'`);
  await service.db.run(sql`update products set is_active = ${false} where store_id = ${storeId} and sku = 'B'`);
  const asked = await customer.post(`${path}/checkout`, form);
  expect(asked.status).toBe(409);
  expect(asked.text).toMatch(/₽2\.50.*₽1\.00/);
  expect(asked.text).toContain('no longer available');
  expect(asked.text).toContain('value="Anna"');
  expect(await ordersOf(key)).toHaveLength(0);
  const seen = { ...form, cart: inputValue(asked.text, 'cart') };
  expect((await customer.post(`${path}/checkout`, seen)).status).toBe(303);
  expect(await ordersOf(key)).toMatchObject([{ totalAmount: 250 }]);
});

test.each([
  { change: 'another product', form: { action: 'add' }, of: 1, total: 350 },
  { change: 'another quantity', form: { action: 'set', quantity: '3' }, of: 0, total: 300 },
])('$change in the cart, from another tab, is shown before it is ordered', async ({ form: change, of, total }) => {
  const { path, ids, key } = await openShopWith({ sku: 'A', price: 100 }, { sku: 'B', price: 250 });
  const customer = visitor(service);
  const form = await fillIn(customer, path, ids[0] as string);
  await customer.post(`${path}/cart`, { product: ids[of] as string, ...change });
  for (const cart of [form.cart, '', 'x']) {
    const asked = await customer.post(`${path}/checkout`, { ...form, cart });
    expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('Something has changed')]);
    expect(asked.text).toContain('value="Anna"');
  }
  expect(await ordersOf(key)).toHaveLength(0);
  const { text } = await customer.post(`${path}/checkout`, form);
  const placed = await customer.post(`${path}/checkout`, { ...form, cart: inputValue(text, 'cart') });
  expect(placed.status).toBe(303);
  // The form of either tab leads to the one order.
  expect((await customer.post(`${path}/checkout`, form)).location).toBe(placed.location.replace('?new', ''));
  expect(await ordersOf(key)).toMatchObject([{ totalAmount: total }]);
});

test('a product that is no longer sold can be removed, and says so when it is changed or added', async () => {
  const { path, ids, storeId } = await openShopWith({ sku: 'A', name: 'Tea' }, { sku: 'B', name: 'Pot' });
  const [tea = '', pot = ''] = ids;
  const customer = visitor(service);
  const change = (product: string, action: string) => customer.post(`${path}/cart`, { product, action, quantity: '2' });
  for (const product of ids) await change(product, 'add');
  const cart = customer.jar.get('cart') as string;
  await service.db.run(sql`update products set is_active = ${false} where store_id = ${storeId} and sku = 'A'`);

  expect(await change(tea, 'remove')).toMatchObject({ status: 303, location: `${path}/cart` });
  expect(customer.jar.get('cart')).not.toContain(tea);
  expect((await customer.get(`${path}/cart`)).text).not.toContain('no longer available');

  customer.jar.set('cart', cart);
  expect(await change(tea, 'set')).toMatchObject({ status: 303, location: `${path}/cart` });
  const shown = await customer.get(`${path}/cart`);
  expect(shown.text).toContain('no longer available');
  expect(customer.jar.get('cart')).toMatch(new RegExp(`^${pot}`));

  const refused = await change(tea, 'add');
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('no longer available')]);
  expect(refused.text).toContain(`<a class="button" href="${path}">`);
  expect(customer.jar.get('cart')).not.toContain(tea);
});

test('the page of an order lists its discounts, so that the amounts add up', async () => {
  const { path, ids, key, storeId } = await openShopWith(
    { sku: 'A', name: 'Tea', price: 10_000 },
    { sku: 'B', name: 'Pot' },
  );
  const customer = visitor(service);
  const form = await fillIn(customer, path, ids[0] as string);
  const { location } = await customer.post(`${path}/checkout`, form);
  const amounts = async () => {
    const { text } = await customer.get(location);
    const rows = [...text.matchAll(/class="(?:sum|totals)"><span>([^<]*)<\/span><[^>]+>([^<]*)</g)];
    return { text, rows: rows.map(([, label, amount]) => `${label}: ${amount}`) };
  };
  expect((await amounts()).rows).toEqual(['Tea × 1: ₽100.00', 'Total: ₽100.00', 'To pay: ₽100.00']);
  const [order] = await ordersOf(key);
  await service.patch(`/api/v1/orders/${order.id}`, { paymentStatus: 'paid' }, key);
  expect((await amounts()).rows.slice(-2)).toEqual(['Paid: ₽100.00', 'To pay: ₽0.00']);
  const change = {
    items: [
      { productId: ids[0], quantity: 3, discount: 5000 },
      { productId: ids[1], quantity: 1, unitPrice: 0 },
    ],
    discount: 1000,
    promoCode: '<i>AUTUMN',
    delivery: { cost: 30_000, discount: 10_000 },
  };
  expect((await service.patch(`/api/v1/orders/${order.id}`, change, key)).status).toBe(200);
  const { text, rows } = await amounts();
  expect(text).toContain('<dt>Promo code</dt><dd>&lt;i&gt;AUTUMN</dd>');
  expect(rows).toEqual([
    'Tea × 3: ₽300.00',
    'Discount: Tea: -₽50.00',
    'Pot × 1: ₽0.00',
    'Discount on the order: -₽10.00',
    'Delivery: ₽300.00',
    'Discount on delivery: -₽100.00',
    'Total: ₽440.00',
    // Edited after payment.
    'Paid: ₽100.00',
    'To pay: ₽340.00',
  ]);
  await service.patch(`/api/v1/orders/${order.id}`, { status: 'cancelled' }, key);
  expect((await amounts()).rows.at(-1)).toBe('Overpaid: ₽100.00');
  await service.db.run(sql`update shops set language = 'ru' where store_id = ${storeId}`);
  expect((await amounts()).rows).toContain('Скидка на доставку: -100,00\u00a0₽');
});

test('amounts have two digits in currencies without minor units too, as in the console', async () => {
  const { path, ids, storeId } = await openShopWith({ sku: 'A', price: 10_050 });
  await service.db.run(sql`update stores set currency = 'JPY' where id = ${storeId}`);
  const customer = visitor(service);
  const form = await fillIn(customer, path, ids[0] as string);
  await customer.post(`${path}/cart`, { product: ids[0] as string, action: 'set', quantity: '2' });
  expect((await customer.get(`${path}/cart`)).text).toMatch(/¥100\.50<.*¥201\.00</s);
  const { text } = await customer.post(`${path}/checkout`, form);
  expect(text).toContain('¥201.00');
});

test('errors are told in the language of the shop, a full cart too', async () => {
  const { path, ids, storeId } = await openShopWith({ sku: 'A' });
  await service.db.run(sql`update shops set language = 'ru' where store_id = ${storeId}`);
  const customer = visitor(service);
  const lines = Array.from({ length: 50 }, () => `${randomUUID()}.1.100`);
  customer.jar.set('cart', lines.join('~'));
  const full = await customer.post(`${path}/cart`, { product: ids[0] as string, action: 'add' });
  expect([full.status, full.text]).toEqual([409, expect.stringContaining('В корзине уже 50 разных товаров')]);
  expect(full.text).toContain('<html lang="ru">');
  expect(full.text).toContain(`href="${path}/cart"`);
  expect(customer.jar.get('cart')).toBe(lines.join('~'));

  const english = { 'accept-language': 'en-US' };
  for (const address of [`${path}/products/x`, `${path}/orders/x`, `${path}?category=x`])
    expect((await customer.get(address, english)).text).toContain('Страница не найдена');
  expect((await customer.get('/shop/unknown', english)).text).toContain('Page not found');
});

describe('hostile visitors', () => {
  test('a closed page, an unknown address and an inactive store look the same', async () => {
    const [closed, inactive] = [await openShopWith({ sku: 'A' }), await openShopWith({ sku: 'A' })];
    await disableShop(service.db, closed.storeId, service.clock.now);
    await setActive(service.db, inactive.storeId, false, service.clock.now);
    const open = await openShopWith({ sku: 'A' });
    const spellings = [`/shop/${open.slug.toUpperCase()}`, `${open.path}%00`, `${open.path}%20`, `${open.path}.`];
    const paths = [closed.path, inactive.path, '/shop/unknown', ...spellings];
    const pages = await Promise.all(
      ['/shop/%22%3E', ...paths].flatMap((path) => [path, `${path}/cart`].map((each) => visitor(service).get(each))),
    );
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(pages[0]?.status).toBe(404);
  });

  test('products of others and inactive ones cannot be seen or ordered', async () => {
    const [own, other] = [await openShopWith({ sku: 'A' }), await openShopWith({ sku: 'A' })];
    const hidden = await addProduct(service, own.storeId, { sku: 'X', isActive: false });
    const customer = visitor(service);
    for (const id of [other.ids[0], hidden, 'not-an-id', '']) {
      expect((await customer.get(`${own.path}/products/${id}`)).status).toBe(404);
      expect((await customer.post(`${own.path}/cart`, { product: `${id}`, action: 'add' })).status).toBe(404);
    }
    const form = await fillIn(customer, own.path, own.ids[0] as string);
    const forged = { cookie: `cart=${other.ids[0]}.1.1~${hidden}.1.1` };
    expect((await customer.post(`${own.path}/checkout`, form, forged)).status).toBe(303);
    expect(await ordersOf(own.key)).toHaveLength(0);
  });

  test.each(['0', '-1', '1e9', '99999999999', 'x', ''])('a quantity of %j is not taken over', async (quantity) => {
    const { path, ids } = await openShopWith({ sku: 'A' });
    const customer = visitor(service);
    await customer.post(`${path}/cart`, { product: ids[0] as string, action: 'add' });
    await customer.post(`${path}/cart`, { product: ids[0] as string, action: 'set', quantity });
    expect(inputValue((await customer.get(`${path}/cart`)).text, 'quantity')).toMatch(/^(1|1000)$/);
  });

  test('markup and control characters in every field are text', async () => {
    const { path, ids, key } = await openShopWith({ sku: 'A' });
    const customer = visitor(service);
    const form = await fillIn(customer, path, ids[0] as string);
    const evil = '"><script>alert(1)</script>\r\nSet-Cookie: a=b\0';
    const bad = { ...form, name: evil, email: 'no address', promoCode: evil, notes: evil, address: evil };
    const rejected = await customer.post(`${path}/checkout`, bad);
    expect(rejected.status).toBe(422);
    expect(rejected.text).not.toContain('<script>');
    const withCode = await customer.post(`${path}/checkout`, { ...bad, email: '' });
    expect([withCode.status, withCode.text]).toEqual([422, expect.stringContaining('no such promo code')]);
    expect(withCode.text).not.toContain('<script>');
    const placed = await customer.post(`${path}/checkout`, { ...bad, email: '', promoCode: '' });
    expect(placed.status).toBe(303);
    const [order] = await ordersOf(key);
    expect(order.customer.name).toBe('"><script>alert(1)</script> Set-Cookie: a=b');
    expect((await customer.get(placed.location)).text).not.toContain('<script>');
  });

  test('forms of other sites, altered ones, robots and too many orders are refused', async () => {
    const { path, ids, key } = await openShopWith({ sku: 'A' });
    const customer = visitor(service);
    const form = await fillIn(customer, path, ids[0] as string);
    const cart = { cookie: `cart=${customer.jar.get('cart')}` };
    const order = (more: Record<string, string>, headers = {}) =>
      customer.post(`${path}/checkout`, { ...form, ...more }, { ...cart, ...headers });
    expect((await order({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await order({}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await order({ token: `${form.token}x` })).status).toBe(422);
    expect((await order({ website: 'spam' })).status).toBe(422);
    expect((await order({ deliveryId: ids[0] as string })).status).toBe(422);
    expect((await order({ name: '' })).status).toBe(422);
    expect((await order({ phone: '' })).status).toBe(422);
    const quick = inputValue((await customer.get(`${path}/checkout`, cart)).text, 'token');
    expect((await order({ token: quick })).status).toBe(422);
    expect(await ordersOf(key)).toHaveLength(0);

    // The orders of the tests before count for the same address.
    service.clock.now += MINUTE;
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) {
      const token = inputValue((await customer.get(`${path}/checkout`, cart)).text, 'token');
      service.clock.now += 3000;
      statuses.push((await order({ token })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
    expect(await ordersOf(key)).toHaveLength(10);
  });
});
