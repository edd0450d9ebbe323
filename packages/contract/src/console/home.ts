import Type, { type Static } from 'typebox';
import { Body, Instant, OneOf, OrNull } from '../api/common.ts';
import { homePeriods } from './values.ts';

export const HomeQuery = Body({ days: Type.Optional(OneOf(homePeriods, 'Number of days, including today.')) });
export type HomeQuery = Static<typeof HomeQuery>;

const sales = {
  revenue: Type.Number({ minimum: 0, description: 'Kopecks; rounded beyond 2^53 − 1.' }),
  orders: Type.Integer(),
};

/** Sales without cancelled and returned orders. */
export const Sales = Type.Object(sales);
export type Sales = Static<typeof Sales>;

export const HomeDay = Type.Object({
  date: Type.String({ format: 'date', description: "In the store's time zone: `2026-09-27`." }),
  ...sales,
  previousRevenue: Type.Number({ minimum: 0, description: 'Revenue of the same day of the previous period.' }),
});
export type HomeDay = Static<typeof HomeDay>;

export const Attention = Type.Object({
  kind: OneOf(['endpoint_off', 'endpoint_failing', 'key_expiring'], 'What needs the attention of the owner.'),
  id: Type.String(),
  name: Type.String(),
  since: OrNull(Instant('Start of the failures, or the expiry of the key.'), 'Null if unknown.'),
});
export type Attention = Static<typeof Attention>;

export const setupSteps = ['product', 'order', 'shop', 'key', 'endpoint'] as const;
export type SetupStep = (typeof setupSteps)[number];

export const Home = Type.Object({
  current: Sales,
  previous: Type.Object(sales, { description: 'The period of the same length before this one.' }),
  days: Type.Array(HomeDay),
  statuses: Type.Array(
    Type.Object({
      id: Type.String(),
      code: OrNull(Type.String(), 'Code of a system status.'),
      name: Type.String(),
      group: Type.String(),
      orders: Type.Integer(),
    }),
  ),
  due: Type.Object({
    orders: Type.Integer({ minimum: 0 }),
    amount: Type.Number({ minimum: 0, description: 'What they still cost, in kopecks.' }),
    isMore: Type.Boolean({ description: 'There is more: only the newest orders are counted.' }),
  }),
  attention: Type.Array(Attention),
  setup: OrNull(
    Type.Array(Type.Object({ step: OneOf(setupSteps, 'What a new store needs.'), isDone: Type.Boolean() })),
    'First steps; null once the store has an order.',
  ),
});
export type Home = Static<typeof Home>;

export const BestProduct = Type.Object({
  id: Type.String(),
  name: Type.String(),
  sku: Type.String(),
  quantity: Type.Number(),
  revenue: Type.Number(),
});
export type BestProduct = Static<typeof BestProduct>;
