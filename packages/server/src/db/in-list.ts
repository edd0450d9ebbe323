import type { Queryable } from './database.ts';
import { raw, type Sql, sql } from './sql.ts';

/**
 * A list for `in`. The SQL text does not depend on the number of values, so the statement is prepared once. Long lists, as in
 * an import, need `plannedEachTime`: a plan that PostgreSQL keeps from when the table was small took 18 s for a batch.
 */
export const inList = (db: Queryable, values: readonly string[], kind: 'text' | 'uuid' = 'text') =>
  sql`(select wanted from ${db.dialect.records(
    'w',
    { wanted: kind },
    values.map((wanted) => ({ wanted })),
  )})`;

/**
 * A subquery with alias `t` to use instead of the table. The limit prevents the engine from merging it into the outer
 * query.
 */
export const rowsByIds = (db: Queryable, table: string, storeId: string, ids: readonly string[]): Sql =>
  sql`(select r.* from ${raw(table)} r where r.store_id = ${storeId} and r.id in ${inList(db, ids, 'uuid')}
       limit ${ids.length}) t`;
