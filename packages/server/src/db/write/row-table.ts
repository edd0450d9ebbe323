import { type Dialect, type Kind, postgresTypes } from '../dialect.ts';
import { Sql } from '../sql.ts';
import type { TableName } from './plan.ts';

/**
 * A table with these columns. PostgreSQL gets an array for each column, so that the text of the statement does not
 * depend on the number of rows; SQLite, and a distributed database, get the values of each row.
 */
export function rowTable<Column extends string>(
  name: TableName,
  columns: Record<Column, Kind>,
): { name: TableName; insert(dialect: Dialect, rows: readonly Record<Column, unknown>[]): Sql } {
  const names = Object.keys(columns) as Column[];
  const head = `insert into ${name} (${names.join(', ')})`;
  const ofArrays = Object.freeze([
    `${head} select * from unnest(`,
    ...names.map((column, index) => `::${postgresTypes[columns[column]]}[]${index < names.length - 1 ? ', ' : ')'}`),
  ]);
  const ofValues = new Map<number, readonly string[]>();

  /** Composed once for each number of rows, so that a statement is prepared once. */
  function valuesOf(count: number): readonly string[] {
    let parts = ofValues.get(count);
    if (!parts) {
      const separators = Array.from({ length: count * names.length }, (_, index) =>
        (index + 1) % names.length ? ', ' : '), (',
      );
      parts = Object.freeze([`${head} values (`, ...separators.slice(0, -1), ')']);
      ofValues.set(count, parts);
    }
    return parts;
  }

  return {
    name,
    insert({ insertsArrays }: Dialect, rows) {
      if (insertsArrays)
        return new Sql(
          ofArrays,
          names.map((column) => rows.map((row) => row[column])),
        );
      return new Sql(
        valuesOf(rows.length),
        rows.flatMap((row) => names.map((column) => row[column])),
      );
    },
  };
}
