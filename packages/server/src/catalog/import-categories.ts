import { lockClock, tick } from '../db/clock/store-clock.ts';
import type { Database } from '../db/database.ts';
import { Cells, RowRejected } from '../imports/cells.ts';
import { rejectDuplicates } from '../imports/duplicates.ts';
import { emptyReport, type ImportOptions, type Report, reject, write } from '../imports/report.ts';
import type { TableForm, TableRow } from '../imports/table.ts';
import { MAX_CATEGORIES } from '../limits.ts';
import { yieldToEventLoop } from '../time/pace.ts';
import { type CategoryRow, planTree } from './category-tree.ts';
import * as queries from './import.queries.ts';

export type CategoryColumn = 'externalId' | 'name' | 'parentExternalId';

export const categoryTable: TableForm<CategoryColumn> = {
  columns: ['externalId', 'name', 'parentExternalId'],
  keys: ['externalId'],
  aliases: {
    ...{ внешнийid: 'externalId', код: 'externalId', id: 'externalId' },
    ...{ название: 'name', наименование: 'name', категория: 'name', title: 'name' },
    ...{ внешнийidродителя: 'parentExternalId', кодродителя: 'parentExternalId', parentid: 'parentExternalId' },
  },
};

/** Maximum categories per statement. */
const MAX_ROWS_PER_STATEMENT = 500;

/**
 * Imports categories, matched by `externalId`. Whether a row can be applied depends on all the others, so all rows are
 * read first and written in one transaction: the whole tree or nothing.
 */
export async function importCategories(
  db: Database,
  storeId: string,
  rows: AsyncIterable<TableRow<CategoryColumn>>,
  { now, dryRun = false, onChange, maxRejections }: ImportOptions,
): Promise<Report> {
  const { parsed, invalid } = await readRows(rejectDuplicates(rows), maxRejections);
  const at = now();
  const options = { now: at, limit: MAX_CATEGORIES, maxRejections };
  const stored = await queries.listCategories(db, storeId);
  const planned = await planTree(stored, parsed, { ...options, onChange });
  if (dryRun) return merged(planned.report, invalid, maxRejections);
  return write(db, async (tx) => {
    await lockClock(tx, storeId);
    // Planned before the transaction to keep its locks short, and again only if the categories have changed since.
    const current = await queries.listCategories(tx, storeId);
    const { report, added, changed } = sameCategories(stored, current)
      ? planned
      : await planTree(current, parsed, options);
    await inBlocks([...added, ...changed], (block) => queries.writeCategories(tx, storeId, block, at));
    if (added.length + changed.length) await tick(tx, storeId, at);
    return merged(report, invalid, maxRejections);
  });
}

async function readRows(rows: AsyncIterable<TableRow<CategoryColumn>>, maxRejections: number | undefined) {
  const parsed: CategoryRow[] = [];
  const invalid = emptyReport();
  for await (const row of rows) {
    try {
      parsed.push(parseRow(row));
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
      reject(invalid, row.line, error.errors, maxRejections);
    }
  }
  return { parsed, invalid };
}

function parseRow(row: TableRow<CategoryColumn>): CategoryRow {
  const cells = new Cells(row);
  const externalId = cells.filled('externalId', 255) ?? '';
  const name = cells.filled('name', 200);
  const parent = cells.text('parentExternalId', 255);
  cells.throwIfAny();
  return { line: row.line, externalId, name, parent };
}

const merged = (report: Report, invalid: Report, maxRejections: number | undefined): Report => ({
  ...report,
  rejected: [...report.rejected, ...invalid.rejected].sort((a, b) => a.line - b.line).slice(0, maxRejections),
  rejectedCount: report.rejectedCount + invalid.rejectedCount,
});

function sameCategories(a: readonly queries.StoredCategory[], b: readonly queries.StoredCategory[]): boolean {
  const known = new Map(a.map((category) => [category.id, category]));
  return (
    a.length === b.length &&
    b.every(({ id, external_id, name, parent_id }) => {
      const other = known.get(id);
      return other?.external_id === external_id && other.name === name && other.parent_id === parent_id;
    })
  );
}

async function inBlocks(
  categories: readonly queries.StoredCategory[],
  work: (block: queries.StoredCategory[]) => Promise<unknown>,
) {
  for (let start = 0; start < categories.length; start += MAX_ROWS_PER_STATEMENT) {
    await yieldToEventLoop();
    await work(categories.slice(start, start + MAX_ROWS_PER_STATEMENT));
  }
}
