import { readTable, type TableForm } from '../src/imports/table.ts';

/** A CSV text as the rows that an import takes. */
export const table = <Column extends string>(form: TableForm<Column>, ...lines: string[]) =>
  readTable(
    (async function* () {
      yield Buffer.from(`${lines.join('\n')}\n`);
    })(),
    form,
  );
