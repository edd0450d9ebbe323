import type { StatusGroup } from '@store-sales/contract';
import type { OrderPage, OrderPageQuery } from '@store-sales/contract/console';
import { searchCustomers } from '../customers/search-customers.ts';
import type { Queryable } from '../db/database.ts';
import { listWindow, type Paging } from '../db/list.ts';
import { endOfDay, iso, startOfDay } from '../instant.ts';
import { listOrderStatuses } from '../references/order-statuses.ts';
import { type ExportFormat, PAGE, written } from './export-orders.ts';
import * as find from './find.queries.ts';
import { pageOf, statusId } from './list-orders.ts';
import * as queries from './orders.queries.ts';

/** Limits per search, independent of the size of the store. */
const MOST_CUSTOMERS = 200;
const MOST_EXTERNAL_IDS = 200;
const MOST_ORDERS = 1000;

export const ROWS = 50;
export const CARDS = 20;

/** The store and the time zone its days are in. */
export interface Place {
  id: string;
  timezone: string;
}

/** A page of orders matching the owner's query, newest first, as response bytes. */
export async function findOrders(db: Queryable, paging: Paging, place: Place, query: OrderPageQuery) {
  const window = windowOf(db, paging, place, query, await resolved(db, place.id, query), ROWS);
  return pageOf(db, window, queries.page(db.dialect, place.id, window, false, false));
}

/** A page of one customer's orders, newest first. */
export async function ordersOfCustomer(
  db: Queryable,
  paging: Paging,
  storeId: string,
  customerId: string,
  cursor: string | undefined,
) {
  const query = { limit: CARDS, ...(cursor && { cursor }) };
  const window = listWindow(paging, queries.source, storeId, query, [find.ofCustomer(customerId)]);
  return pageOf(db, window, queries.page(db.dialect, storeId, window, false, false));
}

/** The statement of a page, for tests of its query plan. */
export async function foundStatement(db: Queryable, paging: Paging, place: Place, query: OrderPageQuery) {
  const window = windowOf(db, paging, place, query, await resolved(db, place.id, query), ROWS);
  return queries.page(db.dialect, place.id, window, false, false);
}

/** Streams all orders matching the owner's query, newest first, in constant memory. */
export const exportFound = (db: Queryable, paging: Paging, place: Place, query: OrderPageQuery, format: ExportFormat) =>
  written(pieces(db, paging, place, query), format);

async function* pieces(db: Queryable, paging: Paging, place: Place, query: OrderPageQuery) {
  // Search once for the whole file: the matches may change while it is written.
  const found = await resolved(db, place.id, query);
  for (let cursor = query.cursor; ; ) {
    const window = windowOf(db, paging, place, { ...query, ...(cursor && { cursor }) }, found, PAGE);
    const { rows, page } = await queries.pageRows(db, place.id, window);
    if (rows.length) yield rows;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The statuses a query names, and the numbers of the orders matching its text. */
async function resolved(db: Queryable, storeId: string, query: OrderPageQuery) {
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
  place: Place,
  query: OrderPageQuery,
  { filters, numbers }: Awaited<ReturnType<typeof resolved>>,
  limit: number,
) {
  const { source } = query;
  // The index by source covers neither status nor orders created by the API.
  const isServed = source !== 'api' && !filters.statusId && !filters.paymentStatusId && !numbers;
  return listWindow(
    paging,
    numbers ? { ...queries.source, rows: find.among(db, place.id, numbers) } : queries.sourceOf(db.dialect, filters),
    place.id,
    {
      limit,
      ...(query.cursor && { cursor: query.cursor }),
      ...(query.from && { 'filter[createdAt][from]': iso(startOfDay(query.from, place.timezone)) }),
      ...(query.to && { 'filter[createdAt][to]': iso(endOfDay(query.to, place.timezone)) }),
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
  const external = exact.length ? exact : await find.byExternalPrefix(db, storeId, text, MOST_EXTERNAL_IDS);
  const customers = await searchCustomers(db, storeId, text, MOST_CUSTOMERS);
  const theirs = customers.length ? await find.ofCustomers(db, storeId, customers, MOST_ORDERS) : [];
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
  place: Place,
  group: StatusGroup,
  cursor: string | undefined,
): Promise<OrderPage> {
  const statuses = (await listOrderStatuses(db, place.id)).filter(
    (status) => status.group === group && status.isActive,
  );
  const windows = statuses.map(({ id }) =>
    listWindow(
      paging,
      queries.source,
      place.id,
      { limit: CARDS, ...(cursor && { cursor }) },
      queries.filters({ statusId: id, paymentStatusId: undefined }),
    ),
  );
  const pages: Awaited<ReturnType<typeof queries.pageRows>>[] = [];
  // Sequential, so that a request uses one connection at a time.
  for (const window of windows) pages.push(await queries.pageRows(db, place.id, window));
  const newest = pages.flatMap(({ rows }) => rows).sort((a, b) => b.at - a.at || Number(b.tie) - Number(a.tie));
  const [last, first] = [newest[CARDS - 1], windows[0]];
  const hasMore = newest.length > CARDS || pages.some(({ page }) => page.hasMore);
  return {
    data: newest.slice(0, CARDS).map(({ body }) => JSON.parse(body.toString())),
    page: { hasMore, nextCursor: hasMore && last && first ? first.cursorOf(last) : null },
  };
}
