import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isTaken, type Transaction } from '../db/database.ts';
import { RowRefused } from './cells.ts';
import { nextTurn } from './pace.ts';

export interface Rejection {
  /** Where the row begins; the header is line 1. */
  line: number;
  message: string;
}

/** What an import did, or with `dryRun` would do. */
export interface Report {
  created: number;
  updated: number;
  unchanged: number;
  /** Those of the first lines, no more than `maxRejections`. */
  rejected: Rejection[];
  rejectedCount: number;
}

export type Outcome = 'created' | 'updated' | 'unchanged';

type Shown = string | number | boolean | null;

/** A row that changes something, for whoever looks before it does. */
export interface Change {
  line: number;
  outcome: 'created' | 'updated';
  name: string;
  /** By column: what was there (null for nothing) and what will be. */
  fields: Record<string, [before: Shown, after: Shown]>;
}

export interface ImportOptions {
  now(): number;
  /** Called by a dry run for each row that would change something; `read` describes the change. */
  onChange?: ((read: () => Change) => void) | undefined;
  /** Rejections that are listed; the others are only counted. All when left out. */
  maxRejections?: number | undefined;
  /** Reports what would change, and changes nothing. */
  dryRun?: boolean;
}

/** How a batch is planned: whether its records are to be changed, and what is called for each that would. */
export interface Planning {
  hold: boolean;
  onChange?: ImportOptions['onChange'];
}

/** Hears of each record that a row makes (then there is none before) or changes. */
export type Notice<Fields> = (before: Fields | undefined, after: Fields) => void;

/** Rows of a transaction. Others wait for it, on the embedded engine even for each of its statements. */
const BATCH = 500;
/** Characters of a transaction: rows with long texts are written fewer at a time. */
const BATCH_CHARACTERS = 200_000;
/** On the embedded engine those who wait look again every 16 ms at most: this long, the file is theirs. */
const PAUSE_MS = 20;
const ATTEMPTS = 3;

/** What a row made of a record, told by the names of the columns. */
export function changeOf<Fields extends { name: string }>(
  line: number,
  before: Fields | undefined,
  after: Fields,
  columns: { [Column in string]: keyof Fields },
): Change {
  const pairs = Object.entries(columns).map(
    ([column, field]) => [column, before?.[field] || null, after[field]] as const,
  );
  const told = pairs.filter(([, was, is]) => (before ? was !== (is || null) : is !== null && is !== ''));
  const fields = Object.fromEntries(told.map(([column, was, is]) => [column, [was as Shown, is as Shown] as const]));
  return { line, outcome: before ? 'updated' : 'created', name: after.name, fields: fields as Change['fields'] };
}

export const emptyReport = (): Report => ({ created: 0, updated: 0, unchanged: 0, rejected: [], rejectedCount: 0 });

export function reject(report: Report, rejection: Rejection, maxRejections = Number.POSITIVE_INFINITY) {
  report.rejectedCount++;
  if (report.rejected.length < maxRejections) report.rejected.push(rejection);
}

/** Runs the rule on each row; one that is refused is noted and stops nothing else. */
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

/** Hands the rows over in batches and adds up what became of them. */
export async function inBatches<Row extends { cells: { readonly [column: string]: string | undefined } }>(
  rows: AsyncIterable<Row>,
  work: (batch: Row[]) => Promise<Report>,
  maxRejections: number | undefined,
) {
  const total = emptyReport();
  let batch: Row[] = [];
  let characters = 0;
  const finish = async () => {
    await nextTurn();
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
    if (batch.push(row) < BATCH && characters < BATCH_CHARACTERS) continue;
    await finish();
    await pause(PAUSE_MS);
  }
  if (batch.length) await finish();
  return total;
}

/** One transaction, repeated when another has taken a unique value between our read and our write. */
export async function write<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work, { isLong: true });
    } catch (error) {
      if (attempt === ATTEMPTS || !isTaken(db, error)) throw error;
    }
  }
}
