import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';

/** Orders are made and edited in the console at random; their amounts are those of a calculation of its own. */
const service = await startService();
const { visitor, path, storeId } = await signedInOwner(service);
await addProduct(service, storeId, { sku: 'TEA', price: 100 });

interface Terms {
  percent?: number;
  amount?: number;
  minTotal: number;
}
const codes: Record<string, Terms> = {
  HALF: { percent: 50, minTotal: 0 },
  THIRD: { percent: 33, minTotal: 500 },
  ALL: { percent: 100, minTotal: 0 },
  LITTLE: { amount: 7, minTotal: 0 },
  MUCH: { amount: 5_000, minTotal: 1_000 },
};
for (const [code, terms] of Object.entries(codes)) await visitor.post(`${path}/promo-codes`, { code, ...terms });

interface Line {
  quantity: number;
  unitPrice: number;
  discount: number;
}
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 9 }),
  unitPrice: fc.integer({ min: 0, max: 333 }),
  discount: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 400 })),
});
const amounts = {
  items: fc.array(line, { minLength: 1, maxLength: 4 }),
  discount: fc.integer({ min: 0, max: 300 }),
  promoCode: fc.constantFrom('', 'UNKNOWN', ...Object.keys(codes)),
  delivery: fc.record({ cost: fc.integer({ min: 0, max: 300 }), discount: fc.integer({ min: 0, max: 200 }) }),
};
const optional = Object.fromEntries(
  Object.entries(amounts).map(([name, arbitrary]) => [
    name,
    fc.option(arbitrary as fc.Arbitrary<unknown>, { nil: undefined }),
  ]),
);
const edit = fc.record({
  ...optional,
  paymentStatus: fc.option(fc.constantFrom('unpaid', 'paid', 'partially_paid', 'refunded'), { nil: undefined }),
  paidAmount: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
}) as fc.Arbitrary<Edit>;

interface Edit {
  items?: Line[];
  discount?: number;
  promoCode?: string;
  delivery?: { cost: number; discount: number };
  paymentStatus?: string;
  paidAmount?: number;
}

interface Model {
  items: Line[];
  discount: number;
  code: string;
  promo: number;
  cost: number;
  deliveryDiscount: number;
  paymentStatus: string;
  paid: number;
}

const goodsOf = ({ items }: Pick<Model, 'items'>) =>
  items.reduce((sum, { quantity, unitPrice, discount }) => sum + quantity * unitPrice - discount, 0);
const totalOf = (model: Model) => goodsOf(model) - model.discount - model.promo + model.cost - model.deliveryDiscount;

/** What the code takes off; undefined if it does not apply. */
function promoOf(model: Model): number | undefined {
  const terms = codes[model.code];
  const goods = goodsOf(model);
  if (!terms || goods < terms.minTotal) return undefined;
  // Half a kopeck is rounded up; the operands are small enough for exact fractions.
  const wanted = terms.amount ?? Math.floor((goods * (terms.percent ?? 0)) / 100 + 0.5);
  return Math.max(0, Math.min(wanted, goods - model.discount));
}

/** The order after the edit; undefined if it is refused. */
function edited(before: Model, change: Edit): Model | undefined {
  const after: Model = {
    ...before,
    items: change.items ?? before.items,
    discount: change.discount ?? before.discount,
    code: change.promoCode ?? before.code,
    cost: change.delivery?.cost ?? before.cost,
    deliveryDiscount: change.delivery?.discount ?? before.deliveryDiscount,
  };
  if (after.code === '') after.promo = 0;
  else if (after.code !== before.code || change.items || change.discount !== undefined) {
    const promo = promoOf(after);
    // Only lines can fall below the minimum, and only a new code can be unknown.
    if (promo === undefined) return undefined;
    after.promo = promo;
  }
  const isInvalid =
    after.items.some(({ quantity, unitPrice, discount }) => discount > quantity * unitPrice) ||
    after.deliveryDiscount > after.cost ||
    totalOf(after) < 0;
  if (isInvalid) return undefined;
  if (change.paymentStatus !== undefined && change.paymentStatus !== before.paymentStatus) {
    after.paymentStatus = change.paymentStatus;
    if (change.paymentStatus === 'paid') after.paid = totalOf(after);
    else if (change.paymentStatus !== 'partially_paid') after.paid = 0;
  }
  after.paid = change.paidAmount ?? after.paid;
  return after;
}

const blank: Model = {
  items: [],
  discount: 0,
  code: '',
  promo: 0,
  cost: 0,
  deliveryDiscount: 0,
  paymentStatus: 'unpaid',
  paid: 0,
};

const sent = ({ items, ...rest }: Edit) => ({
  ...rest,
  ...(items && { items: items.map((each) => ({ sku: 'TEA', ...each })) }),
});

function expectAmounts({ order, promo }: any, model: Model) {
  const lineDiscounts = model.items.reduce((sum, { discount }) => sum + discount, 0);
  expect({
    totalAmount: order.totalAmount,
    discountTotal: order.discountTotal,
    paidAmount: order.paidAmount,
    due: order.totalAmount - order.paidAmount,
    promoCode: order.promoCode,
    promo: promo?.discount ?? 0,
    lineTotals: order.items.map(({ lineTotal }: any) => lineTotal),
  }).toEqual({
    totalAmount: totalOf(model),
    discountTotal: lineDiscounts + model.discount + model.promo,
    paidAmount: model.paid,
    due: totalOf(model) - model.paid,
    promoCode: model.code,
    promo: model.promo,
    lineTotals: model.items.map((each) => each.quantity * each.unitPrice - each.discount),
  });
}

test('amounts of an order follow from its lines, discounts, promo code, delivery and payments', async () => {
  const uses = new Map<string, number>();
  const models: Model[] = [];
  const count = (code: string, by: number) => code && uses.set(code, (uses.get(code) ?? 0) + by);
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...optional, items: amounts.items }) as fc.Arbitrary<Edit>,
      fc.array(edit, { maxLength: 5 }),
      async (first, changes) => {
        const made = await visitor.post(`${path}/orders`, sent(first));
        const created = edited(blank, first);
        expect(made.status, made.text).toBe(created ? 201 : 422);
        if (!created) return;
        let model = created;
        expectAmounts(made.body, model);
        count(model.code, 1);
        for (const change of changes) {
          const reply = await visitor.patch(`${path}/orders/${made.body.order.id}`, sent(change));
          const isEmpty = Object.values(change).every((value) => value === undefined);
          const after: Model | undefined = isEmpty ? undefined : edited(model, change);
          expect(reply.status, reply.text).toBe(after ? 200 : 422);
          if (!after) continue;
          expectAmounts(reply.body, after);
          count(model.code, -1);
          count(after.code, 1);
          model = after;
        }
        models.push(model);
      },
    ),
    { numRuns: 60 },
  );
  const listed = (await visitor.get(`${path}/promo-codes`)).body.codes;
  for (const { code, uses: counted } of listed) expect([code, counted]).toEqual([code, uses.get(code) ?? 0]);

  const due = models.map((model) => totalOf(model) - model.paid).filter((amount) => amount > 0);
  expect((await visitor.get(`${path}/home`)).body.due).toEqual({
    orders: due.length,
    amount: due.reduce((sum, amount) => sum + amount, 0),
    isMore: false,
  });
});
