import Type, { type Static } from 'typebox';
import { Body, OneOf } from '../common.ts';

export const homePeriods = ['7', '30', '90'] as const;
export type HomePeriod = (typeof homePeriods)[number];

export const HomeQuery = Body({ days: Type.Optional(OneOf(homePeriods, 'How many days, today included.')) });
export type HomeQuery = Static<typeof HomeQuery>;

/** Sales without cancelled and returned orders. */
export interface Sales {
  /** Kopecks; rounded beyond 2^53 − 1. */
  revenue: number;
  orders: number;
}

export interface HomeDay extends Sales {
  /** In the store's time zone: `2026-09-27`. */
  date: string;
}

export type Attention =
  | { kind: 'endpoint_off' | 'endpoint_failing'; id: string; name: string; since: string | null }
  | { kind: 'key_expiring'; id: string; name: string; since: string };

export interface Home {
  present: Sales;
  /** As many days before these. */
  before: Sales;
  days: HomeDay[];
  statuses: { id: string; code: string | null; name: string; group: string; orders: number }[];
  attention: Attention[];
}

export interface BestProduct {
  id: string;
  name: string;
  sku: string;
  quantity: number;
  revenue: number;
}
