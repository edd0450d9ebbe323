import type { StatusGroup } from '@store-sales/contract';
import type { OrderPage, OrderPageQuery } from '@store-sales/contract/console';
import { searchCustomers } from '../customers/search-customers.ts';
import type { Queryable } from '../db/database.ts';
import { listWindow, type Paging } from '../db/list.ts';
import { endOfDay, iso, startOfDay } from '../instant.ts';
import { listOrderStatuses } from '../references/order-statuses.ts';
import { type ExportFormat, PAGE_SIZE, serializeOrders } from './export-orders.ts';
import * as find from './find.queries.ts';
import { pageOf, statusId } from './list-orders.ts';
import * as queries from './orders.queries.ts';

/** Limits per search, independent of the size of the store. */
const MAX_CUSTOMERS = 200;
const MAX_EXTERNAL_IDS = 200;
const MAX_ORDERS = 1000;

export const PAGE_ROWS = 50;
export const COLUMN_CARDS = 20;

/** The store and the time zone its days are in. */
export interface StoreZone {
  id: string;
  timezone: string;
}

/** A page of orders matching the owner's query, newest first, as response bytes. */
export async function findOrders(db: Queryable, paging: Paging, store: StoreZone, query: OrderPageQuery) {
  const window = windowOf(db, paging, store, query, await resolveQuery(db, store.id, query), PAGE_ROWS);
  return pageOf(db, window, queries.page(db.dialect, store.id, window, false, false));
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
  return pageOf(db, window, queries.page(db.dialect, storeId, window, false, false));
}

/** The statement of a page, for tests of its query plan. */
export async function foundStatement(db: Queryable, paging: Paging, store: StoreZone, query: OrderPageQuery) {
  const window = windowOf(db, paging, store, query, await resolveQuery(db, store.id, query), PAGE_ROWS);
  return queries.page(db.dialect, store.id, window, false, false);
}

/** Streams all orders matching the owner's query, newest first, in constant memory. */
export const exportFound = (
  db: Queryable,
  paging: Paging,
  store: StoreZone,
  query: OrderPageQuery,
  format: ExportFormat,
) => serializeOrders(chunks(db, paging, store, query), format);

async function* chunks(db: Queryable, paging: Paging, store: StoreZone, query: OrderPageQuery) {
  // Search once for the whole file: the matches may change while it is serializeOrders.
  const found = await resolveQuery(db, store.id, query);
  for (let cursor = query.cursor; ; ) {
    const window = windowOf(db, paging, store, { ...query, ...(cursor && { cursor }) }, found, PAGE_SIZE);
    const { rows, page } = await queries.pageRows(db, store.id, window);
    if (rows.length) yield rows;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The statuses a query names, and the numbers of the orders matching its text. */
async function resolveQuery(db: Queryable, storeId: string, query: OrderPageQuery) {
  return {
    filters: {
      statusId: await statusId(db, 'status', storeId, query.status),
      paymentStatusId: await statusId(db, 'paymentStatus', storeId, query.payment),
    },
    numbers: query.q === undefined ? undefined : await search(db, storeId, query.q),
  };
}

function windowOf(
  db: Queryable,
  paging: Paging,
  store: StoreZone,
  query: OrderPageQuery,
  { filters, numbers }: Awaited<ReturnType<typeof resolveQuery>>,
  limit: number,
) {
  const { source } = query;
  // The index by source covers neither status nor orders created by the API.
  const isServed = source !== 'api' && !filters.statusId && !filters.paymentStatusId && !numbers;
  return listWindow(
    paging,
    numbers ? { ...queries.source, rows: find.among(db, store.id, numbers) } : queries.sourceOf(db.dialect, filters),
    store.id,
    {
      limit,
      ...(query.cursor && { cursor: query.cursor }),
      ...(query.from && { 'filter[createdAt][from]': iso(startOfDay(query.from, store.timezone)) }),
      ...(query.to && { 'filter[createdAt][to]': iso(endOfDay(query.to, store.timezone)) }),
    },
    queries.filters({ ...filters, ...(isServed && { source }) }),
    source && !isServed ? [find.ofSource(source)] : [],
  );
}

/** Numbers of the orders matching a text by number, external id, or the customer's name or phone. */
async function search(db: Queryable, storeId: string, q: string): Promise<number[]> {
  const text = q.trim();
  const [, digits] = /^#?(\d{1,15})$/.exec(text) ?? [];
  const exact = await find.byExternalId(db, storeId, text);
  const external = exact.length ? exact : await find.byExternalPrefix(db, storeId, text, MAX_EXTERNAL_IDS);
  const customers = await searchCustomers(db, storeId, text, MAX_CUSTOMERS);
  const theirs = customers.length ? await find.ofCustomers(db, storeId, customers, MAX_ORDERS) : [];
  const found = [...external, ...theirs].map(({ number }) => number);
  return [...new Set(digits ? [Number(digits), ...found] : found)];
}

/**
 * The newest orders of a group. There is an index per status but none for several, so a page of each is read and
 * merged. The cursor is a point in time, so it is valid for each of them.
 */
export async function boardColumn(
  db: Queryable,
  paging: Paging,
  store: StoreZone,
  group: StatusGroup,
  cursor: string | undefined,
): Promise<OrderPage> {
  const statuses = (await listOrderStatuses(db, store.id)).filter(
    (status) => status.group === group && status.isActive,
  );
  const windows = statuses.map(({ id }) =>
    listWindow(
      paging,
      queries.source,
      store.id,
      { limit: COLUMN_CARDS, ...(cursor && { cursor }) },
      queries.filters({ statusId: id, paymentStatusId: undefined }),
    ),
  );
  const pages: Awaited<ReturnType<typeof queries.pageRows>>[] = [];
  // Sequential, so that a request uses one connection at a time.
  for (const window of windows) pages.push(await queries.pageRows(db, store.id, window));
  const newest = pages.flatMap(({ rows }) => rows).sort((a, b) => b.at - a.at || Number(b.tie) - Number(a.tie));
  const [last, first] = [newest[COLUMN_CARDS - 1], windows[0]];
  const hasMore = newest.length > COLUMN_CARDS || pages.some(({ page }) => page.hasMore);
  return {
    data: newest.slice(0, COLUMN_CARDS).map(({ body }) => JSON.parse(body.toString())),
    page: { hasMore, nextCursor: hasMore && last && first ? first.cursorOf(last) : null },
  };
}
