import type { OrderView } from '@store-sales/contract/console';
import { type OrderPeriod, type OrderSort, orderPeriods } from '@store-sales/contract/values';

/** The filters and the sort of the order list. `period` replaces the dates. */
export interface ListView extends OrderView {
  period?: OrderPeriod;
  order?: OrderSort;
}

export interface TableView extends ListView {
  /** Id of the saved view that was opened. */
  view?: string;
  cursor?: string;
}

export type ViewChange = { [Name in keyof TableView]?: TableView[Name] | undefined };

export const DEFAULT_SORT: OrderSort = 'createdAt:desc';

const names = [
  'status',
  'payment',
  'source',
  'due',
  'metadata',
  'metadata',
  'from',
  'to',
  'period',
  'q',
  'order',
  'view',
  'cursor',
] as const;

/** Ignores unknown parameters. */
function texts(search: Record<string, unknown>, known: readonly string[]) {
  const given = known.map((name) => [name, search[name]] as const);
  const filled = given.filter(([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]));
}

export const readView = (search: Record<string, unknown>): TableView => texts(search, names);

/** The board shows the statuses as columns. */
export type BoardView = Omit<ListView, 'status' | 'order'>;
export const readBoardView = (search: Record<string, unknown>): BoardView =>
  texts(search, ['payment', 'source', 'due', 'metadata', 'from', 'to', 'period', 'q']);

/** The documents of the orders with these numbers, or of those that match the filters. */
export interface PrintView extends OrderView {
  kind: 'slip' | 'invoice';
  numbers?: string;
}
export const readPrintView = (search: Record<string, unknown>): PrintView => ({
  ...texts(search, ['status', 'payment', 'source', 'due', 'from', 'to', 'q', 'numbers']),
  kind: search.kind === 'invoice' ? 'invoice' : 'slip',
});

/** The view without what is undefined. */
export const changedView = (view: TableView, change: ViewChange): TableView =>
  Object.fromEntries(Object.entries({ ...view, ...change }).filter(([, value]) => value !== undefined));

/** The filters, without sort, page and the name of the view. */
export function filtersOf({ order: _order, view: _view, cursor: _cursor, ...filters }: TableView) {
  return filters;
}

/** The parameters of the API, with the days of the period. */
export function toQuery<View extends TableView>({ period, view: _view, order, ...query }: View, timezone: string) {
  const known = orderPeriods.find((name) => name === period);
  // A search is sorted by creation, newest first.
  return { ...query, ...(known && daysOf(known, timezone)), ...(order && !query.q && { order }) };
}

const DAY = 86_400_000;

/** First and last day of a period, in the store's time zone. */
export function daysOf(period: OrderPeriod, timeZone: string, now = Date.now()): { from: string; to: string } {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const today = Date.parse(date);
  const [year = 0, month = 0] = date.split('-').map(Number);
  const days = (from: number, to: number) => ({ from: dayOf(from), to: dayOf(to) });
  switch (period) {
    case 'today':
      return days(today, today);
    case 'yesterday':
      return days(today - DAY, today - DAY);
    case 'last7':
      return days(today - 6 * DAY, today);
    case 'last30':
      return days(today - 29 * DAY, today);
    case 'thisMonth':
      return days(Date.UTC(year, month - 1, 1), today);
    case 'lastMonth':
      return days(Date.UTC(year, month - 2, 1), Date.UTC(year, month - 1, 0));
  }
}

const dayOf = (midnight: number) => new Date(midnight).toISOString().slice(0, 10);

/** The last filters and page, for the link back from an order. */
const savedViews = new Map<string, TableView>();
export const saveView = (storeId: string, view: TableView) => savedViews.set(storeId, view);
export const lastView = (storeId: string): TableView => savedViews.get(storeId) ?? {};
