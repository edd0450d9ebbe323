import { Refusal } from '../refusal.ts';
import { shown } from './cells.ts';
import { readCsv } from './csv.ts';
import { Pace } from './pace.ts';

/** A row by column name. Columns missing from the file are absent. */
export interface TableRow<Column extends string> {
  line: number;
  cells: { readonly [Name in Column]?: string };
  /** Why the row could not be parsed; then it has no cells. */
  fault?: string;
}

export interface TableForm<Column extends string> {
  columns: readonly Column[];
  /** At least one of these is required, because records are matched by it. */
  keys: readonly Column[];
}

/** Reads a table from the bytes of a CSV file: UTF-8 with or without a BOM, separated by `,` or `;`. */
export async function* readTable<Column extends string>(
  bytes: AsyncIterable<Uint8Array>,
  form: TableForm<Column>,
): AsyncGenerator<TableRow<Column>> {
  let names: Column[] | undefined;
  const pace = new Pace();
  for await (const row of readCsv(readText(bytes), (header) => (header.includes(';') ? ';' : ','))) {
    // Includes the processing of the rows by the consumer, which runs between them.
    await pace.step();
    if ('fault' in row) {
      if (!names) throw wrong(`the first line ${row.fault}`);
      yield { line: row.line, cells: {}, fault: row.fault };
    } else if (!names) names = checkedHeader(row.cells, form);
    else if (row.cells.length !== names.length)
      yield { line: row.line, cells: {}, fault: `has ${row.cells.length} cells, the header has ${names.length}` };
    else yield { line: row.line, cells: named(names, row.cells) };
  }
  if (!names) throw wrong(`it is empty; its first line names the columns: ${form.columns.join(',')}`);
}

/** The decoded text of a file. Invalid UTF-8 is rejected rather than stored with replacement characters. */
async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw wrong('it is not UTF-8; save it as "CSV UTF-8"');
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

function checkedHeader<Column extends string>(cells: readonly string[], { columns, keys }: TableForm<Column>) {
  const names = cells.map((cell) => {
    const name = columns.find((column) => column === cell.trim());
    if (!name) throw wrong(`it has an unknown column ${shown(cell.trim())}; there are ${columns.join(', ')}`);
    return name;
  });
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw wrong(`the column ${twice} stands in it twice`);
  if (!keys.some((key) => names.includes(key))) throw wrong(`it lacks the column ${keys.join(' or ')}`);
  return names;
}

const named = <Column extends string>(names: readonly Column[], cells: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, cells[index]])) as TableRow<Column>['cells'];

const wrong = (why: string) => new Refusal('invalid_body', `The file cannot be imported: ${why}.`);
