import type { OrderPageQuery, OrderSort } from '@store-sales/contract/console';
import type { Queryable, Sql } from '../../db/database.ts';
import { allOf, isAtMost } from '../../db/lists/few-rows.ts';
import { type ColumnSort, type ListQuery, listWindow, type Paging, type Window } from '../../db/lists/list.ts';
import * as queries from '../orders.queries.ts';
import * as find from './find.queries.ts';

interface Filtered {
  list: ListQuery;
  days: find.Days;
  filters: find.StatusFilters;
  source: OrderPageQuery['source'];
  /** Conditions that no index by creation serves. */
  unserved: readonly Sql[];
}

export const totalSort = (order: OrderSort | undefined): ColumnSort | undefined =>
  order === 'totalAmount:asc' || order === 'totalAmount:desc'
    ? { column: 'total_amount', ascending: order === 'totalAmount:asc' }
    : undefined;

/**
 * A page sorted by total. No index combines the total with a filter, so if few orders match, all of them are sorted;
 * otherwise a bounded search reads the orders by their total, and finds matches soon because there are many.
 */
export async function windowByTotal(
  db: Queryable,
  paging: Paging,
  storeId: string,
  sort: ColumnSort,
  { list, days, filters, source, unserved }: Filtered,
): Promise<Window> {
  const served = find.servedBy(db.dialect, filters, source, days);
  const { limit, cursor } = list;
  const page = { ...(limit && { limit }), ...(cursor && { cursor }) };
  if (served && (await isAtMost(db, find.selectionOf(storeId, served), paging.searchLimit))) {
    // Twice the limit, because orders may be created after they were counted.
    const matching = { ...served, conditions: [...served.conditions, ...unserved] };
    const rows = allOf(find.selectionOf(storeId, matching), paging.searchLimit * 2);
    return listWindow(paging, { ...queries.source, rows, sort }, storeId, page);
  }
  const unindexed = [...queries.filters(filters), ...unserved];
  return listWindow(paging, { ...queries.source, sort }, storeId, list, [], unindexed);
}
