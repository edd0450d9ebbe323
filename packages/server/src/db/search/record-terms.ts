import { setImmediate as nextIteration } from 'node:timers/promises';
import type { SearchQuery } from '../../text/search-terms.ts';
import type { Dialect } from '../dialect.ts';
import type { Queryable, Transaction } from '../queryable.ts';
import { all, empty, join, plannedEachTime, raw, type Sql, sql } from '../sql.ts';

/** The tables of what records are found by: a row for each term of a record. See docs/decisions/record-search.md. */
export const termTables = { products: 'product_terms', customers: 'customer_terms' } as const;
export type Searched = keyof typeof termTables;

/** Sorts after all other characters. */
const LAST = '\u{10FFFF}';
/** Maximum terms of one statement. On SQLite, which runs in this thread, that takes about 3 ms with eight words. */
const SLICE_SIZE = 500;
/** Maximum terms read for one search. */
const MAX_TERMS_READ = 10_000;
/** Above, a word is common. */
const MAX_COUNT = 1000;

/** One range of an index, because terms are compared byte by byte. */
export const startsWith = (term: Sql, start: string) => sql`${term} >= ${start} and ${term} < ${start + LAST}`;

/**
 * The ids of at most `limit` records that match. The cost does not depend on the number of records: of several words the
 * rarest is looked up, and the others are checked in the terms of each record that it finds. A search for common words
 * alone looks at the first of their records only.
 */
export async function findByTerms(
  db: Queryable,
  records: Searched,
  storeId: string,
  query: SearchQuery,
  limit: number,
): Promise<string[]> {
  const found = new Set<string>();
  let left = MAX_TERMS_READ;
  for (const words of query) {
    const [rarest, ...others] = await rarestFirst(db, records, storeId, words);
    for (const start of rarest ?? [])
      for (let last: TermRow | undefined; found.size < limit && left > 0; ) {
        const rows = await db.all<TermRow>(plannedEachTime(sliceStatement(records, storeId, start, others, last)));
        for (const { id, is_match } of rows) if (is_match && found.size < limit) found.add(id);
        left -= rows.length;
        await nextIteration();
        last = rows.at(-1);
        if (rows.length < SLICE_SIZE) break;
      }
  }
  return [...found];
}

interface TermRow {
  term: string;
  id: string;
  is_match: number;
}

/** The next terms with this start, each with whether its record has the other words too. */
export function sliceStatement(
  records: Searched,
  storeId: string,
  start: string,
  others: readonly string[][],
  after?: Pick<TermRow, 'term' | 'id'>,
): Sql {
  const table = raw(termTables[records]);
  // A scalar for each row, and an expression that no index has: otherwise PostgreSQL, without statistics of the table, may
  // read all records that have a word.
  const hasWord = (spellings: readonly string[]) =>
    sql`(select 1 from ${table} o where o.store_id = ${storeId} and o.record_id = t.record_id and (${join(
      spellings.map((spelling) => startsWith(raw("(o.term || '')"), spelling)),
      ' or ',
    )}) limit 1) = 1`;
  const isMatch = others.length ? sql`case when ${all(others.map(hasWord))} then 1 else 0 end` : sql`1`;
  const position = after ? sql`and (t.term, t.record_id) > (${after.term}, ${after.id})` : empty;
  return sql`select t.term, t.record_id as id, ${isMatch} as is_match from ${table} t
             where t.store_id = ${storeId} and ${startsWith(raw('t.term'), start)} ${position}
             order by t.term, t.record_id limit ${raw(String(SLICE_SIZE))}`;
}

/** No words if one of them is in no record. */
async function rarestFirst(db: Queryable, records: Searched, storeId: string, words: readonly string[][]) {
  if (words.length === 1) return words;
  const counted: { spellings: string[]; count: number }[] = [];
  for (const spellings of words) {
    let count = 0;
    for (const start of spellings) count += await countTerms(db, records, storeId, start);
    if (!count) return [];
    counted.push({ spellings, count });
    await nextIteration();
  }
  return counted.sort((a, b) => a.count - b.count).map(({ spellings }) => spellings);
}

async function countTerms(db: Queryable, records: Searched, storeId: string, start: string) {
  const found = await db.one<{ count: number }>(
    plannedEachTime(
      sql`select count(*) as count from (
            select 1 from ${raw(termTables[records])} t where t.store_id = ${storeId} and ${startsWith(raw('t.term'), start)}
            order by t.term, t.record_id limit ${raw(String(MAX_COUNT))}) terms`,
    ),
  );
  return Number(found?.count);
}

/** The first term with each start, if there is one. */
export async function firstTerms(
  db: Queryable,
  records: Searched,
  storeId: string,
  starts: readonly string[],
): Promise<string[]> {
  const ranges = starts.map((start) => ({ first: start, last: start + LAST }));
  const found = await db.all<{ term: string | null }>(
    plannedEachTime(
      sql`select (select t.term from ${raw(termTables[records])} t
                  where t.store_id = ${storeId} and t.term >= v.first and t.term < v.last order by t.term limit 1) as term
          from ${db.dialect.records('v', { first: 'text', last: 'text' }, ranges)}`,
    ),
  );
  return [...new Set(found.flatMap(({ term }) => term ?? []))];
}

/** The terms of a record before and after a change; a new one had none. */
export interface TermChange {
  id: string;
  before: readonly string[];
  after: readonly string[];
}

/** Writes what differs: most changes of a record leave its terms as they are. */
export async function writeTerms(tx: Transaction, records: Searched, storeId: string, changes: readonly TermChange[]) {
  const table = raw(termTables[records]);
  const missing = (here: 'before' | 'after', there: 'before' | 'after') =>
    changes.flatMap((change) => {
      const known = new Set(change[there]);
      return change[here].filter((term) => !known.has(term)).map((term) => ({ record_id: change.id, term }));
    });
  await inSlices(tx, missing('before', 'after'), (removed) =>
    plannedEachTime(sql`delete from ${table} where store_id = ${storeId}
        and (record_id, term) in (
          select v.record_id, v.term from ${tx.dialect.records('v', { record_id: 'uuid', term: 'text' }, removed)})`),
  );
  const rows = missing('after', 'before').map((row) => ({ store_id: storeId, ...row }));
  await inSlices(tx, rows, (added) => termRows(records).insert(tx.dialect, added));
}

/** Terms of records; that a record has one already does no harm. */
export const termRows = <Records extends Searched>(records: Records) => ({
  name: termTables[records],
  insert: (dialect: Dialect, rows: readonly { store_id: string; record_id: string; term: string }[]): Sql =>
    sql`insert into ${raw(termTables[records])} (store_id, record_id, term)
        ${dialect.newRows({ store_id: 'uuid', record_id: 'uuid', term: 'text' }, rows)} on conflict do nothing`,
});

/** SQLite runs in this thread. */
async function inSlices<Row>(tx: Transaction, rows: readonly Row[], statementOf: (slice: readonly Row[]) => Sql) {
  const size = tx.dialect.maxRowsPerStatement;
  for (let start = 0; start < rows.length; start += size) {
    await tx.run(statementOf(rows.slice(start, start + size)));
    if (start + size < rows.length) await nextIteration();
  }
}

export const deleteTerms = (tx: Transaction, records: Searched, storeId: string, id: string) =>
  tx.run(sql`delete from ${raw(termTables[records])} where store_id = ${storeId} and record_id = ${id}`);
