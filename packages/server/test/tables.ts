import { readTable, type TableForm } from '../src/imports/table.ts';

/** Parses a CSV text to the rows of an import. */
export const table = <Column extends string>(form: TableForm<Column>, ...lines: string[]) =>
  readTable(
    (async function* () {
      yield Buffer.from(`${lines.join('\n')}\n`);
    })(),
    form,
  );
