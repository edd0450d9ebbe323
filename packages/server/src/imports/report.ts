import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isTaken, type Transaction } from '../db/database.ts';
import { RowRefused } from './cells.ts';
import { yieldToEventLoop } from './pace.ts';

export interface Rejection {
  /** First line of the row; the header is line 1. */
  line: number;
  message: string;
}

/** The result of an import, or of a `dryRun`. */
export interface Report {
  created: number;
  updated: number;
  unchanged: number;
  /** The first rejections, at most `maxRejections`. */
  rejected: Rejection[];
  rejectedCount: number;
}

export type Outcome = 'created' | 'updated' | 'unchanged';

type Shown = string | number | boolean | null;

/** A row that changes something, for the preview. */
export interface Change {
  line: number;
  outcome: 'created' | 'updated';
  name: string;
  /** By column: the old value (null for none) and the new one. */
  fields: Record<string, [before: Shown, after: Shown]>;
}

export interface ImportOptions {
  now(): number;
  /** Called by a dry run for each row that would change something; `read` describes the change. */
  onChange?: ((read: () => Change) => void) | undefined;
  /** Maximum rejections listed; the rest are only counted. Unlimited if left out. */
  maxRejections?: number | undefined;
  /** Reports what would change without changing anything. */
  dryRun?: boolean;
}

/** Whether the records of a batch are locked for a change, and the callback for each change. */
export interface Planning {
  hold: boolean;
  onChange?: ImportOptions['onChange'];
}

/** Called for each record that a row creates (without a previous state) or changes. */
export type Notice<Fields> = (before: Fields | undefined, after: Fields) => void;

/** Maximum rows per transaction, because it blocks other writers; on SQLite each statement does. */
const MAX_BATCH_ROWS = 500;
/** Maximum characters per transaction: fewer rows if their texts are long. */
const MAX_BATCH_CHARACTERS = 200_000;
/** On SQLite, waiting writers retry at least every 16 ms, so this pause lets them in. */
const PAUSE_MS = 20;
const MAX_ATTEMPTS = 3;

/** A change of a record described by column names. */
export function changeOf<Fields extends { name: string }>(
  line: number,
  before: Fields | undefined,
  after: Fields,
  columns: { [Column in string]: keyof Fields },
): Change {
  const pairs = Object.entries(columns).map(
    ([column, field]) => [column, before?.[field] || null, after[field]] as const,
  );
  const changed = pairs.filter(([, was, is]) => (before ? was !== (is || null) : is !== null && is !== ''));
  const fields = Object.fromEntries(changed.map(([column, was, is]) => [column, [was as Shown, is as Shown] as const]));
  return { line, outcome: before ? 'updated' : 'created', name: after.name, fields: fields as Change['fields'] };
}

export const emptyReport = (): Report => ({ created: 0, updated: 0, unchanged: 0, rejected: [], rejectedCount: 0 });

export function reject(report: Report, rejection: Rejection, maxRejections = Number.POSITIVE_INFINITY) {
  report.rejectedCount++;
  if (report.rejected.length < maxRejections) report.rejected.push(rejection);
}

/** Applies the rule to each row; a rejected row is recorded and the others continue. */
export function tally<Row extends { line: number }>(report: Report, rows: Iterable<Row>, rule: (row: Row) => Outcome) {
  for (const row of rows) {
    try {
      report[rule(row)]++;
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      reject(report, { line: row.line, message: error.message });
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
  const finish = async () => {
    await yieldToEventLoop();
    const report = await work(batch);
    batch = [];
    characters = 0;
    total.created += report.created;
    total.updated += report.updated;
    total.unchanged += report.unchanged;
    for (const rejection of report.rejected) reject(total, rejection, maxRejections);
  };
  for await (const row of rows) {
    for (const column in row.cells) characters += row.cells[column]?.length ?? 0;
    if (batch.push(row) < MAX_BATCH_ROWS && characters < MAX_BATCH_CHARACTERS) continue;
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
      if (attempt === MAX_ATTEMPTS || !isTaken(db, error)) throw error;
    }
  }
}
