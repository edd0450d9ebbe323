import type { Queryable } from '../db/database.ts';
import type { ListQuery } from '../db/lists/list.ts';
import type { Services } from '../services.ts';

/** Filters by the time that is not the sort key: thousands of rows may be scanned (`SEARCH_LIMIT`). */
const isBoundedSearch = (query: ListQuery) => {
  const other = query.order?.startsWith('updatedAt') ? 'createdAt' : 'updatedAt';
  return query[`filter[${other}][from]`] !== undefined || query[`filter[${other}][to]`] !== undefined;
};

export interface PageCall {
  caller: { store_id: string };
  query: ListQuery;
  isGone(): boolean;
  check(): Promise<void>;
}

/**
 * Reads a page of a list within the limits of its store. Slow and large pages use a connection of the pool, and never those
 * that all stores share.
 */
export async function readPage(
  { db, limit }: Pick<Services, 'db' | 'limit'>,
  { caller: { store_id: storeId }, query, isGone, check }: PageCall,
  read: (source: Queryable) => Promise<Buffer>,
  {
    /** Its records have lists of their own. */
    isLarge = false,
    /** Thousands of rows may be scanned for other filters, too. */
    isSearch = false,
  } = {},
): Promise<Buffer> {
  const options = { isGone, check: () => check() };
  if (isLarge) return limit('largeRead', storeId, () => limit('slowRead', storeId, () => read(db)), options);
  if (isSearch || isBoundedSearch(query)) return limit('slowRead', storeId, () => read(db), options);
  return limit('fastRead', storeId, () => read(db.fastReads), options);
}
