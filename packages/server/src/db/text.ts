import { type Sql, sql } from './sql.ts';

/** Behind every text that begins with the same characters. */
const LAST = '\u{10FFFF}';

/** A range of an index. The column is compared byte by byte (see the migration), so that a prefix is one. */
export const startsWith = (column: Sql, prefix: string) => sql`${column} >= ${prefix} and ${column} < ${prefix + LAST}`;
