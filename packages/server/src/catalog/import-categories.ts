import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { Cells, RowRefused } from '../imports/cells.ts';
import { type ImportOptions, type Rejection, type Report, write } from '../imports/report.ts';
import type { TableForm, TableRow } from '../imports/table.ts';
import { type Claim, planTree } from './category-tree.ts';
import * as store from './import.store.ts';

export type CategoryColumn = 'externalId' | 'name' | 'parentExternalId';

export const categoryTable: TableForm<CategoryColumn> = {
  columns: ['externalId', 'name', 'parentExternalId'],
  keys: ['externalId'],
};

/** Categories that one statement writes. */
const BLOCK = 1000;

/**
 * Adds the categories of a table and changes those that are there, found by `externalId`. Whether a row can stand
 * depends on all the others, so the rows are read first and written in one transaction: a tree is whole or it is
 * not. A store's categories are always listed on one page; what fits there fits here.
 */
export async function importCategories(
  db: Database,
  storeId: string,
  rows: AsyncIterable<TableRow<CategoryColumn>>,
  { now, dryRun = false, onChange }: ImportOptions,
): Promise<Report> {
  const { claims, rejected } = await readClaims(rows);
  if (dryRun) {
    const { report, changes } = planTree(await store.listCategories(db, storeId), claims, now());
    for (const change of changes) onChange?.(change);
    return merged(report, rejected);
  }
  return write(db, async (tx) => {
    await store.lockCatalog(tx, storeId);
    const at = now();
    const { report, added, changed } = planTree(await store.listCategories(tx, storeId), claims, at);
    await inBlocks([...added, ...changed], (block) => store.writeCategories(tx, storeId, block, at));
    return merged(report, rejected);
  });
}

async function readClaims(rows: AsyncIterable<TableRow<CategoryColumn>>) {
  const claims: Claim[] = [];
  const rejected: Rejection[] = [];
  for await (const row of rows) {
    try {
      claims.push(claimOf(row));
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      rejected.push({ line: row.line, message: error.message });
    }
  }
  return { claims, rejected };
}

function claimOf(row: TableRow<CategoryColumn>): Claim {
  const cells = new Cells(row);
  const externalId = cells.filled('externalId', 255) ?? '';
  const name = cells.filled('name', 200);
  const parent = cells.text('parentExternalId', 255);
  cells.settle();
  return { line: row.line, externalId, name, parent };
}

const merged = (report: Report, rejected: readonly Rejection[]): Report => ({
  ...report,
  rejected: [...report.rejected, ...rejected].sort((a, b) => a.line - b.line),
});

async function inBlocks(
  categories: readonly store.StoredCategory[],
  work: (block: store.StoredCategory[]) => Promise<unknown>,
) {
  for (let start = 0; start < categories.length; start += BLOCK) {
    await work(categories.slice(start, start + BLOCK));
    await othersFirst();
  }
}
