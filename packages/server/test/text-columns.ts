import type { Database } from '../src/db/database.ts';
import { raw, sql } from '../src/db/sql.ts';
import { engine } from './database.ts';

interface Column {
  table: string;
  column: string;
}

/** Every column of the schema that holds text. */
const textColumns = (db: Database) =>
  db.all<Column>(
    engine === 'sqlite'
      ? sql`select t.name as "table", c.name as "column" from pragma_table_list t join pragma_table_info(t.name) c
            where t.schema = 'main' and t.type in ('table', 'shadow') and t.name not like 'sqlite_%'
              and upper(c.type) not in ('INTEGER', 'BLOB')`
      : sql`select table_name::text as "table", column_name::text as "column" from information_schema.columns
            where table_schema = current_schema() and data_type in ('text', 'tsvector')`,
  );

/** The columns in which a text is found that is wanted, as `table.column`. */
export async function columnsWith(db: Database, isWanted: (text: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column } of await textColumns(db)) {
    const rows = await db.all<{ value: string | null }>(
      sql`select cast(${raw(column)} as text) as value from ${raw(table)}`,
    );
    if (rows.some(({ value }) => value !== null && isWanted(value))) found.push(`${table}.${column}`);
  }
  return found.sort();
}
