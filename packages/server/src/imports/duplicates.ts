import type { TableRow } from './table.ts';

/** Another column that identifies a row without an external id. */
export interface SecondKey<Column extends string> {
  column: Column;
  /** The value to compare, or null. */
  keyOf(cell: string): string | null;
}

export const trimmedKey = (cell: string) => cell.trim() || null;

/** A part of the file's text would keep all of it in memory. */
const copied = (key: string | null) => key && Buffer.from(key).toString();

/**
 * Rejects rows that name the record of an earlier row: by its external id, or by the second key if one of the two rows
 * has no external id. A file with two rows for a record does not tell which one is right. The earlier row counts even
 * if it is rejected itself.
 */
export async function* rejectDuplicates<Column extends string>(
  rows: AsyncIterable<TableRow<Column | 'externalId'>>,
  second?: SecondKey<Column>,
): AsyncGenerator<TableRow<Column | 'externalId'>> {
  // The first line of each key.
  const byId = new Map<string, number>();
  const bySecond = new Map<string, number>();
  /** Of rows without an external id. */
  const bySecondAlone = new Map<string, number>();
  for await (const row of rows) {
    const id = copied(trimmedKey(row.cells.externalId ?? ''));
    const other = copied(second?.keyOf(row.cells[second.column] ?? '') ?? null);
    const sameId = id === null ? undefined : byId.get(id);
    const line = sameId ?? (other === null ? undefined : (id === null ? bySecond : bySecondAlone).get(other));
    if (line !== undefined) {
      const column = sameId === undefined ? (second?.column ?? null) : 'externalId';
      yield { line: row.line, cells: {}, error: { column, code: 'duplicate_row', params: { line } } };
      continue;
    }
    if (id !== null) byId.set(id, row.line);
    if (other !== null && !bySecond.has(other)) bySecond.set(other, row.line);
    if (other !== null && id === null) bySecondAlone.set(other, row.line);
    yield row;
  }
}
