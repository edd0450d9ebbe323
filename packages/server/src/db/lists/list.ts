import type { SortOrder } from '@store-sales/contract';
import { parseInstant } from '../../time/instant.ts';
import type { Queryable } from '../database.ts';
import { all, empty, raw, type Sql, sql } from '../sql.ts';
import type { CursorScope, Cursors } from './cursor.ts';

/** The query parameters of every paged list. */
export interface ListQuery {
  'filter[createdAt][from]'?: string;
  'filter[createdAt][to]'?: string;
  'filter[updatedAt][from]'?: string;
  'filter[updatedAt][to]'?: string;
  order?: SortOrder;
  cursor?: string;
  limit?: number;
}

/** The services that every paged list needs. */
export interface Paging {
  cursors: Cursors;
  /** See SEARCH_LIMIT; a test sets it low. */
  searchLimit: number;
}

/** A synchronized table: it has store_id, created_at, updated_at, seq and a tie-breaker for created_at. */
export interface ListSource {
  table: string;
  /** Unique in the store; follows created_at in the indexes. */
  createdTie: string;
  /** A subquery with alias `t` to read instead of the whole table. */
  rows?: Sql;
  /** Sorts by this column, which an index has between the store and the tie-breaker, instead of a time. */
  sort?: ColumnSort | undefined;
  /** In this order a client can follow the list: each page has a cursor for what changes after it. */
  syncOrder?: SortOrder;
}

export interface ColumnSort {
  column: 'name_key' | 'price' | 'total_amount' | 'stock';
  ascending: boolean;
}

/** The SQL fragments of one page. The table has the alias `t`. */
export interface Window {
  /** The FROM clause, with the table as `t`. */
  from: Sql;
  where: Sql;
  orderBy: Sql;
  /** The page size plus one, to detect whether there is a next page. */
  take: number;
  limit: number;
  /** The limit as an SQL fragment. */
  rows: Sql;
  /** Columns of the cursor, to be selected unchanged. */
  keys: Sql;
  /** The same order, by the column names of `keys`. */
  keyOrder: Sql;
  /**
   * The key of the last record that a bounded search scans, as an expression for the page's own statement: a second
   * statement would read another snapshot, and records in between could be skipped.
   */
  searchEnd: Sql | undefined;
  /** Whether `at` of a key is a text. */
  isText: boolean;
  isAscending: boolean;
  cursorOf(row: Key): string;
  /** Undefined if the page needs no cursor for what changes after it. */
  sync: { cursorOf(row: Key): string /** Where the page begins. */; start: Key } | undefined;
}

export interface Key {
  /** In a list that is sorted by a text, that text. */
  at: number;
  tie: number | string;
}

/**
 * Maximum records scanned for one page when a filter has no index in common with the sort. The page may then have fewer
 * records than requested, and its cursor continues where the scan ended, so the cost of a page is bounded.
 */
export const SEARCH_LIMIT = 5000;

/**
 * Common limits are literals in the SQL text, so that the engines can plan for them: with a parameter, SQLite builds an
 * automatic index and takes 2.5 times as long for a page of 50. Others are parameters, to bound the number of statements.
 */
const literalLimits = new Map([10, 20, 25, 50, 60, 100].map((limit) => [limit, raw(String(limit))]));

/** Cached SQL fragments that depend only on table and sort. */
const sorts = new Map<string, Sort>();
type Sort = ReturnType<typeof fragments> & { sorted: 'updated' | 'created' | undefined };

function sortOf(createdTie: string, order: SortOrder): Sort {
  const sorted = order.startsWith('updatedAt') ? 'updated' : 'created';
  const tie = sorted === 'updated' ? 'seq' : createdTie;
  return { sorted, ...fragments(`${sorted}_at`, tie, order.endsWith(':asc')) };
}

const columnSort = (tie: string, { column, ascending }: ColumnSort): Sort => ({
  sorted: undefined,
  ...fragments(column, tie, ascending),
});
/** Part of the cursor's scope, which names an order of the API otherwise. */
const orderOf = ({ column, ascending }: ColumnSort) => `${column}:${ascending ? 'asc' : 'desc'}` as SortOrder;

function fragments(column: string, tieColumn: string, ascending: boolean) {
  const at = raw(`t.${column}`);
  const tie = raw(`t.${tieColumn}`);
  const direction = raw(ascending ? 'asc' : 'desc');
  return {
    isAscending: ascending,
    orderBy: sql`${at} ${direction}, ${tie} ${direction}`,
    keyOrder: sql`at ${direction}, tie ${direction}`,
    keyText: sql`${at} || ' ' || ${tie}`,
    keys: sql`${at} as at, ${tie} as tie`,
    isAfter: raw(`(t.${column}, t.${tieColumn}) ${ascending ? '>' : '<'}`),
  };
}

/**
 * Maps the parameters of a list to one range of one index. `updatedAt` sorts by (updated_at, seq): within a store both
 * increase in commit order, so paging never misses a change. `equal` are conditions that an index supports, `unindexed`
 * those that none does.
 */
export function listWindow(
  { cursors, searchLimit }: Paging,
  { table, createdTie, rows, sort: byColumn, syncOrder }: ListSource,
  storeId: string,
  query: ListQuery,
  equal: readonly Sql[] = [],
  unindexed: readonly Sql[] = [],
): Window {
  const order = byColumn ? orderOf(byColumn) : (query.order ?? 'createdAt:desc');
  const limit = query.limit ?? 50;
  const scope: CursorScope = { resource: table, storeId, order, filters: filtersOf(query) };
  const name = `${table} ${createdTie} ${order}`;
  const sort = sorts.get(name) ?? (byColumn ? columnSort(createdTie, byColumn) : sortOf(createdTie, order));
  sorts.set(name, sort);
  const { sorted, isAscending, orderBy, keyOrder, keyText, keys, isAfter } = sort;

  const range = ranges(query);
  const indexed = [sql`t.store_id = ${storeId}`, ...equal, ...(sorted ? range[sorted] : [])];
  const [startAt, startTie] = query.cursor ? cursors.read(scope, query.cursor) : [0, 0];
  if (query.cursor) indexed.push(sql`${isAfter} (${startAt}, ${startTie})`);
  const others = (['created', 'updated'] as const).filter((time) => time !== sorted);
  const filters = [...others.flatMap((time) => range[time]), ...unindexed];
  const source = rows ?? raw(`${table} t`);
  const { filters: _, ...unfiltered } = scope;
  const cursorOf = (row: Key) => cursors.write(unfiltered, [row.at, row.tie]);
  const sync =
    order === syncOrder
      ? { cursorOf: (row: Key) => cursors.write(scope, [row.at, row.tie]), start: { at: startAt, tie: startTie } }
      : undefined;
  const isText = byColumn?.column === 'name_key';
  const rowsText = literalLimits.get(limit) ?? sql`${limit}`;
  const shared = {
    orderBy,
    keyOrder,
    take: limit + 1,
    limit,
    rows: rowsText,
    keys,
    isText,
    isAscending,
    cursorOf,
    sync,
  };
  if (!filters.length) return { from: source, where: all(indexed), searchEnd: undefined, ...shared };
  const search = sql`from ${source} where ${all(indexed)} order by ${orderBy}`;
  return {
    ...shared,
    from: sql`(select t.* ${search} limit ${raw(String(searchLimit))}) t`,
    where: all(filters),
    searchEnd: sql`(select ${keyText} ${search} limit 1 offset ${raw(String(searchLimit - 1))})`,
  };
}

/**
 * Bounds on both times. updated_at is never before created_at, so a bound on one often bounds the other, and the scan
 * then starts near the first match.
 */
function ranges(query: ListQuery): { created: Sql[]; updated: Sql[] } {
  const createdFrom = bound(query['filter[createdAt][from]'], 'up');
  const createdTo = bound(query['filter[createdAt][to]'], 'down');
  const updatedFrom = bound(query['filter[updatedAt][from]'], 'up');
  const updatedTo = bound(query['filter[updatedAt][to]'], 'down');
  const byUpdate = query.order?.startsWith('updatedAt');
  const within = (column: string, from: number | undefined, to: number | undefined) => [
    ...(from === undefined ? [] : [sql`${raw(column)} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${raw(column)} <= ${to}`]),
  ];
  return {
    created: within('t.created_at', createdFrom, byUpdate ? createdTo : least(createdTo, updatedTo)),
    updated: within('t.updated_at', byUpdate ? greatest(updatedFrom, createdFrom) : updatedFrom, updatedTo),
  };
}

const bound = (text: string | undefined, round: 'up' | 'down') =>
  text === undefined ? undefined : parseInstant(text, round);
const least = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);
const greatest = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);

export interface Next {
  nextCursor: string | null;
  hasMore: boolean;
  syncCursor?: string;
}

/** The filters as they were sent, in any order; those of a map, too. */
const filtersOf = (query: ListQuery) =>
  JSON.stringify(
    sortedEntries(Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith('filter[')))),
  );

const sortedEntries = (values: object): [string, unknown][] =>
  Object.entries(values)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'object' && value !== null ? sortedEntries(value) : value]);

/**
 * The cursors of a page: `next` is its last record if more follow, else a bounded scan may have ended somewhere, else the
 * list ends. `last` is the last record in any case, for a list that is followed.
 */
export function pageAfter(
  window: Window,
  next: Key | undefined,
  searchEnd: string | null = null,
  last: Key | undefined = next,
): Next {
  const end = next ?? (searchEnd === null ? undefined : keyOf(searchEnd, window.isText));
  const page = end ? { nextCursor: window.cursorOf(end), hasMore: true } : { nextCursor: null, hasMore: false };
  const { sync } = window;
  return sync ? { ...page, syncCursor: sync.cursorOf(end ?? last ?? sync.start) } : page;
}

function keyOf(text: string, isText: boolean): Key {
  // A name may contain spaces, a tie-breaker does not.
  const end = text.lastIndexOf(' ');
  const [at, tie] = [text.slice(0, end), text.slice(end + 1)];
  return { at: isText ? (at as unknown as number) : Number(at), tie: /^\d+$/.test(tie) ? Number(tie) : tie };
}

/**
 * Reads the records of a page and its next cursor in one statement. `columns` may use tables of `joins`; `shared` are
 * common table expressions for both.
 */
export async function readPage<Row extends Key>(
  db: Queryable,
  window: Window,
  { columns, joins = empty, shared }: { columns: Sql; joins?: Sql; shared?: Sql },
): Promise<{ rows: Row[]; page: Next }> {
  const { from, where, orderBy, take, limit, keys, keyOrder, searchEnd } = window;
  const select = sql`select ${keys}, ${columns} from ${from} ${joins} where ${where} order by ${orderBy} limit ${take}`;
  if (!searchEnd) {
    const found = await db.all<Row>(shared ? sql`with ${shared} ${select}` : select);
    return { rows: found.slice(0, limit), page: pageAfter(window, nextOf(found, limit)) };
  }
  // The left join returns a row with search_end even for an empty page.
  const found = await db.all<Row & { at: number | null; search_end: string | null }>(
    sql`with ${shared ? sql`${shared}, ` : empty}page as materialized (${select})
        select page.*, case when (select count(*) from page) <= ${limit} then ${searchEnd} end as search_end
        from (select 1 as one) always left join page on true order by ${keyOrder}`,
  );
  const records = found.filter(({ at }) => at !== null);
  const page = pageAfter(window, nextOf(records, limit), found[0]?.search_end);
  return { rows: records.slice(0, limit), page };
}

/** The last record of the page if there are more. */
const nextOf = <Row>(found: readonly Row[], limit: number) => (found.length > limit ? found[limit - 1] : undefined);

/** Reads a page whose records are mapped in JavaScript. */
export async function listPage<Row extends Key, View>(
  db: Queryable,
  window: Window,
  statement: { columns: Sql; joins?: Sql },
  toView: (row: Row) => View,
) {
  const { rows, page } = await readPage<Row>(db, window, statement);
  return { data: rows.map(toView), page };
}
