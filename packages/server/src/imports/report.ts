import { setTimeout as pause } from 'node:timers/promises';
import type { ImportChange, ImportReport } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { type Database, type Transaction, takenColumns } from '../db/database.ts';
import { yieldToEventLoop } from '../time/pace.ts';
import { type RowError, RowRejected } from './cells.ts';
import type { PriceFormat } from './prices.ts';

/** The result of an import, or of a `dryRun`. */
export type Report = Omit<ImportReport, 'changes'>;

export type Outcome = 'created' | 'updated' | 'unchanged';

export interface ImportOptions {
  now(): number;
  /** Who imports; the command line if left out. */
  actor?: Actor | undefined;
  /** Called by a dry run for each row that would change something; `read` describes the change. */
  onChange?: ((read: () => ImportChange) => void) | undefined;
  /** Maximum rejections listed; further rows are only counted. Unlimited if left out. */
  maxRejections?: number | undefined;
  /** How product prices are written; kopecks if left out. */
  prices?: PriceFormat | undefined;
  /** New products are inactive, whatever the file says. */
  addsInactive?: boolean | undefined;
  /** Reports what would change without changing anything. */
  dryRun?: boolean;
}

/** Maximum rows per transaction, because it blocks other writers; on SQLite each statement does. */
const MAX_BATCH_ROWS = 500;
/** Maximum characters per transaction: fewer rows if their texts are long. */
const MAX_BATCH_CHARACTERS = 200_000;
/** About the most cells per transaction: each quantity of a warehouse is a row of two tables. */
const MAX_BATCH_CELLS = 5000;
/** On SQLite, waiting writers retry at least every 16 ms, so this pause lets them in. */
const PAUSE_MS = 20;
const MAX_ATTEMPTS = 3;

/** A change of a record described by column names. */
export function changeOf<Fields extends { name: string }>(
  line: number,
  before: Fields | undefined,
  after: Fields,
  columns: { [Column in string]: keyof Fields },
): ImportChange {
  const pairs = Object.entries(columns).map(
    ([column, field]) => [column, before?.[field] || null, after[field]] as const,
  );
  const changed = pairs.filter(([, was, is]) => (before ? was !== (is || null) : is !== null && is !== ''));
  const fields = Object.fromEntries(changed.map(([column, was, is]) => [column, [was, is]])) as ImportChange['fields'];
  return { line, outcome: before ? 'updated' : 'created', name: after.name, fields };
}

export const emptyReport = (): Report => ({ created: 0, updated: 0, unchanged: 0, rejected: [], rejectedCount: 0 });

/** Adds the errors of a rejected row. */
export function reject(report: Report, line: number, errors: readonly RowError[], maxRejections?: number) {
  report.rejectedCount++;
  addRejections(
    report,
    errors.map((error) => ({ line, ...error })),
    maxRejections,
  );
}

function addRejections({ rejected }: Report, more: Report['rejected'], maxRejections = Number.POSITIVE_INFINITY) {
  for (const rejection of more) if (rejected.length < maxRejections) rejected.push(rejection);
}

/** Applies each row; a rejected row is recorded and the others continue. */
export function applyRows<Row extends { line: number }>(
  report: Report,
  rows: Iterable<Row>,
  apply: (row: Row) => Outcome,
) {
  for (const row of rows) {
    try {
      report[apply(row)]++;
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
      reject(report, row.line, error.errors);
    }
  }
}

/** Processes the rows in batches and sums up the results. */
export async function inBatches<Row extends { cells: { readonly [column: string]: string | undefined } }>(
  rows: AsyncIterable<Row>,
  work: (batch: Row[]) => Promise<Report>,
  maxRejections: number | undefined,
) {
  const total = emptyReport();
  let batch: Row[] = [];
  let characters = 0;
  let cells = 0;
  const finish = async () => {
    await yieldToEventLoop();
    const report = await work(batch);
    batch = [];
    characters = 0;
    cells = 0;
    total.created += report.created;
    total.updated += report.updated;
    total.unchanged += report.unchanged;
    total.rejectedCount += report.rejectedCount;
    addRejections(total, report.rejected, maxRejections);
  };
  for await (const row of rows) {
    for (const column in row.cells) {
      characters += row.cells[column]?.length ?? 0;
      cells++;
    }
    const isFull = characters >= MAX_BATCH_CHARACTERS || cells >= MAX_BATCH_CELLS;
    if (batch.push(row) < MAX_BATCH_ROWS && !isFull) continue;
    await finish();
    await pause(PAUSE_MS);
  }
  if (batch.length) await finish();
  return total;
}

/** One transaction, retried if another took a unique value between our read and our write. */
export async function write<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work, { isLong: true });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !takenColumns(error).length) throw error;
    }
  }
}
