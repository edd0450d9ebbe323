import { stringify } from 'csv-stringify/sync';
import { LongResponse, type LongWork } from '../http/long-work.ts';
import { type Decimal, UTF8_BOM } from './csv-cells.ts';

/** A column of an exported table: its name, and its cell. */
export type ExportColumns<Record> = readonly (readonly [name: string, cell: (record: Record) => string])[];

/** The response with a table that the import reads again, page by page in constant memory. */
export function csvResponse<Record>(
  work: LongWork,
  name: string,
  columns: ExportColumns<Record>,
  pages: AsyncIterable<readonly Record[]>,
  decimal: Decimal = 'point',
) {
  const write = (rows: string[][]) =>
    Buffer.from(stringify(rows, { delimiter: decimal === 'comma' ? ';' : ',', quoted_match: /[\r\n]/ }));
  async function* file() {
    yield Buffer.concat([UTF8_BOM, write([columns.map(([column]) => column)])]);
    for await (const page of pages) yield write(page.map((record) => columns.map(([, cell]) => cell(record))));
  }
  return {
    body: new LongResponse(work, file()),
    headers: { 'Content-Disposition': `attachment; filename="${name}.csv"` },
  };
}

/** All pages of a list. */
export async function* pagesOf<Record>(
  read: (cursor: string | undefined) => Promise<{ data: Record[]; page: { nextCursor: string | null } }>,
): AsyncGenerator<Record[]> {
  for (let cursor: string | undefined; ; ) {
    const { data, page } = await read(cursor);
    if (data.length) yield data;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
