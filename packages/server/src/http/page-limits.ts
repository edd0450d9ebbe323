import { LRUCache } from 'lru-cache';
import type { Queryable } from '../db/database.ts';
import type { ListQuery } from '../db/lists/list.ts';
import type { Services } from '../services.ts';
import { MINUTE } from '../time/duration.ts';
import type { Kind } from './store-limit.ts';

/** Larger pages occupy their connection and the event loop long enough to delay other stores. */
const LARGE_PAGE_BYTES = 256 * 1024;
/** How long a store is expected to have large pages after one was seen. */
const LARGE_PAGE_TTL_MS = 10 * MINUTE;
/** Maximum number of stores whose page sizes are remembered. */
const MAX_REMEMBERED = 10_000;

/** Filters by the time that is not the sort key: thousands of rows may be scanned (`SEARCH_LIMIT`). */
const isBoundedSearch = (query: ListQuery) => {
  const other = query.order?.startsWith('updatedAt') ? 'createdAt' : 'updatedAt';
  return query[`filter[${other}][from]`] !== undefined || query[`filter[${other}][to]`] !== undefined;
};

export interface PageCall {
  caller: { store_id: string };
  query: ListQuery;
  now: number;
  isGone(): boolean;
  check?(): Promise<void>;
}

/**
 * Reads pages of a list within the limits of their store, by their expected cost. Slow and large pages use a pool
 * connection, and never the connections shared by all requests.
 */
export function pageLimits({ db, limit }: Pick<Services, 'db' | 'limit'>) {
  /** Until when a store's pages of a list are expected to be large. */
  const largeUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  function kindOf(name: string, isSearch: boolean, small: Kind, now: number): Kind {
    const until = largeUntil.get(name);
    // Unknown counts as large: the first burst of a store may consist of its largest pages.
    if (until === undefined || until > now) return 'largeRead';
    return isSearch ? 'slowRead' : small;
  }

  return async function readWithinLimits(
    { caller: { store_id: storeId }, query, now, isGone, check }: PageCall,
    read: (source: Queryable) => Promise<Buffer>,
    {
      /** A list whose pages differ much in size, such as orders with items, has a name for each. */
      list = '',
      small = 'fastRead' as Kind,
      /** Thousands of rows may be scanned for other filters, too. */
      isSearch = false,
    } = {},
  ): Promise<Buffer> {
    const name = `${storeId} ${list}`;
    const kind = kindOf(name, isSearch || isBoundedSearch(query), small, now);
    const source = kind === small ? db.fastReads : db;
    // Large pages count as slow too.
    const work = () => (kind === 'largeRead' ? limit('slowRead', storeId, () => read(source)) : read(source));
    const body = await limit(kind, storeId, work, { isGone, ...(check && { check: () => check() }) });
    if (body.length >= LARGE_PAGE_BYTES) largeUntil.set(name, now + LARGE_PAGE_TTL_MS);
    else if (!largeUntil.has(name)) largeUntil.set(name, now);
    return body;
  };
}
