import { raw, type Sql, sql } from './sql.ts';

/** Sorts after all other characters. */
const LAST = '\u{10FFFF}';

/** One range of an index, because the column is compared byte by byte. */
export const startsWith = (column: Sql, prefix: string) => sql`${column} >= ${prefix} and ${column} < ${prefix + LAST}`;

/** Maximum names scanned: 100,000 take tens of milliseconds, from the index alone. */
const MAX_SCANNED = 100_000;

/** The ids of records whose name contains a text, sorted by name. */
export const nameContains = (table: 'products' | 'customers', storeId: string, part: string, limit: number) =>
  sql`select id from (
        select id, name_key from ${raw(table)} where store_id = ${storeId} order by name_key, id limit ${MAX_SCANNED}) n
      where n.name_key like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\' limit ${limit}`;
