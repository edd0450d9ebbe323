import type { Queryable } from '../queryable.ts';
import { plannedEachTime, raw, type Sql, sql } from '../sql.ts';

/**
 * For filters that have an index, but none together with the sort order of their list: if few rows fit, these are read and
 * sorted; otherwise all rows in the order of the list, where those that fit are not far from each other.
 */

/** Whether a selection, which is a FROM clause, has at most so many rows. */
export async function isAtMost(db: Queryable, rows: Sql, limit: number) {
  const some = sql`select 1 as one ${rows} limit ${raw(String(limit + 1))}`;
  const found = await db.one<{ count: number }>(plannedEachTime(sql`select count(*) as count from (${some}) counted`));
  return (found?.count ?? 0) <= limit;
}

/** These rows as a subquery in place of the table. The limit keeps the engine from flattening it. */
export const allOf = (selection: Sql, limit: number) => sql`(select t.* ${selection} limit ${raw(String(limit))}) t`;
