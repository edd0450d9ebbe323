import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Queryable, Sql } from '../../db/database.ts';
import { type ListQuery, listWindow, type Paging, type Window } from '../../db/lists/list.ts';
import * as queries from '../orders.queries.ts';
import { BLOCK_SIZE, blockOf, type SearchQuery, searchQuery } from '../write/search-terms.ts';
import * as find from './find.queries.ts';
import * as search from './search.queries.ts';

/** The cost of checking the words of one order, about 10 µs on SQLite, is 1. See docs/decisions/order-search.md. */
const MAX_COST = 6000;
/** Looking up a spelling of a word in one block, and reading one match of it. */
const LOOKUP_COST = 10;
const ENTRY_COST = 1 / 40;
/** What one statement should cost. */
const STATEMENT_COST = 500;
/** Maximum blocks of one statement. With more, a word that is rare in new blocks and common in old ones takes longer. */
const MAX_BLOCKS = 4;

interface OrderSearch {
  q: string;
  list: ListQuery & { limit: number };
  days: { from: number | undefined; to: number | undefined };
  /** Further conditions. */
  equal: readonly Sql[];
}

/**
 * A page of the orders that match a text, newest first. The cost of a page is bounded: where few of the matches fulfil
 * the other conditions, the page may have fewer orders than requested, and its cursor continues where the search ended.
 */
export async function searchOrders(
  db: Queryable,
  paging: Paging,
  storeId: string,
  { q, list, days, equal }: OrderSearch,
): Promise<Window> {
  const wanted = list.limit + 1;
  const found = await matchesOf(db, storeId, q, {
    ...(await rangeOf(db, paging, storeId, list.cursor, days)),
    limit: equal.length ? paging.searchLimit : wanted,
  });
  const numbers = equal.length
    ? (await find.newestAmong(db, storeId, found.numbers, equal, wanted)).map(({ number }) => number)
    : found.numbers;
  const source = { ...queries.source, rows: find.byNumbers(db, storeId, numbers) };
  const window = listWindow(paging, source, storeId, list);
  return found.end === undefined ? window : { ...window, searchEnd: find.keyOf(storeId, found.end) };
}

/** The numbers that are possible after the cursor and in the period; `above` and `below` are excluded. */
async function rangeOf(
  db: Queryable,
  { cursors }: Paging,
  storeId: string,
  cursor: string | undefined,
  { from, to }: OrderSearch['days'],
) {
  const scope = { resource: queries.source.table, storeId, order: 'createdAt:desc' } as const;
  const position = cursor === undefined ? undefined : Number(cursors.read(scope, cursor)[1]);
  const below = position ?? (await queries.lastNumber(db, storeId)) + 1;
  if (from === undefined && to === undefined) return { above: 0, below };
  const period = await find.numbersOf(db, storeId, from ?? 0, to ?? Number.MAX_SAFE_INTEGER);
  return { above: (period?.first ?? below) - 1, below: Math.min(below, (period?.last ?? 0) + 1) };
}

/**
 * The numbers of the newest matches, from the newest block to the oldest. `end` is where the search stopped, if there may
 * be more: all numbers from there on were searched.
 *
 * Both engines read all matches of each word. So of several words only the rarest is looked up in the index; the others
 * are checked in the orders that it finds. A block in which all words are common is searched for all of them.
 */
async function matchesOf(
  db: Queryable,
  storeId: string,
  q: string,
  { above, below, limit }: { above: number; below: number; limit: number },
): Promise<{ numbers: number[]; end?: number }> {
  const query = searchQuery(q);
  const numbers: number[] = [];
  if (!query.length) return { numbers };
  const isOneWord = query.every((words) => words.length === 1);
  const last = blockOf(above + 1);
  let words: WordCounts | undefined;
  let cost = 0;
  for (let block = blockOf(below - 1), count = 1; block >= last; ) {
    if (cost >= MAX_COST) return { numbers, end: (block + 1) * BLOCK_SIZE };
    if (!isOneWord && !words?.rarest) {
      words = await countWords(db, storeId, block, query, { above, below });
      cost += words.cost;
    }
    const blocks = Array.from({ length: Math.min(count, block - last + 1) }, (_, index) => block - index);
    const missing = limit - numbers.length;
    const rarest = words?.rarest;
    const range = { above, below, limit: rarest ? STATEMENT_COST + 1 : missing };
    const found = (await search.match(db, storeId, blocks, rarest ?? query, range)).map(({ number }) => number);
    // SQLite runs in this thread.
    await nextIteration();
    if (rarest && found.length > STATEMENT_COST) {
      // It is common in these blocks.
      cost += blocks.length * BLOCK_SIZE * ENTRY_COST;
      words = undefined;
      count = 1;
      continue;
    }
    const matches = rarest && found.length ? await search.matchAmong(db, storeId, found, query, missing) : found;
    numbers.push(...matches);
    if (matches.length === missing) return { numbers, end: numbers.at(-1) as number };
    const costPerBlock =
      words && !rarest ? words.cost : lookupCost((rarest ?? query).flat()) + found.length / blocks.length;
    cost += costPerBlock * blocks.length;
    block -= blocks.length;
    count = Math.max(1, Math.min(count * 2, MAX_BLOCKS, Math.floor(STATEMENT_COST / costPerBlock)));
  }
  return { numbers };
}

const lookupCost = (words: readonly string[][]) => words.flat().length * LOOKUP_COST;

interface WordCounts {
  /** The rarest word of each alternative; undefined if they are in too many orders to check each. */
  rarest: SearchQuery | undefined;
  /** Of finding all words of the query in a block. */
  cost: number;
}

async function countWords(
  db: Queryable,
  storeId: string,
  block: number,
  query: SearchQuery,
  range: { above: number; below: number },
): Promise<WordCounts> {
  const rarest: SearchQuery = [];
  let [candidates, cost] = [0, 0];
  for (const words of query) {
    let [fewest, rarestWord] = [Number.POSITIVE_INFINITY, words[0] as string[]];
    for (const word of words) {
      const count = await search.countMatches(db, storeId, block, word, range);
      if (count < fewest) [fewest, rarestWord] = [count, word];
      cost += lookupCost([word]) + count * ENTRY_COST;
    }
    rarest.push([rarestWord]);
    candidates += fewest;
  }
  return { rarest: candidates > STATEMENT_COST ? undefined : rarest, cost };
}
