import { afterAll, describe, expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { addProduct } from '../../../test/catalog.ts';
import { engine, migratedDatabase } from '../../../test/database.ts';
import { type Service, startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { HOUR } from '../../time/duration.ts';

const database = await migratedDatabase();
afterAll(() => database.drop());
const service = await startService({ database });
const nodes: Service[] = [service, ...(engine === 'postgres' ? [await startService({ database })] : [])];
const { clock } = service;

const fieldErrorsOf = ({ body }: { body: any }) =>
  (body.errors ?? []).map(({ pointer, code }: any) => `${pointer} ${code}`).sort();

/** A store with two products and an owner in the console. */
async function open() {
  const signedIn = await signedInOwner(service);
  const { visitor, path, storeId } = signedIn;
  const key = await service.key(storeId);
  await addProduct(service, storeId, { sku: 'TEA', price: 15_015 });
  await addProduct(service, storeId, { sku: 'CUP', price: 40_000 });
  const promo = async (code: string, terms: object) => {
    const { status, text, body } = await visitor.post(`${path}/promo-codes`, { code, ...terms });
    expect(status, text).toBe(201);
    return body.id as string;
  };
  const create = (more: object = {}, quantity = 2) =>
    visitor.post(`${path}/orders`, { items: [{ sku: 'TEA', quantity }], ...more });
  const change = async (id: string, body: object) => visitor.patch(`${path}/orders/${id}`, body);
  const codes = async () => (await visitor.get(`${path}/promo-codes`)).body.codes as any[];
  return {
    ...signedIn,
    key,
    promo,
    create,
    /** An order that was accepted. */
    async order(more: object = {}, quantity = 2) {
      const { status, text, body } = await create(more, quantity);
      expect(status, text).toBe(201);
      return body.order;
    },
    change,
    async changed(id: string, body: object) {
      const reply = await change(id, body);
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    },
    patch: (id: string, body: object) => service.patch(`/api/v1/orders/${id}`, body, key),
    usesOf: async (code: string) => (await codes()).find((each) => each.code === code)?.uses,
    revenueOf: async (code: string) => (await codes()).find((each) => each.code === code)?.revenue,
  };
}

describe('a new order in the console', () => {
  test.each([
    // 2 × 15,015 = 30,030
    { terms: { percent: 15 }, more: {}, discount: 4_505 },
    { terms: { percent: 5 }, more: {}, discount: 1_502 },
    { terms: { percent: 100 }, more: { delivery: { cost: 20_000 } }, discount: 30_030 },
    { terms: { amount: 1_000 }, more: {}, discount: 1_000 },
    { terms: { amount: 99_999 }, more: { delivery: { cost: 20_000 } }, discount: 30_030 },
    { terms: { percent: 50, minTotal: 30_030 }, more: {}, discount: 15_015 },
    // Beside another discount.
    { terms: { percent: 10 }, more: { discount: 500 }, discount: 3_503 },
    { terms: { percent: 100 }, more: { discount: 500 }, discount: 30_030 },
    { terms: { amount: 1_000 }, more: { discount: 40_000, delivery: { cost: 20_000 } }, discount: 40_000 },
  ])('$terms take off $discount with $more', async ({ terms, more, discount }) => {
    const { promo, order, usesOf, revenueOf } = await open();
    await promo('Spring', terms);
    const { promoCode, discountTotal, totalAmount } = await order({ ...more, promoCode: ' SPRING ' });
    expect([promoCode, discountTotal]).toEqual(['Spring', discount]);
    expect(totalAmount).toBe(30_030 - discount + ('delivery' in more ? 20_000 : 0));
    expect([await usesOf('Spring'), await revenueOf('Spring')]).toEqual([1, totalAmount]);
  });

  test('is refused at /promoCode with a code that does not apply, together with its other faults', async () => {
    const { promo, create, visitor, path } = await open();
    const at = (ms: number) => new Date(clock.now + ms).toISOString();
    await promo('LATER', { percent: 5, from: at(1) });
    await promo('OVER', { percent: 5, to: at(-1) });
    await promo('LARGE', { percent: 5, minTotal: 30_031 });
    const off = await promo('OFF', { percent: 5 });
    await visitor.patch(`${path}/promo-codes/${off}`, { isActive: false });
    await promo('USED', { percent: 5, maxUses: 1 });
    expect((await create({ promoCode: 'used' })).status).toBe(201);
    for (const [code, expected] of [
      ['NONE', 'promo_unknown'],
      ['LATER', 'promo_not_yet'],
      ['OVER', 'promo_expired'],
      ['LARGE', 'promo_minimum'],
      ['OFF', 'promo_disabled'],
      ['USED', 'promo_used_up'],
    ]) {
      const reply = await create({ promoCode: code });
      expect([reply.status, fieldErrorsOf(reply)]).toEqual([422, [`/promoCode ${expected}`]]);
    }
    const wrong = { promoCode: 'NONE', paymentTypeId: '00000000-0000-7000-8000-000000000000' };
    expect(fieldErrorsOf(await create(wrong))).toEqual(['/paymentTypeId not_found', '/promoCode promo_unknown']);
    expect((await visitor.get(`${path}/orders`)).body.data).toHaveLength(1);
  });

  test('takes a code from its first to its last instant', async () => {
    const { promo, create } = await open();
    const from = clock.now + HOUR;
    await promo('HOUR', { percent: 5, from: new Date(from).toISOString(), to: new Date(from + HOUR).toISOString() });
    const statuses: number[] = [];
    for (const now of [from - 1, from, from + HOUR, from + HOUR + 1]) {
      clock.now = now;
      statuses.push((await create({ promoCode: 'HOUR' })).status);
    }
    expect(statuses).toEqual([422, 201, 201, 422]);
  });

  test('without a code has none, whatever spaces were typed', async () => {
    const { order } = await open();
    for (const promoCode of ['', '  ']) expect((await order({ promoCode })).promoCode).toBe('');
  });
});

test('an order of the API keeps the code as a text', async () => {
  const { promo, key, usesOf, patch } = await open();
  await promo('SPRING', { percent: 50, maxUses: 1 });
  for (const promoCode of [' Spring ', 'anything']) {
    const { body } = await service.post(
      '/api/v1/orders',
      { items: [{ sku: 'TEA', quantity: 1 }], promoCode, discount: 15 },
      key,
    );
    expect(body.data).toMatchObject({ promoCode, discountTotal: 15, totalAmount: 15_000 });
    const changed = await patch(body.data.id, { promoCode: 'SPRING' });
    expect(changed.body.data).toMatchObject({ promoCode: 'SPRING', discountTotal: 15 });
  }
  expect(await usesOf('SPRING')).toBe(0);
});

describe('an order that uses a code', () => {
  test('gives the use back when it is cancelled, keeps code and discount, and takes one again when it is reopened', async () => {
    const { promo, order, changed, patch, usesOf, revenueOf, create } = await open();
    await promo('ONCE', { percent: 50, maxUses: 1 });
    const { id } = await order({ promoCode: 'ONCE' });
    expect((await changed(id, { status: 'cancelled' })).order).toMatchObject({
      promoCode: 'ONCE',
      discountTotal: 15_015,
    });
    expect([await usesOf('ONCE'), await revenueOf('ONCE')]).toEqual([0, 0]);
    await patch(id, { status: 'cancelled', notes: 'still' });
    await patch(id, { status: 'packing' });
    expect([await usesOf('ONCE'), await revenueOf('ONCE')]).toEqual([1, 15_015]);
    await changed(id, { status: 'returned' });
    expect([await usesOf('ONCE'), await revenueOf('ONCE')]).toEqual([1, 0]);

    // What was promised to a customer is kept beyond the limit; nobody else gets it.
    await changed(id, { status: 'cancelled' });
    const other = await order({ promoCode: 'ONCE' });
    await changed(id, { status: 'new' });
    expect(await usesOf('ONCE')).toBe(2);
    expect(fieldErrorsOf(await create({ promoCode: 'ONCE' }))).toEqual(['/promoCode promo_used_up']);
    await changed(other.id, { status: 'cancelled' });
    expect(fieldErrorsOf(await create({ promoCode: 'ONCE' }))).toEqual(['/promoCode promo_used_up']);
    await changed(id, { status: 'cancelled' });
    expect((await create({ promoCode: 'ONCE' })).status).toBe(201);
  });

  test('keeps the terms of the code when its lines are edited in the console', async () => {
    const { promo, order, change, changed, visitor, path } = await open();
    const code = await promo('HALF', { percent: 50, minTotal: 15_015 });
    const { id, items } = await order({ promoCode: 'HALF', discount: 1_000 });
    const [line] = items;
    // Neither its end nor its being switched off touches what was given.
    await visitor.patch(`${path}/promo-codes/${code}`, { isActive: false });
    const edited = await changed(id, { items: [{ id: line.id, quantity: 4 }] });
    expect(edited).toMatchObject({
      order: { discountTotal: 30_030 + 1_000, totalAmount: 60_060 - 31_030 },
      promo: { id: code, discount: 30_030, percent: 50, amount: null, minTotal: 15_015 },
    });
    expect(edited.timeline[0].edited).toEqual(['items']);
    expect((await changed(id, { discount: 5_000 })).order.discountTotal).toBe(35_030);
    expect((await changed(id, { delivery: { cost: 100 } })).order.discountTotal).toBe(35_030);
    const less = await change(id, { items: [{ id: line.id, quantity: 1, unitPrice: 15_014 }] });
    expect(fieldErrorsOf(less)).toEqual(['/promoCode promo_minimum']);
    const without = await changed(id, { items: [{ id: line.id, quantity: 1, unitPrice: 15_014 }], promoCode: '' });
    expect(without).toMatchObject({ order: { promoCode: '', discountTotal: 5_000 }, promo: null });
  });

  test('gets another code, or one for the first time, in the console', async () => {
    const { promo, order, change, changed, usesOf } = await open();
    await promo('FIVE', { percent: 5 });
    await promo('TEN', { percent: 10, maxUses: 1 });
    const [first, second] = [await order({ promoCode: 'FIVE' }), await order()];
    const { order: after } = await changed(first.id, { promoCode: 'ten' });
    expect(after).toMatchObject({ promoCode: 'TEN', discountTotal: 3_003 });
    expect([await usesOf('FIVE'), await usesOf('TEN')]).toEqual([0, 1]);
    expect(fieldErrorsOf(await change(second.id, { promoCode: 'TEN' }))).toEqual(['/promoCode promo_used_up']);
    expect(fieldErrorsOf(await change(second.id, { promoCode: 'nonsense' }))).toEqual(['/promoCode promo_unknown']);
    // The same code sent again is no change.
    const { etag } = await changed(first.id, { promoCode: ' Ten' });
    expect((await changed(first.id, { promoCode: 'TEN' })).etag).toBe(etag);
    await changed(first.id, { promoCode: '', status: 'cancelled' });
    expect(await usesOf('TEN')).toBe(0);
    await changed(second.id, { promoCode: 'TEN', status: 'cancelled' });
    expect(await usesOf('TEN')).toBe(0);
    await changed(second.id, { status: 'new' });
    expect(await usesOf('TEN')).toBe(1);
  });

  test('keeps its amounts when the API edits it, and loses the code with its text', async () => {
    const { promo, order, patch, changed, usesOf } = await open();
    await promo('HALF', { percent: 50 });
    const { id, items } = await order({ promoCode: 'HALF', discount: 1_000 });
    const [line] = items;
    const more = await patch(id, { items: [{ id: line.id, quantity: 4 }] });
    expect(more.body.data).toMatchObject({ promoCode: 'HALF', discountTotal: 16_015, totalAmount: 60_060 - 16_015 });
    expect((await patch(id, { discount: 2_000 })).body.data.discountTotal).toBe(2_000);
    expect((await patch(id, { promoCode: 'half' })).body.data).toMatchObject({
      promoCode: 'half',
      discountTotal: 2_000,
    });
    expect(await usesOf('HALF')).toBe(1);
    // The console computes the code again, beside the discount that is left.
    const { order: computed, promo: own } = await changed(id, { items: [{ id: line.id, quantity: 2 }] });
    expect([computed.discountTotal, own.discount]).toEqual([15_015, 15_015]);
    expect((await patch(id, { promoCode: 'other' })).body.data).toMatchObject({
      promoCode: 'other',
      discountTotal: 15_015,
    });
    expect(await usesOf('HALF')).toBe(0);
  });
});

test('the form of an order looks a code up', async () => {
  const { promo, visitor, path } = await open();
  await promo('Spring', { amount: 700, minTotal: 5_000 });
  await promo('OVER', { percent: 5, to: new Date(clock.now - 1).toISOString() });
  const lookUp = async (code: string) =>
    (await visitor.get(`${path}/orders/promo-code?code=${encodeURIComponent(code)}`)).body;
  expect(await lookUp(' sPRING ')).toEqual({ refusal: null, terms: { percent: null, amount: 700, minTotal: 5_000 } });
  expect(await lookUp('OVER')).toEqual({ refusal: 'expired', terms: { percent: 5, amount: null, minTotal: 0 } });
  expect(await lookUp('NONE')).toEqual({ refusal: 'unknown', terms: null });
});

test('the last uses of a code are taken once, whatever comes at the same time on any number of nodes', async () => {
  const { promo, owner, path, order, usesOf } = await open();
  await promo('FIVE', { percent: 5, maxUses: 5 });
  const reopened = [];
  for (let index = 0; index < 2; index++) reopened.push((await order({ promoCode: 'FIVE' })).id);
  const managers: ReturnType<typeof browser>[] = [];
  for (const node of nodes) {
    const manager = browser(node);
    await manager.signIn(owner.email);
    managers.push(manager);
  }
  const managerOf = (index: number) => managers[index % managers.length] as (typeof managers)[number];
  const items = [{ sku: 'TEA', quantity: 1 }];
  const edited = (await Promise.all([0, 1, 2, 3].map(() => order()))).map(({ id }) => id as string);
  const sent = await Promise.all([
    ...Array.from({ length: 20 }, (_, index) =>
      managerOf(index).post(`${path}/orders`, { items, promoCode: 'FIVE', notes: `${index}` }),
    ),
    ...edited.map((id, index) => managerOf(index).patch(`${path}/orders/${id}`, { promoCode: 'FIVE' })),
  ]);
  const statuses = sent.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201 || status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 422)).toHaveLength(21);
  expect(await usesOf('FIVE')).toBe(5);

  // Each cancellation frees one for somebody else.
  const [mixed] = await Promise.all([
    Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        managerOf(index).post(`${path}/orders`, { items, promoCode: 'FIVE', notes: `again ${index}` }),
      ),
    ),
    Promise.all(reopened.map((id, index) => managerOf(index).patch(`${path}/orders/${id}`, { status: 'cancelled' }))),
  ]);
  const taken = mixed.filter(({ status }) => status === 201).length;
  expect(taken).toBeLessThanOrEqual(2);
  expect(await usesOf('FIVE')).toBe(3 + taken);
});
