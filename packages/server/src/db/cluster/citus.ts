import type { Dialect } from '../dialect.ts';
import { empty, raw, sql, rows as values } from '../sql.ts';

// What differs on the coordinator of a Citus cluster, for ../postgres.

/** A condition: whether the server is one. */
export const IS_COORDINATOR = "exists (select from pg_extension where extname = 'citus')";

/** Of each transaction. After a statement on many shards at once, Citus would not write to a table that every node has. */
export const TRANSACTION_SETTING = "citus.multi_shard_modify_mode = 'sequential'";

/** Citus says so, without a code, when a worker died during the commit. Our schema has no other error at that time. */
export const isLostWorker = (message: string) => /^could not commit transaction (?:for shard|on any)/.test(message);

/** Replaces parts of the dialect of PostgreSQL. */
export const distributed: Partial<Dialect> = {
  isDistributed: true,
  atStore: (column, storeId) => sql` and ${raw(column)} = ${storeId}`,
  skipLockedAnywhere: empty,
  insertsArrays: false,
  newRows(columns, rows) {
    const names = Object.keys(columns) as (keyof typeof columns)[];
    return sql`values ${values(rows.map((row) => names.map((name) => row[name])))}`;
  },
};
