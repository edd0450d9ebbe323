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

/** What a search takes into account, whatever the store holds. */
const MOST_CUSTOMERS = 200;
const MOST_EXTERNAL_IDS = 200;
const MOST_ORDERS = 1000;

export const ROWS = 50;
export const CARDS = 20;

/** The store that is looked into; days begin where it is. */
export interface Place {
  id: string;
  timezone: string;
}

/** A page of what the owner asked for, newest first, as the bytes that are sent. */
export async function findOrders(db: Queryable, paging: Paging, place: Place, query: OrderPageQuery) {
  const window = windowOf(db, paging, place, query, await resolved(db, place.id, query), ROWS);
  return pageOf(db, window, queries.page(db.dialect, place.id, window, false, false));
}

/** A page of the orders of one customer, newest first. */
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

/** The statement of a page, for those who want to see its plan. */
export async function foundStatement(db: Queryable, paging: Paging, place: Place, query: OrderPageQuery) {
  const window = windowOf(db, paging, place, query, await resolved(db, place.id, query), ROWS);
  return queries.page(db.dialect, place.id, window, false, false);
}

/** All that the owner asked for as bytes to be written, newest first, in constant memory. */
export const exportFound = (db: Queryable, paging: Paging, place: Place, query: OrderPageQuery, format: ExportFormat) =>
  written(pieces(db, paging, place, query), format);

async function* pieces(db: Queryable, paging: Paging, place: Place, query: OrderPageQuery) {
  // Searched once for the whole file: what a search finds may change while the file is written.
  const found = await resolved(db, place.id, query);
  for (let cursor = query.cursor; ; ) {
    const window = windowOf(db, paging, place, { ...query, ...(cursor && { cursor }) }, found, PAGE);
    const { rows, page } = await queries.pageRows(db, place.id, window);
    if (rows.length) yield rows;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The statuses that a query names, and the numbers of the orders that its text finds. */
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
  // Orders by source have an index of their own, but none that joins it with a status, nor one of those of the API.
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

/** The numbers of the orders that a text may mean: number, external id, or the customer's name or phone. */
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
 * The newest orders of a stage. Each of its statuses has an index, all of them together have none: a page of each is
 * read and the newest of these are shown. The cursor is a place in time, so it goes on in every one of them.
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
  // One after another: a request takes one connection at a time, however many statuses there are.
  for (const window of windows) pages.push(await queries.pageRows(db, place.id, window));
  const newest = pages.flatMap(({ rows }) => rows).sort((a, b) => b.at - a.at || Number(b.tie) - Number(a.tie));
  const [last, first] = [newest[CARDS - 1], windows[0]];
  const hasMore = newest.length > CARDS || pages.some(({ page }) => page.hasMore);
  return {
    data: newest.slice(0, CARDS).map(({ body }) => JSON.parse(body.toString())),
    page: { hasMore, nextCursor: hasMore && last && first ? first.cursorOf(last) : null },
  };
}
