import type { SortOrder } from '@store-sales/contract';
import { parseInstant } from '../instant.ts';
import type { CursorScope, Cursors } from './cursor.ts';
import type { Queryable } from './database.ts';
import { all, empty, raw, type Sql, sql } from './sql.ts';

/** The query parameters that every paged list shares, as they arrive. */
export interface ListQuery {
  'filter[createdAt][from]'?: string;
  'filter[createdAt][to]'?: string;
  'filter[updatedAt][from]'?: string;
  'filter[updatedAt][to]'?: string;
  order?: SortOrder;
  cursor?: string;
  limit?: number;
}

/** What every paged list needs of the services. */
export interface Paging {
  cursors: Cursors;
  /** See SEARCH_LIMIT; a test sets it low. */
  searchLimit: number;
}

/** A synchronized table: it has store_id, created_at, updated_at, seq and something that breaks ties of creation. */
export interface ListSource {
  table: string;
  /** Unique in the store; follows created_at in the indexes. */
  createdTie: string;
  /** A few rows that were found by other means and stand for the table, called `t`. */
  rows?: Sql;
}

/** A page's worth of one index. The table is called `t` in everything made here. */
export interface Window {
  /** Goes behind `from`; holds the table as `t`. */
  from: Sql;
  where: Sql;
  orderBy: Sql;
  /** One more than the page holds: the last tells whether there is a next page. */
  take: number;
  limit: number;
  /** The limit as a piece of a statement. */
  rows: Sql;
  /** Columns that make the cursor; select them as they are. */
  keys: Sql;
  /** The same order by the names that `keys` gives. */
  keyOrder: Sql;
  /**
   * The key of the last record that a bounded search examines, as an expression for the statement of the page: read in
   * another statement, it would belong to another snapshot, and records between the two would be skipped.
   */
  searchEnd: Sql | undefined;
  cursorOf(row: Key): string;
}

export interface Key {
  at: number;
  tie: number | string;
}

/**
 * Records looked at for one page when the sort is by one time and a filter by the other, or by anything else that
 * shares no index with the sort. So the search follows the sort and stops here: the page may then hold fewer records than asked for, and its
 * cursor goes on from where the search ended. The cost of a page stays bounded whatever the store holds.
 */
export const SEARCH_LIMIT = 5000;

/**
 * A usual limit stands in the text, so that the engines can plan for it: with it as a value a page of 50 takes SQLite
 * 2.5 times as long, for an index that it then makes on the fly. Others are values, or there would be too many texts.
 */
const usual = new Map([10, 20, 25, 50, 100].map((limit) => [limit, raw(String(limit))]));

/** The pieces of a statement that follow from the sort alone, by table and sort. */
const sorts = new Map<string, ReturnType<typeof sortOf>>();
function sortOf(createdTie: string, order: SortOrder) {
  const sorted: 'updated' | 'created' = order.startsWith('updatedAt') ? 'updated' : 'created';
  const ascending = order.endsWith(':asc');
  const at = raw(`t.${sorted}_at`);
  const tie = raw(sorted === 'updated' ? 't.seq' : `t.${createdTie}`);
  const direction = raw(ascending ? 'asc' : 'desc');
  return {
    sorted,
    orderBy: sql`${at} ${direction}, ${tie} ${direction}`,
    keyOrder: sql`at ${direction}, tie ${direction}`,
    keyText: sql`${at} || ' ' || ${tie}`,
    keys: sql`${at} as at, ${tie} as tie`,
    behind: raw(`(t.${sorted}_at, ${tie.parts[0]}) ${ascending ? '>' : '<'}`),
  };
}

/**
 * Turns the parameters of a list into one range of one index. `updatedAt` sorts by (updated_at, seq): within a
 * store both grow together, in the order of commits, so a walk never misses a change. `equal` are conditions that an
 * index serves, `unserved` those that none does.
 */
export function listWindow(
  { cursors, searchLimit }: Paging,
  { table, createdTie, rows }: ListSource,
  storeId: string,
  query: ListQuery,
  equal: readonly Sql[] = [],
  unserved: readonly Sql[] = [],
): Window {
  const order = query.order ?? 'createdAt:desc';
  const limit = query.limit ?? 50;
  const scope: CursorScope = { resource: table, storeId, order };
  const name = `${table} ${createdTie} ${order}`;
  const sort = sorts.get(name) ?? sortOf(createdTie, order);
  sorts.set(name, sort);
  const { sorted, orderBy, keyOrder, keyText, keys, behind } = sort;

  const range = ranges(query);
  const along = [sql`t.store_id = ${storeId}`, ...equal, ...range[sorted]];
  if (query.cursor) {
    const position = cursors.read(scope, query.cursor);
    along.push(sql`${behind} (${position[0]}, ${position[1]})`);
  }
  const across = [...range[sorted === 'updated' ? 'created' : 'updated'], ...unserved];
  const source = rows ?? raw(`${table} t`);
  const cursorOf = (row: Key) => cursors.write(scope, [row.at, row.tie]);
  const rowsText = usual.get(limit) ?? sql`${limit}`;
  const shared = { orderBy, keyOrder, take: limit + 1, limit, rows: rowsText, keys, cursorOf };
  if (!across.length) return { ...shared, from: source, where: all(along), searchEnd: undefined };
  const search = sql`from ${source} where ${all(along)} order by ${orderBy}`;
  return {
    ...shared,
    from: sql`(select t.* ${search} limit ${raw(String(searchLimit))}) t`,
    where: all(across),
    searchEnd: sql`(select ${keyText} ${search} limit 1 offset ${raw(String(searchLimit - 1))})`,
  };
}

/**
 * Bounds on both times. A record is never changed before it is created, so a bound on one time often bounds
 * the other: the sort then starts near the first match.
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
}

/** What follows a page that ends with this record, or with the end of its search, or with the list. */
export function pageAfter(window: Window, last: Key | undefined, searchEnd: string | null = null): Next {
  const end = last ?? (searchEnd === null ? undefined : keyOf(searchEnd));
  return end ? { nextCursor: window.cursorOf(end), hasMore: true } : { nextCursor: null, hasMore: false };
}

function keyOf(text: string): Key {
  const [at = '', tie = ''] = text.split(' ');
  return { at: Number(at), tie: /^\d+$/.test(tie) ? Number(tie) : tie };
}

/**
 * The records of a page and what follows it, in one statement. `columns` may name more tables that `joins` brings in;
 * `shared` are common table expressions that they use.
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
  // An empty page still has a row, for the end of its search.
  const found = await db.all<Row & { at: number | null; search_end: string | null }>(
    sql`with ${shared ? sql`${shared}, ` : empty}page as materialized (${select})
        select page.*, case when (select count(*) from page) <= ${limit} then ${searchEnd} end as search_end
        from (select 1 as one) always left join page on true order by ${keyOrder}`,
  );
  const records = found.filter(({ at }) => at !== null);
  const page = pageAfter(window, nextOf(records, limit), found[0]?.search_end);
  return { rows: records.slice(0, limit), page };
}

/** The last record of the page, where more were found than it holds. */
const nextOf = <Row>(found: readonly Row[], limit: number) => (found.length > limit ? found[limit - 1] : undefined);

/** Runs a list whose records are made in JavaScript. */
export async function listPage<Row extends Key, Shown>(
  db: Queryable,
  window: Window,
  statement: { columns: Sql; joins?: Sql },
  show: (row: Row) => Shown,
) {
  const { rows, page } = await readPage<Row>(db, window, statement);
  return { data: rows.map(show), page };
}
