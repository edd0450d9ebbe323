import { raw, type Sql, sql } from './sql.ts';

/** Behind every text that begins with the same characters. */
const LAST = '\u{10FFFF}';

/** A range of an index. The column is compared byte by byte (see the migration), so that a prefix is one. */
export const startsWith = (column: Sql, prefix: string) => sql`${column} >= ${prefix} and ${column} < ${prefix + LAST}`;

/** Names looked through for a part in the middle: 100,000 take some tens of milliseconds, from the index alone. */
const NAMES_READ = 100_000;

/** The ids of records whose name holds a text, in the order of names; of a larger store, among the first names. */
export const holds = (table: 'products' | 'customers', storeId: string, part: string, limit: number) =>
  sql`select id from (
        select id, name_key from ${raw(table)} where store_id = ${storeId} order by name_key, id limit ${NAMES_READ}) n
      where n.name_key like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\' limit ${limit}`;
