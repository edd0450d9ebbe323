import type { Queryable, Transaction } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { all, join, plannedEachTime, type Sql, sql } from '../../db/sql.ts';
import { BLOCK_SIZE, blockOf, PREFIX_LENGTH, prefixOf, type SearchQuery } from '../write/search-terms.ts';

interface Range {
  /** Excluded, like `below`. */
  above: number;
  below: number;
  limit: number;
}

interface Engine {
  startsWith(term: string): string;
  operators: { and: string; or: string };
  match(storeId: string, expression: string, range: Range): Sql;
  /** The orders of `numbers` that match, read by their numbers, without the index. */
  matchAmong(storeId: string, numbers: readonly number[], query: SearchQuery, expression: string, limit: number): Sql;
}

/** The number of the store and that of the order, so that a store is one range, sorted by age. */
const rowId = (storeId: string, number: number) =>
  sql`(select number from order_search_stores where store_id = ${storeId}) * 4294967296 + cast(${number} as integer)`;

const engines: Record<Dialect['engine'], Engine> = {
  sqlite: {
    startsWith: (term) => `"${term}" *`,
    operators: { and: ' AND ', or: ' OR ' },
    match: (storeId, expression, { above, below, limit }) =>
      sql`with s as materialized (
            select number * 4294967296 as first from order_search_stores where store_id = ${storeId})
          select rowid & 4294967295 as number from order_search where order_search match ${expression}
            and rowid > (select first + cast(${above} as integer) from s)
            and rowid < (select first + cast(${below} as integer) from s)
          order by rowid desc limit ${limit}`,
    matchAmong(storeId, numbers, query, _, limit) {
      const hasTerm = (term: string) => sql`instr(' ' || c0, ' ' || substr(c0, 1, ${PREFIX_LENGTH}) || ${term}) > 0`;
      const anyOf = (conditions: Sql[]) => sql`(${join(conditions, ' or ')})`;
      return sql`select id & 4294967295 as number from order_search_content
          where id in (select ${rowId(storeId, 0)} + value from json_each(${JSON.stringify(numbers)}))
            and ${anyOf(query.map((words) => all(words.map((spellings) => anyOf(spellings.map(hasTerm))))))}
          order by id desc limit ${limit}`;
    },
  },
  postgres: {
    startsWith: (term) => `'${term}':*`,
    operators: { and: ' & ', or: ' | ' },
    // As an expression, the number offers no index: the planner would walk along the orders instead of the terms.
    match: (storeId, expression, { above, below, limit }) =>
      sql`select number from order_search where store_id = ${storeId} and terms @@ ${expression}::tsquery
            and number + 0 > ${above} and number + 0 < ${below}
          order by number + 0 desc limit ${limit}`,
    // As a function, because the operator would look up all words in the index.
    matchAmong: (storeId, numbers, _, expression, limit) =>
      sql`select number from order_search
          where store_id = ${storeId} and number = any(${numbers}::bigint[]) and ts_match_vq(terms, ${expression}::tsquery)
          order by number desc limit ${limit}`,
  },
};

/** Terms consist of letters and digits, so they need no escaping. */
function expressionOf({ startsWith, operators: { and, or } }: Engine, prefixes: string[], query: SearchQuery): string {
  const anyOf = (texts: readonly string[]) => `(${texts.join(or)})`;
  return anyOf(
    prefixes.flatMap((prefix) =>
      query.map((words) => {
        const all = words.map((spellings) => anyOf(spellings.map((term) => startsWith(prefix + term))));
        return anyOf([all.join(and)]);
      }),
    ),
  );
}

/** The statement for the numbers of the orders of these blocks that match, newest first. */
export function matchStatement(
  dialect: Dialect,
  storeId: string,
  blocks: readonly number[],
  query: SearchQuery,
  range: Range,
): Sql {
  const engine = engines[dialect.engine];
  const prefixes = blocks.map((block) => prefixOf(storeId, block));
  return engine.match(storeId, expressionOf(engine, prefixes, query), range);
}

export const match = (db: Queryable, storeId: string, blocks: readonly number[], query: SearchQuery, range: Range) =>
  // A generic plan would read all orders of a large store beside many small ones.
  db.all<{ number: number }>(plannedEachTime(matchStatement(db.dialect, storeId, blocks, query, range)));

/** How many orders of a block have a word, in one of its spellings. */
export async function countMatches(
  db: Queryable,
  storeId: string,
  block: number,
  spellings: string[],
  range: Omit<Range, 'limit'>,
) {
  const matches = matchStatement(db.dialect, storeId, [block], [[spellings]], { ...range, limit: BLOCK_SIZE });
  const found = await db.one<{ count: number }>(
    plannedEachTime(sql`select count(*) as count from (${matches}) matches`),
  );
  return found?.count ?? 0;
}

/** Which of these orders match, newest first. */
export async function matchAmong(
  db: Queryable,
  storeId: string,
  numbers: readonly number[],
  query: SearchQuery,
  limit: number,
) {
  const engine = engines[db.dialect.engine];
  const prefixes = [...new Set(numbers.map(blockOf))].map((block) => prefixOf(storeId, block));
  const expression = expressionOf(engine, prefixes, query);
  const found = await db.all<{ number: number }>(engine.matchAmong(storeId, numbers, query, expression, limit));
  return found.map(({ number }) => number);
}

/** On SQLite a store needs a number, which makes the row ids of its orders one range of the index. */
export async function addStore(tx: Transaction, storeId: string) {
  if (tx.dialect.engine === 'sqlite') await tx.run(sql`insert into order_search_stores (store_id) values (${storeId})`);
}
