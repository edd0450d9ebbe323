import type { ImportError } from '@store-sales/contract/console';
import { Pace } from '../time/pace.ts';
import { readCsv } from './csv.ts';
import { fileError } from './messages.ts';
import { readText } from './read-text.ts';

/** Shortens a value for an error, and copies it: a slice would keep the text of the file in memory. */
export const excerpt = (value: string) => Buffer.from(value.length > 40 ? `${value.slice(0, 40)}…` : value).toString();

/** A row by column name. Columns missing from the file are absent. */
export interface TableRow<Column extends string> {
  line: number;
  cells: { readonly [Name in Column]?: string };
  /** Why the row is rejected before its cells are read; then it has none. */
  error?: ImportError & { column?: string | null };
}

export interface TableForm<Column extends string> {
  columns: readonly Column[];
  /** Columns that begin with this are valid, too. */
  prefix?: string;
  /** How people call a column, in lower case and without spaces. */
  aliases?: Readonly<Record<string, Column>>;
  /** At least one of these is required, because records are matched by it. */
  keys: readonly Column[];
}

/** Reads a table from the bytes of a CSV file, separated by `,`, `;` or tabs. */
export async function* readTable<Column extends string>(
  bytes: AsyncIterable<Uint8Array>,
  form: TableForm<Column>,
): AsyncGenerator<TableRow<Column>> {
  let names: Column[] | undefined;
  const pace = new Pace();
  for await (const row of readCsv(readText(bytes), (header) => /[;\t]/.exec(header)?.[0] ?? ',')) {
    // Includes the processing of the rows by the consumer, which runs between them.
    await pace.step();
    if ('error' in row) {
      if (!names) throw fileError(row.error, { line: row.line });
      yield { line: row.line, cells: {}, error: row.error };
    } else if (!names) names = checkedHeader(row.cells, form);
    else if (row.cells.length !== names.length) {
      const params = { found: row.cells.length, expected: names.length };
      yield { line: row.line, cells: {}, error: { code: 'cell_count', params } };
    } else yield { line: row.line, cells: named(names, row.cells) };
  }
  if (!names) throw fileError({ code: 'empty_file', params: { columns: form.columns } });
}

/** Without what people write differently in the names of columns. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[\s_.-]+/g, '');

function checkedHeader<Column extends string>(
  cells: readonly string[],
  { columns, keys, prefix, aliases }: TableForm<Column>,
) {
  const names = cells.map((cell) => {
    const text = cell.trim();
    const name =
      columns.find((column) => column === text) ??
      (prefix && text.startsWith(prefix) ? (text as Column) : undefined) ??
      columns.find((column) => plain(column) === plain(text)) ??
      aliases?.[plain(text)];
    if (!name) throw fileError({ code: 'unknown_column', params: { value: excerpt(text), columns } });
    return name;
  });
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate) throw fileError({ code: 'duplicate_column', params: { value: duplicate } });
  if (!keys.some((key) => names.includes(key))) throw fileError({ code: 'missing_column', params: { columns: keys } });
  return names;
}

const named = <Column extends string>(names: readonly Column[], cells: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, unmarked(cells[index] ?? '')])) as TableRow<Column>['cells'];

/** Without the LEFT-TO-RIGHT MARKs that keep a spreadsheet from converting the texts of the order export. */
const unmarked = (cell: string) => (cell.includes('\u200e') ? cell.replace(/(^|[,;\t\r\n"])\u200e/g, '$1') : cell);
