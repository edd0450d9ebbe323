import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../../test/database.ts';
import { type Service, startService } from '../../test/service.ts';
import { fillIn, inputValue, openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { sql } from '../db/sql.ts';
import { createPromoCode, listPromoCodes, switchPromoCode } from '../promo/promo-codes.ts';
import { HOUR, MINUTE } from '../time/duration.ts';

const database = await migratedDatabase();
afterAll(() => database.drop());
const env = { TRUST_PROXY: '1' };
const service = await startService({ database, env });
const nodes: Service[] = [service, ...(engine === 'postgres' ? [await startService({ database, env })] : [])];
const { clock, db } = service;

let visitors = 0;
/** A customer of a network of their own, with a filled form. */
async function customerOf({ path, ids }: Shop, node = service) {
  const customer = shopVisitor(node, { 'x-forwarded-for': `203.0.113.${++visitors}` });
  const form = await fillIn(customer, path, ids[0] as string);
  for (const each of nodes) each.clock.now = clock.now + 5000;
  const post = (more: Record<string, string>) => customer.post(`${path}/checkout`, { ...form, ...more });
  return {
    ...customer,
    post,
    apply: (promoCode: string) => post({ promoCode, action: 'apply' }),
    /** Applies a code, and orders what is shown then. */
    async order(promoCode: string) {
      const shown = await post({ promoCode, action: 'apply' });
      return post({ promoCode, promo: inputValue(shown.text, 'promo') });
    },
  };
}

type Shop = Awaited<ReturnType<typeof open>>;

async function open() {
  const shop = await openShopWith(service, { sku: 'TEA', name: 'Tea', price: 10_015 });
  const { storeId, key } = shop;
  return {
    ...shop,
    promo: (code: string, terms: object) => createPromoCode(db, storeId, { code, ...terms }, clock.now),
    orders: async () => (await service.get('/api/v1/orders', key)).body.data,
    uses: async () => (await listPromoCodes(db, storeId, { limit: 1 }))[0]?.uses,
  };
}

const rowsOf = (text: string) =>
  [...text.matchAll(/class="(?:sum|totals)"(?: role="status")?><span>([^<]*)<\/span><[^>]+>([^<]*)</g)].map(
    ([, label, amount]) => `${label}: ${amount}`,
  );

test('a customer sees what a code takes off before ordering, without JavaScript', async () => {
  const shop = await open();
  await shop.promo('Весна-15', { percent: 15 });
  const customer = await customerOf(shop);
  const shown = await customer.apply(' ВЕСНА-15 ');
  expect(shown.status).toBe(200);
  expect(rowsOf(shown.text)).toContain('Promo code Весна-15: -₽15.02');
  expect(rowsOf(shown.text)).toContain('Total: ₽85.13');
  // Nothing is marked as missing yet, and what was filled in is kept.
  const early = await customer.post({ promoCode: 'весна-15', action: 'apply', name: '', phone: '+7 900' });
  expect(early.text).not.toContain('aria-invalid');
  expect(early.text).toContain('value="+7 900"');
  expect(await shop.orders()).toHaveLength(0);

  const placed = await customer.post({ promoCode: ' ВЕСНА-15 ', promo: inputValue(shown.text, 'promo') });
  expect(placed.status).toBe(303);
  expect(await shop.orders()).toMatchObject([{ promoCode: 'Весна-15', discountTotal: 1502, totalAmount: 8513 }]);
  const page = (await customer.get(placed.location)).text;
  expect(rowsOf(page)).toEqual([
    'Tea × 1: ₽100.15',
    'Discount on the order: -₽15.02',
    'Total: ₽85.13',
    'To pay: ₽85.13',
  ]);
  expect(await shop.uses()).toBe(1);
});

test('the total of each delivery includes the discount', async () => {
  const shop = await open();
  await shop.promo('ALL', { percent: 100 });
  const first = await customerOf(shop);
  const types = [...(await first.apply('ALL')).text.matchAll(/name="deliveryId" value="([^"]+)"/g)].map(([, id]) => id);
  const delivery = JSON.stringify(types.map((typeId, index) => ({ typeId, cost: index * 30_000 })));
  await db.run(sql`update shops set delivery = ${delivery} where store_id = ${shop.storeId}`);
  const { text } = await first.apply('ALL');
  expect([...text.matchAll(/data-total="([^"]+)"/g)].map(([, total]) => total)).toEqual([
    '₽0.00',
    '₽300.00',
    '₽600.00',
  ]);
});

test('a code that was typed but not applied is shown first, and so is one that was taken out again', async () => {
  const shop = await open();
  await shop.promo('TEN', { percent: 10 });
  const customer = await customerOf(shop);
  const asked = await customer.post({ promoCode: 'ten' });
  expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('Your promo code is applied')]);
  expect(rowsOf(asked.text)).toContain('Promo code TEN: -₽10.02');
  const promo = inputValue(asked.text, 'promo');
  const without = await customer.post({ promoCode: '', promo });
  expect([without.status, without.text]).toEqual([409, expect.stringContaining('no promo code any more')]);
  expect(inputValue(without.text, 'promo')).toBe('');
  // What the form says about the discount is not believed.
  const forged = await customer.post({ promoCode: 'ten', promo: promo.replace(/\d+$/, '10015') });
  expect(forged.status).toBe(409);
  expect(await shop.orders()).toHaveLength(0);
  expect((await customer.post({ promoCode: 'ten', promo })).status).toBe(303);
});

test.each([
  { terms: undefined, text: 'There is no such promo code' },
  { terms: { to: '2026-09-27T09:59:59Z' }, text: 'no longer valid' },
  { terms: { from: '2026-12-01T00:00:00+03:00' }, text: 'valid from December 1, 2026 at 12:00 AM' },
  { terms: { minTotal: 10_016 }, text: 'products worth at least ₽100.16' },
  { terms: { maxUses: 1 }, isUsed: true, text: 'has been used up' },
  { terms: {}, isOff: true, text: 'no longer valid' },
])('nothing is ordered with a code that does not apply: $text', async ({ terms, isUsed, isOff, text }) => {
  const shop = await open();
  const created = terms && (await shop.promo('CODE', { percent: 10, ...terms }));
  if (created && isOff) await switchPromoCode(db, created.id, false, clock.now);
  if (isUsed) expect((await (await customerOf(shop)).order('CODE')).status).toBe(303);
  const before = (await shop.orders()).length;
  const customer = await customerOf(shop);
  for (const action of ['apply', '']) {
    const refused = await customer.post({ promoCode: 'CODE', action });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(text)]);
    expect(refused.text).toMatch(/id="promoCode"[^>]*aria-invalid="true" aria-describedby="promoCode-error"/);
    expect(refused.text).toContain('value="Anna"');
  }
  expect(await shop.orders()).toHaveLength(before);
  expect((await customer.post({ promoCode: '' })).status).toBe(303);
});

test('a code that stops to apply between the look and the order is not ordered with', async () => {
  const shop = await open();
  const { id } = await shop.promo('CODE', { percent: 10 });
  const customer = await customerOf(shop);
  const promo = inputValue((await customer.apply('CODE')).text, 'promo');
  await switchPromoCode(db, id, false, clock.now);
  const refused = await customer.post({ promoCode: 'CODE', promo });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('no longer valid')]);
  expect(await shop.orders()).toHaveLength(0);
});

test('of many customers at the same time on any number of nodes, as many get a code as it has uses', async () => {
  const shop = await open();
  await shop.promo('THREE', { percent: 10, maxUses: 3 });
  const customers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => customerOf(shop, nodes[index % nodes.length])),
  );
  const shown = await Promise.all(customers.map(({ apply }) => apply('three')));
  const promo = inputValue(shown[0]?.text ?? '', 'promo');
  expect(promo).not.toBe('');
  const sent = await Promise.all(customers.map(({ post }) => post({ promoCode: 'three', promo })));
  expect(sent.filter(({ status }) => status === 303)).toHaveLength(3);
  const refused = sent.filter(({ status }) => status !== 303);
  expect(refused.every(({ status, text }) => status === 422 && text.includes('has been used up'))).toBe(true);
  expect(await shop.orders()).toHaveLength(3);
  expect(await shop.uses()).toBe(3);
});

test('codes cannot be guessed: a network may try ten different ones a minute, and thirty an hour', async () => {
  const shop = await open();
  await shop.promo('SECRET', { percent: 10 });
  const customer = await customerOf(shop);
  const guess = async (from: number, to: number) => {
    const statuses = [];
    for (let index = from; index < to; index++) statuses.push((await customer.apply(`guess ${index}`)).status);
    return statuses;
  };
  expect(await guess(0, 12)).toEqual([...Array(10).fill(422), 429, 429]);
  // The right one is not told either, whichever button is pressed; what was tried before still is.
  for (const action of ['apply', '']) {
    const blocked = await customer.post({ promoCode: 'SECRET', action });
    expect([blocked.status, blocked.text]).toEqual([429, expect.stringContaining('Too many promo codes')]);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(inputValue(blocked.text, 'promo')).toBe('');
  }
  expect((await customer.apply('guess 3')).status).toBe(422);
  // Others are not affected, and an order without a code is possible.
  expect((await (await customerOf(shop)).apply('SECRET')).status).toBe(200);
  expect((await customer.post({ promoCode: '' })).status).toBe(303);

  const again = shopVisitor(service, { 'x-forwarded-for': '203.0.113.250' });
  const form = await fillIn(again, shop.path, shop.ids[0] as string);
  const tried: number[] = [];
  for (let index = 0; index < 40; index++) {
    clock.now += MINUTE;
    tried.push((await again.post(`${shop.path}/checkout`, { ...form, promoCode: `${index}`, action: 'apply' })).status);
  }
  expect(tried).toEqual([...Array(30).fill(422), ...Array(10).fill(429)]);
  clock.now += HOUR;
  const later = await again.post(`${shop.path}/checkout`, { ...form, promoCode: 'SECRET', action: 'apply' });
  expect(later.status).toBe(200);
});
