import type { Database } from '../db/database.ts';
import { Cells, RowRefused } from '../imports/cells.ts';
import { yieldToEventLoop } from '../imports/pace.ts';
import { emptyReport, type ImportOptions, type Report, reject, write } from '../imports/report.ts';
import type { TableForm, TableRow } from '../imports/table.ts';
import { MAX_CATEGORIES } from '../limits.ts';
import { type Claim, planTree } from './category-tree.ts';
import * as queries from './import.queries.ts';

export type CategoryColumn = 'externalId' | 'name' | 'parentExternalId';

export const categoryTable: TableForm<CategoryColumn> = {
  columns: ['externalId', 'name', 'parentExternalId'],
  keys: ['externalId'],
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
  const { claims, unread } = await readClaims(rows, maxRejections);
  const at = now();
  const options = { now: at, limit: MAX_CATEGORIES, maxRejections };
  const stored = await queries.listCategories(db, storeId);
  const ahead = await planTree(stored, claims, { ...options, onChange });
  if (dryRun) return merged(ahead.report, unread, maxRejections);
  return write(db, async (tx) => {
    await queries.lockCatalog(tx, storeId);
    // Planned before the transaction to keep its locks short, and again only if the categories have changed since.
    const present = await queries.listCategories(tx, storeId);
    const { report, added, changed } = sameCategories(stored, present)
      ? ahead
      : await planTree(present, claims, options);
    await inBlocks([...added, ...changed], (block) => queries.writeCategories(tx, storeId, block, at));
    return merged(report, unread, maxRejections);
  });
}

async function readClaims(rows: AsyncIterable<TableRow<CategoryColumn>>, maxRejections: number | undefined) {
  const claims: Claim[] = [];
  const unread = emptyReport();
  for await (const row of rows) {
    try {
      claims.push(claimOf(row));
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      reject(unread, { line: row.line, message: error.message }, maxRejections);
    }
  }
  return { claims, unread };
}

function claimOf(row: TableRow<CategoryColumn>): Claim {
  const cells = new Cells(row);
  const externalId = cells.filled('externalId', 255) ?? '';
  const name = cells.filled('name', 200);
  const parent = cells.text('parentExternalId', 255);
  cells.throwIfAny();
  return { line: row.line, externalId, name, parent };
}

const merged = (report: Report, unread: Report, maxRejections: number | undefined): Report => ({
  ...report,
  rejected: [...report.rejected, ...unread.rejected].sort((a, b) => a.line - b.line).slice(0, maxRejections),
  rejectedCount: report.rejectedCount + unread.rejectedCount,
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
