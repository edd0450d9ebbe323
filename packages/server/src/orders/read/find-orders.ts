import type { Order, SortOrder } from '@store-sales/contract';
import type { BoardQuery, OrderExportQuery, OrderPage, OrderPageQuery } from '@store-sales/contract/console';
import type { Queryable, Sql } from '../../db/database.ts';
import { readJsonPage } from '../../db/lists/json-page.ts';
import { type Key, listWindow, type Paging, type Window } from '../../db/lists/list.ts';
import { DomainError } from '../../domain-error.ts';
import { endOfDay, iso, startOfDay } from '../../time/instant.ts';
import * as queries from '../orders.queries.ts';
import { listOrderStatuses } from '../statuses/order-statuses.ts';
import { lookupKey } from '../write/lookup-keys.ts';
import * as find from './find.queries.ts';
import { statusFilters } from './list-orders.ts';
import { rowsOf } from './rare-filters.ts';
import { etagOf } from './read-order.ts';
import { searchOrders } from './search-orders.ts';
import { totalSort, windowByTotal } from './sort-by-total.ts';
import { spreadsheetOf } from './spreadsheet.ts';

export const PAGE_ROWS = 50;
export const COLUMN_CARDS = 20;
/** Maximum orders that an export reads in one statement; fewer if the previous ones were large. SQLite blocks meanwhile. */
const MAX_EXPORTED = 100;
const EXPORTED_BYTES = 512 * 1024;

/** The store and the time zone its days are in. */
export interface StoreZone {
  id: string;
  timezone: string;
}

/** A page of orders matching the owner's query, with their versions, as response bytes. */
export async function findOrders(db: Queryable, paging: Paging, store: StoreZone, query: OrderPageQuery) {
  const window = await windowOf(db, paging, store, query, await filtersOf(db, store.id, query), PAGE_ROWS);
  return readJsonPage(db, window, statementOf(db, store.id, window, query));
}

function statementOf(db: Queryable, storeId: string, window: Window, { with: parts, order }: OrderPageQuery) {
  const statement = queries.page(db.dialect, storeId, window, parts === 'items', true);
  return totalSort(order) ? find.plannedForValues(statement) : statement;
}

/** The first orders matching a text, newest first. */
export async function findFirst(db: Queryable, paging: Paging, store: StoreZone, q: string, limit: number) {
  const { rows } = await queries.pageRows(db, store.id, await windowOf(db, paging, store, { q }, noFilters, limit));
  return rows.map(({ body }) => JSON.parse(body.toString()) as Order);
}

/** A page of one customer's orders, newest first. */
export async function ordersOfCustomer(
  db: Queryable,
  paging: Paging,
  storeId: string,
  customerId: string,
  cursor: string | undefined,
) {
  const query = { limit: COLUMN_CARDS, ...(cursor && { cursor }) };
  const window = listWindow(paging, queries.source, storeId, query, [find.ofCustomer(customerId)]);
  return readJsonPage(db, window, statementOf(db, storeId, window, {}));
}

/** The statement of a page, for tests of its query plan. */
export async function foundStatement(db: Queryable, paging: Paging, store: StoreZone, query: OrderPageQuery) {
  const window = await windowOf(db, paging, store, query, await filtersOf(db, store.id, query), PAGE_ROWS);
  return statementOf(db, store.id, window, query);
}

/** Streams all orders matching the owner's query as CSV for a spreadsheet, in constant memory. */
export function exportFound(
  db: Queryable,
  paging: Paging,
  store: StoreZone,
  { rows = 'orders', decimal = 'point', ...query }: OrderExportQuery,
) {
  return spreadsheetOf(chunks(db, paging, store, query), { timezone: store.timezone, rows, decimal });
}

async function* chunks(db: Queryable, paging: Paging, store: StoreZone, query: OrderPageQuery) {
  const filters = await filtersOf(db, store.id, query);
  let size = MAX_EXPORTED / 4;
  for (let cursor = query.cursor; ; ) {
    const window = await windowOf(db, paging, store, { ...query, ...(cursor && { cursor }) }, filters, size);
    const { rows, page } = await queries.pageRows(db, store.id, window);
    if (rows.length) yield rows;
    const bytes = rows.reduce((sum, { body }) => sum + body.length, 0);
    if (bytes) size = Math.max(1, Math.min(MAX_EXPORTED, Math.floor((rows.length * EXPORTED_BYTES) / bytes)));
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

function notWithSearch(parameter: string) {
  const message = 'cannot be combined with q: a search is sorted by creation, newest first';
  return new DomainError('invalid_parameter', `${parameter} ${message}`, [{ parameter, code: 'not_allowed', message }]);
}

const filtersOf = (db: Queryable, storeId: string, { status, payment }: OrderPageQuery): Promise<find.StatusFilters> =>
  statusFilters(db, storeId, status, payment);

function metadataFilter(text: string) {
  const end = text.indexOf('=');
  return find.byKey(lookupKey.metadata(text.slice(0, end), text.slice(end + 1)));
}

const noFilters: find.StatusFilters = { statusId: undefined, paymentStatusId: undefined };

/** `more`: conditions without an index, in a search only. */
async function windowOf(
  db: Queryable,
  paging: Paging,
  store: StoreZone,
  { source, due, metadata, order, cursor, q, numbers, ...query }: OrderPageQuery,
  filters: find.StatusFilters,
  limit: number,
  more: readonly Sql[] = [],
): Promise<Window> {
  const sort = totalSort(order);
  const byTime = sort ? undefined : (order as SortOrder | undefined);
  const days = {
    from: query.from === undefined ? undefined : startOfDay(query.from, store.timezone),
    to: query.to === undefined ? undefined : endOfDay(query.to, store.timezone),
  };
  const list = {
    limit,
    ...(byTime && { order: byTime }),
    ...(cursor && { cursor }),
    ...(days.from !== undefined && { 'filter[createdAt][from]': iso(days.from) }),
    ...(days.to !== undefined && { 'filter[createdAt][to]': iso(days.to) }),
  };
  const ofSource = source ? [find.ofSource(source)] : [];
  const isOpen = due ? [find.isOpen(store.id)] : [];
  const byMetadata = metadata === undefined ? undefined : metadataFilter(metadata);
  const unserved = [
    ...ofSource,
    ...(due ? [find.notPaid] : []),
    ...isOpen,
    ...(byMetadata ? [byMetadata.condition(store.id)] : []),
  ];
  if (q !== undefined) {
    if (numbers !== undefined) throw notWithSearch('numbers');
    if (order !== undefined && order !== 'createdAt:desc') throw notWithSearch('order');
    const equal = [...queries.filters(filters), ...unserved, ...more];
    return searchOrders(db, paging, store.id, { q, list, days, equal });
  }
  if (sort && !numbers) return windowByTotal(db, paging, store.id, sort, { list, days, filters, source, unserved });
  // Few orders have the same value, usually; these are read and sorted.
  const few =
    byMetadata && !numbers ? await rowsOf(db, store.id, [byMetadata], paging.searchLimit) : { conditions: [] };
  if (few.rows) {
    const known = [...queries.filters(filters), ...unserved];
    return listWindow(paging, { ...queries.source, rows: few.rows }, store.id, list, [], known);
  }
  const isPlain = !filters.statusId && !filters.paymentStatusId && !numbers && !order?.startsWith('updatedAt');
  if (due && isPlain && !source && !byMetadata) {
    const rows = find.dueRows(db.dialect);
    return listWindow(paging, { ...queries.source, rows }, store.id, list, [find.notPaid], isOpen);
  }
  // The index by source covers neither status, nor orders created by the API, nor the sort by update.
  const isServed = source !== 'api' && isPlain && !due && !byMetadata;
  return listWindow(
    paging,
    numbers === undefined
      ? queries.sourceOf(db.dialect, filters, byTime)
      : { ...queries.source, rows: find.byNumbers(db, store.id, numbers.split(',').map(Number)), sort },
    store.id,
    list,
    queries.filters({ ...filters, ...(isServed && { source }) }),
    isServed ? [] : unserved,
  );
}

/**
 * The newest orders of a group. There is an index per status but none for several, so a page of each is read and
 * merged; a search reads them together. The cursor is a point in time, so it is valid for each of them.
 */
export async function boardColumn(
  db: Queryable,
  paging: Paging,
  store: StoreZone,
  { group, ...query }: BoardQuery,
): Promise<OrderPage> {
  const statuses = (await listOrderStatuses(db, store.id)).filter(
    (status) => status.group === group && status.isActive,
  );
  const filters = await filtersOf(db, store.id, query);
  const pages: Awaited<ReturnType<typeof queries.pageRows>>[] = [];
  const read = async (of: find.StatusFilters, more: readonly Sql[] = []) =>
    queries.pageRows(db, store.id, await windowOf(db, paging, store, query, of, COLUMN_CARDS, more));
  if (query.q !== undefined) pages.push(await read(filters, [find.ofStatuses(db, statuses)]));
  // Sequential, so that a request uses one connection at a time.
  else for (const { id: statusId } of statuses) pages.push(await read({ ...filters, statusId }));
  const scope = { resource: queries.source.table, storeId: store.id, order: 'createdAt:desc' } as const;
  const newestFirst = (a: Key, b: Key) => b.at - a.at || Number(b.tie) - Number(a.tie);
  // Below the newest end of a page, orders of its status are not read yet.
  const ends = pages.flatMap(({ page: { nextCursor } }): Key[] => {
    if (nextCursor === null) return [];
    const [at, tie] = paging.cursors.read(scope, nextCursor);
    return [{ at, tie }];
  });
  const [end] = ends.sort(newestFirst);
  const found = pages.flatMap(({ rows }) => rows).filter((row) => !end || newestFirst(row, end) <= 0);
  const shown = found.sort(newestFirst).slice(0, COLUMN_CARDS);
  const next = found.length > shown.length ? shown.at(-1) : end;
  return {
    data: shown.map(({ body, seq }) => ({ ...JSON.parse(body.toString()), etag: etagOf(seq) })),
    page: { hasMore: !!next, nextCursor: next ? paging.cursors.write(scope, [next.at, next.tie]) : null },
  };
}
