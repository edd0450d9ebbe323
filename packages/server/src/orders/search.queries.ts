import type { Queryable, RowsStatement, Transaction } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { preparedTemplate } from '../db/prepared-template.ts';
import { all, join, plannedEachTime, type Sql, sql } from '../db/sql.ts';
import type { DocumentParts } from './document.ts';
import type { SearchQuery } from './search-terms.ts';

/**
 * Orders per block. A term begins with its store and block, so a lookup in one block visits at most this many orders,
 * however common the word, and no other store's.
 */
export const BLOCK_SIZE = 8192;

export const blockOf = (number: number) => Math.floor(number / BLOCK_SIZE);

const PREFIX_LENGTH = 7;

/** Of a fixed length. Stores with the same ending of their ids share terms, but never rows. */
const prefixOf = (storeId: string, block: number) => storeId.slice(-4) + block.toString(36).padStart(3, '0');

interface Range {
  /** Excluded, like `below`. */
  above: number;
  below: number;
  limit: number;
}

interface Engine {
  put(tx: Transaction, storeId: string, number: number, terms: readonly string[]): void;
  /** Selects a row if the order has these terms already. */
  has(storeId: string, number: number, terms: readonly string[]): Sql;
  startsWith(term: string): string;
  operators: { and: string; or: string };
  match(storeId: string, expression: string, range: Range): Sql;
  /** The orders of `numbers` that match, read by their numbers, without the index. */
  matchAmong(storeId: string, numbers: readonly number[], query: SearchQuery, expression: string, limit: number): Sql;
}

/** The number of the store and that of the order, so that a store is one range, sorted by age. */
const rowId = (storeId: string, number: number) =>
  sql`(select number from order_search_stores where store_id = ${storeId}) * 4294967296 + cast(${number} as integer)`;

/** Not from a select, for which FTS5 would write its index to the database each time. */
const putSqlite = preparedTemplate(
  (_, storeId: string, number: number, terms: string) =>
    sql`insert or replace into order_search (rowid, terms)
        values ((select number from order_search_stores where store_id = ${storeId}) * 4294967296
          + cast(${number} as integer), ${terms})`,
);

/** On PostgreSQL. */
const termRows: RowsStatement<{ store_id: string; number: number; terms: readonly string[] }> = {
  few: (_, [row]) =>
    sql`insert into order_search (store_id, number, terms)
        values (${row?.store_id}, ${row?.number}, array_to_tsvector(${row?.terms}::text[]))
        on conflict (store_id, number) do update set terms = excluded.terms`,
  // An array of arrays would need rows of one length; no term contains a space.
  many: (dialect, rows) =>
    sql`insert into order_search (store_id, number, terms)
        select x.store_id, x.number, array_to_tsvector(string_to_array(x.terms, ' '))
        from ${dialect.records(
          'x',
          { store_id: 'uuid', number: 'integer', terms: 'text' },
          rows.map((row) => ({ ...row, terms: row.terms.join(' ') })),
        )}
        on conflict (store_id, number) do update set terms = excluded.terms`,
};

const engines: Record<Dialect['engine'], Engine> = {
  sqlite: {
    put(tx, storeId, number, terms) {
      tx.send(sql`insert or ignore into order_search_stores (store_id) values (${storeId})`);
      tx.sendLast(putSqlite(tx.dialect, storeId, number, terms.join(' ')));
    },
    // From the table that FTS5 stores the texts in: reading the index would flush it too.
    has: (storeId, number, terms) =>
      sql`select 1 as one from order_search_content
          where id = ${rowId(storeId, number)} and c0 = ${terms.join(' ')}`,
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
    put: (tx, storeId, number, terms) => tx.sendRows(termRows, [{ store_id: storeId, number, terms }]),
    has: (storeId, number, terms) =>
      sql`select 1 as one from order_search
          where store_id = ${storeId} and number = ${number} and terms = array_to_tsvector(${terms}::text[])`,
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

const prefixed = (storeId: string, number: number, terms: readonly string[]) => {
  const prefix = prefixOf(storeId, blockOf(number));
  return terms.map((term) => prefix + term);
};

export const putTerms = (tx: Transaction, storeId: string, number: number, terms: readonly string[]) =>
  engines[tx.dialect.engine].put(tx, storeId, number, prefixed(storeId, number, terms));

export const hasTerms = async (tx: Transaction, storeId: string, number: number, terms: readonly string[]) =>
  (await tx.one(engines[tx.dialect.engine].has(storeId, number, prefixed(storeId, number, terms)))) !== undefined;

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

export interface Position {
  updated_at: number;
  seq: number;
}

/** The stores with changes since they were last indexed, of orders or of other records. */
export const changedStores = (db: Queryable) =>
  db.all<{ store_id: string }>(
    sql`select c.store_id from store_clocks c left join order_search_stores p on p.store_id = c.store_id
        where c.seq > coalesce(p.seq, 0)`,
  );

/** Locks the position up to which the changes of a store are indexed; never later than the store's clock. */
export async function lockPosition(tx: Transaction, storeId: string): Promise<Position> {
  await tx.run(sql`insert into order_search_stores (store_id) values (${storeId}) on conflict (store_id) do nothing`);
  const found = await tx.one<Position & { ts: number }>(
    sql`select p.updated_at, p.seq, (select ts from store_clocks where store_id = ${storeId}) as ts
        from order_search_stores p where p.store_id = ${storeId} ${tx.dialect.forUpdate}`,
  );
  if (!found) throw new Error(`store ${storeId} has no position`);
  // The clock was ahead and has been set back.
  return found.updated_at > found.ts ? { updated_at: found.ts, seq: 0 } : found;
}

export const savePosition = (tx: Transaction, storeId: string, { updated_at, seq }: Position) =>
  tx.run(sql`update order_search_stores set updated_at = ${updated_at}, seq = ${seq} where store_id = ${storeId}`);

/** The next changed orders, locked so that no concurrent change is overwritten by earlier terms. */
export const changedOrders = (tx: Transaction, storeId: string, { updated_at, seq }: Position, limit: number) =>
  tx.all<Position & DocumentParts & { items: string }>(
    sql`select updated_at, seq, document_head, document, document_tail, items from orders
        where store_id = ${storeId} and (updated_at, seq) > (${updated_at}, ${seq})
        order by updated_at, seq limit ${limit} ${tx.dialect.forNoKeyUpdate}`,
  );
