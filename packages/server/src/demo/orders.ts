import type { OrderChange, OrderCreate } from '@store-sales/contract';
import { catalog, comments, firstNames, lastNames, places } from './data.ts';
import type { Chance } from './random.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ORDERS = 320;
const CUSTOMERS = 88;

/** Custom statuses of the demo; a change refers to them by these names. */
export const ownStatuses = { wrapping: 'Подарочная упаковка', waiting: 'Waiting for pickup' } as const;
export const ownPayment = { deposit: 'Внесён аванс' } as const;

type OwnStatus = keyof typeof ownStatuses | keyof typeof ownPayment;
export type DemoChange = OrderChange & { own?: OwnStatus };

export interface Step {
  at: number;
  /** Index of the order. */
  index: number;
  action:
    | { kind: 'create'; order: OrderCreate; source: 'api' | 'manual' | 'site' }
    | { kind: 'change'; change: DemoChange };
}

/** The events of the demo store in chronological order. */
export function planOrders(random: Chance, from: number, to: number): Step[] {
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => customer(random, index));
  const steps: Step[] = [];
  for (let index = 0; index < ORDERS; index++) {
    // The store grows: later days have more orders.
    const at = Math.floor(from + (to - from - 2 * HOUR) * Math.sqrt(random.next()));
    const buyer = index < CUSTOMERS ? customers[index] : random.pick(customers);
    const source = random.pick(['site', 'site', 'site', 'api', 'api', 'manual'] as const);
    steps.push({ at, index, action: { kind: 'create', order: order(random, index, source, buyer), source } });
    let time = at;
    for (const change of story(random, (to - at) / DAY)) {
      time += Math.floor(HOUR * (1 + random.next() * 20));
      if (time < to) steps.push({ at: time, index, action: { kind: 'change', change } });
    }
  }
  return steps.sort((a, b) => a.at - b.at || a.index - b.index);
}

/** The status changes of an order of this age. */
function story(random: Chance, age: number): DemoChange[] {
  if (random.often(0.08)) return [{ status: 'cancelled' }];
  const payment: DemoChange[] = random.often(0.12)
    ? [{ own: 'deposit' }, { paymentStatus: 'paid' }]
    : random.often(0.1)
      ? [{ paymentStatus: 'partially_paid' }]
      : [{ paymentStatus: 'paid' }];
  const packing: DemoChange[] = random.often(0.2)
    ? [{ status: 'packing' }, { own: 'wrapping' }]
    : [{ status: 'packing' }];
  const way: DemoChange[] = random.often(0.2) ? [{ own: 'waiting' }] : [{ status: 'delivering' }];
  const whole = [...payment, ...packing, ...way, { status: 'completed' }];
  if (age > 3 && random.often(0.05)) return [...whole, { status: 'returned', paymentStatus: 'refunded' }];
  return age > 6 ? whole : whole.slice(0, random.between(0, whole.length));
}

function customer(random: Chance, index: number) {
  const first = random.pick(firstNames);
  const [cyrillic, latin] = random.pick(lastNames);
  const name = /[а-я]/i.test(first) ? `${first} ${cyrillic}` : `${first} ${latin}`;
  const digits = String(9_000_000_000 + index * 7_654_321).slice(0, 10);
  const phone = `+7 ${digits.slice(0, 3)} ${digits.slice(3, 6)}-${digits.slice(6, 8)}-${digits.slice(8)}`;
  return { name, phone, email: random.often(0.8) ? `${latin.toLowerCase()}${index + 1}@example.com` : '' };
}

const products = Object.values(catalog).flat();

function order(random: Chance, index: number, source: string, buyer: OrderCreate['customer']): OrderCreate {
  const count = random.pick([1, 1, 2, 2, 2, 3, 3, 4, 6]);
  const skus = new Set(Array.from({ length: count }, () => random.pick(products)[1]));
  const items = [...skus].map((sku) => ({
    sku,
    quantity: random.pick([1, 1, 1, 2, 2, 3]),
    ...(random.often(0.1) && { discount: 5_000 }),
  }));
  const [city, region, street, postalCode] = random.pick(places);
  const house = String(random.between(1, 90));
  const flat = String(random.between(1, 120));
  return {
    ...(source !== 'manual' && { externalId: `${source === 'api' ? 'MP' : 'WEB'}-${100_001 + index}` }),
    ...(buyer && { customer: buyer }),
    items,
    delivery: {
      cost: random.pick([0, 25_000, 35_000, 49_000]),
      address: `${city}, ${street}, ${house}, кв. ${flat}`,
      city,
      region,
      street,
      house,
      flat,
      postalCode,
    },
    ...(random.often(0.15) && { promoCode: 'TEA10', discount: 10_000 }),
    notes: random.pick(comments),
  };
}
