import { sortOrders } from '../api/values.ts';
import { type EventType, eventTypes } from '../webhooks/values.ts';

export const languages = ['en', 'ru'] as const;
export type Language = (typeof languages)[number];

/**
 * What a member may do in a store. `manager`: orders, catalog, customers, order settings and the order page;
 * `integrator`: API keys and webhooks, and sees orders; `viewer`: sees everything except secrets. The routes that a role
 * admits are in the table of endpoints.
 */
export const roles = ['owner', 'manager', 'integrator', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const owners = ['owner'] as const;
/** Change orders, catalog, customers, order settings and the order page. */
export const managers = ['owner', 'manager'] as const;
/** Change API keys and webhooks. */
export const integrators = ['owner', 'integrator'] as const;
/** See what managers change. */
export const managersAndViewers = ['owner', 'manager', 'viewer'] as const;
/** See what integrators change. */
export const integratorsAndViewers = ['owner', 'integrator', 'viewer'] as const;
export const ownersAndViewers = ['owner', 'viewer'] as const;
/** See orders. */
export const everyone = roles;

/** Sorts that an index serves in a store of any size. Order numbers follow the creation. */
export const orderSorts = [...sortOrders, 'totalAmount:desc', 'totalAmount:asc'] as const;
export type OrderSort = (typeof orderSorts)[number];

/** Maximum orders in one selection: a bulk change, an export, a print. */
export const MAX_SELECTED = 500;

/** The columns of the order list; the number is always shown. */
export const orderColumns = [
  'created',
  'updated',
  'customer',
  'phone',
  'status',
  'payment',
  'source',
  'delivery',
  'externalId',
  'total',
  'due',
] as const;
export type OrderColumn = (typeof orderColumns)[number];

/** Periods that move with the day, in the time zone of the store. */
export const orderPeriods = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const;
export type OrderPeriod = (typeof orderPeriods)[number];

export const productSorts = [
  'name:asc',
  'name:desc',
  'price:asc',
  'price:desc',
  'updatedAt:desc',
  'updatedAt:asc',
  'stock:asc',
  'stock:desc',
] as const;
export type ProductSort = (typeof productSorts)[number];

/** `low`: up to the number that the store has set, but not sold out; `soldOut`: nothing left, or below zero. */
export const stockStates = ['low', 'soldOut', 'belowZero'] as const;
export type StockState = (typeof stockStates)[number];

/** What counts as low until the store sets another number. */
export const DEFAULT_LOW_STOCK = 5;

/** What changed prices are rounded to, in kopecks. */
export const priceSteps = [1, 100, 1000, 10_000] as const;

/** A price in kopecks after a change by percent, with at most two decimals, rounded half up to a step. */
export function priceAfter(price: number, { percent, roundTo }: { percent: number; roundTo: number }): number {
  const [amount, unit] = [BigInt(price) * BigInt(10_000 + Math.round(percent * 100)), 10_000n * BigInt(roundTo)];
  return Number(((2n * amount + unit) / (2n * unit)) * BigInt(roundTo));
}

export const importKinds = ['products', 'categories', 'customers'] as const;
export type ImportKind = (typeof importKinds)[number];

/** An upload must finish within 30 seconds; larger files can be imported with the command line. */
export const MAX_IMPORT_BYTES = 20 * 1024 * 1024;
export const MAX_IMPORT_ROWS = 200_000;

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'] as const;
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
export const MAX_PICTURE_MEGAPIXELS = 50;
/** Of a product. */
export const MAX_PICTURES = 10;

/** Units of the currency as spreadsheets write them, such as `1 299,90`; or kopecks, its hundredths, as in the API. */
export const priceUnits = ['units', 'kopecks'] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** Filters of the history: `catalog` means products and categories, `references` the five reference lists. */
export const historyKinds = [
  'store',
  'key',
  'endpoint',
  'catalog',
  'customers',
  'references',
  'promo_codes',
  'members',
  'account',
] as const;
export type HistoryKind = (typeof historyKinds)[number];

export const homePeriods = ['7', '30', '90'] as const;
export type HomePeriod = (typeof homePeriods)[number];

export const SHOP_SLUG = '^[a-z0-9-]{3,40}$';
export const shopLanguages = ['en', 'ru'] as const;

/** `stopped`: pending when its endpoint was disabled; `skipped`: created while the endpoint was disabled. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'stopped', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveredTypes = [...(Object.keys(eventTypes) as EventType[]), 'ping'] as const;
export type DeliveredType = EventType | 'ping';
