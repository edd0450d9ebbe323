import type { OrderChange, OrderCreate } from '@store-sales/contract';
import { DAY, HOUR } from '../time/duration.ts';
import { catalog, comments, firstNames, lastNames, places } from './data.ts';
import type { Random } from './random.ts';

const ORDERS = 320;
const CUSTOMERS = 88;

/** Custom statuses of the demo; a change refers to them by these names. */
export const ownStatuses = { wrapping: 'Подарочная упаковка', waiting: 'Waiting for pickup' } as const;
export const ownPayment = { deposit: 'Внесён аванс' } as const;

/** Takes off 10 %. */
export const DEMO_PROMO_CODE = 'TEA10';

type OwnStatus = keyof typeof ownStatuses | keyof typeof ownPayment;
export type DemoChange = OrderChange & { own?: OwnStatus };

/** Ids of the delivery types by kind and of the payment types by code. */
export interface OrderTypes {
  delivery: Record<'pickup' | 'courier' | 'carrier', string>;
  payment: Record<'cash' | 'card', string>;
}

const deliveryKinds = ['courier', 'carrier', 'carrier', 'pickup', 'courier', 'carrier', 'pickup'] as const;
const paymentCodes = ['card', 'card', 'cash'] as const;

export interface Step {
  at: number;
  /** Index of the order. */
  index: number;
  action:
    | { kind: 'create'; order: OrderCreate; source: 'api' | 'manual' | 'site' }
    | { kind: 'change'; change: DemoChange };
}

/** The events of the demo store in chronological order. */
export function planOrders(random: Random, types: OrderTypes, from: number, to: number): Step[] {
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => customer(random, index));
  const steps: Step[] = [];
  for (let index = 0; index < ORDERS; index++) {
    // The store grows: later days have more orders.
    const at = Math.floor(from + (to - from - 2 * HOUR) * Math.sqrt(random.next()));
    const buyer = index < CUSTOMERS ? customers[index] : random.pick(customers);
    const source = random.pick(['site', 'site', 'site', 'api', 'api', 'manual'] as const);
    steps.push({ at, index, action: { kind: 'create', order: order(random, types, index, source, buyer), source } });
    let time = at;
    for (const change of statusChanges(random, (to - at) / DAY)) {
      time += Math.floor(HOUR * (1 + random.next() * 20));
      if (time < to) steps.push({ at: time, index, action: { kind: 'change', change } });
    }
  }
  return steps.sort((a, b) => a.at - b.at || a.index - b.index);
}

/** The status changes of an order of this age. */
function statusChanges(random: Random, age: number): DemoChange[] {
  if (random.boolean(0.08)) return [{ status: 'cancelled' }];
  const payment: DemoChange[] = random.boolean(0.12)
    ? [{ own: 'deposit' }, { paymentStatus: 'paid' }]
    : random.boolean(0.1)
      ? [{ paymentStatus: 'partially_paid' }]
      : [{ paymentStatus: 'paid' }];
  const packing: DemoChange[] = random.boolean(0.2)
    ? [{ status: 'packing' }, { own: 'wrapping' }]
    : [{ status: 'packing' }];
  const shipping: DemoChange[] = random.boolean(0.2) ? [{ own: 'waiting' }] : [{ status: 'delivering' }];
  const all = [...payment, ...packing, ...shipping, { status: 'completed' }];
  if (age > 3 && random.boolean(0.05)) return [...all, { status: 'returned', paymentStatus: 'refunded' }];
  return age > 6 ? all : all.slice(0, random.between(0, all.length));
}

function customer(random: Random, index: number) {
  const first = random.pick(firstNames);
  const [cyrillic, latin] = random.pick(lastNames);
  const name = /[а-я]/i.test(first) ? `${first} ${cyrillic}` : `${first} ${latin}`;
  const digits = String(9_000_000_000 + index * 7_654_321).slice(0, 10);
  const phone = `+7 ${digits.slice(0, 3)} ${digits.slice(3, 6)}-${digits.slice(6, 8)}-${digits.slice(8)}`;
  return { name, phone, email: random.boolean(0.8) ? `${latin.toLowerCase()}${index + 1}@example.com` : '' };
}

const products = Object.values(catalog).flat();

function order(
  random: Random,
  types: OrderTypes,
  index: number,
  source: string,
  buyer: OrderCreate['customer'],
): OrderCreate {
  const count = random.pick([1, 1, 2, 2, 2, 3, 3, 4, 6]);
  const skus = new Set(Array.from({ length: count }, () => random.pick(products)[1]));
  const items = [...skus].map((sku) => ({
    sku,
    quantity: random.pick([1, 1, 1, 2, 2, 3]),
    ...(random.boolean(0.1) && { discount: 5_000 }),
  }));
  const [city, region, street, postalCode] = random.pick(places);
  const house = String(random.between(1, 90));
  const flat = String(random.between(1, 120));
  const kind = deliveryKinds[index % deliveryKinds.length] ?? 'courier';
  const payment = paymentCodes[index % paymentCodes.length] ?? 'card';
  const cost = random.pick([0, 25_000, 35_000, 49_000]);
  const address = `${city}, ${street}, ${house}, кв. ${flat}`;
  return {
    ...(source !== 'manual' && { externalId: `${source === 'api' ? 'MP' : 'WEB'}-${100_001 + index}` }),
    ...(buyer && { customer: buyer }),
    items,
    delivery: {
      typeId: types.delivery[kind],
      ...(kind === 'pickup' ? { cost: 0, city } : { cost, address, city, region, street, house, flat, postalCode }),
    },
    paymentTypeId: types.payment[payment],
    // Those who send orders through the API have computed the discount.
    ...(random.boolean(0.15) && { promoCode: DEMO_PROMO_CODE, ...(source === 'api' && { discount: 10_000 }) }),
    notes: random.pick(comments),
  };
}
