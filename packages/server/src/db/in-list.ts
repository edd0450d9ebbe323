import type { Queryable } from './database.ts';
import { raw, type Sql, sql } from './sql.ts';

/** Any of these texts or ids, in a statement that is the same whatever their number. */
export const among = (db: Queryable, values: readonly string[], kind: 'text' | 'uuid' = 'text') =>
  sql`(select wanted from ${db.dialect.records(
    'w',
    { wanted: kind },
    values.map((wanted) => ({ wanted })),
  )})`;

/**
 * Records that were found by other means, in the place of their table and called `t`. The limit keeps the engine from
 * mixing it with what is asked around it.
 */
export const rowsAmong = (db: Queryable, table: string, storeId: string, ids: readonly string[]): Sql =>
  sql`(select r.* from ${raw(table)} r where r.store_id = ${storeId} and r.id in ${among(db, ids, 'uuid')}
       limit ${ids.length}) t`;
