import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isTaken, type Transaction } from '../db/database.ts';
import { RowRefused } from './cells.ts';

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
  rejected: Rejection[];
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
  /** Told by a dry run of each row that would change something. */
  onChange?: ((change: Change) => void) | undefined;
  /** Reports what would change, and changes nothing. */
  dryRun?: boolean;
}

/** How a batch is looked at: whether its records are to be changed, and who wants to know what would. */
export interface Planning {
  hold: boolean;
  onChange?: ImportOptions['onChange'];
}

/** Hears of each record that a row makes (then there is none before) or changes. */
export type Notice<Fields> = (before: Fields | undefined, after: Fields) => void;

/** Long enough for a statement to be worth its while, short enough for others who wait for the transaction. */
const BATCH = 500;
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

export const emptyReport = (): Report => ({ created: 0, updated: 0, unchanged: 0, rejected: [] });

/** Runs the rule on each row; one that is refused is noted and stops nothing else. */
export function tally<Row extends { line: number }>(report: Report, rows: Iterable<Row>, rule: (row: Row) => Outcome) {
  for (const row of rows) {
    try {
      report[rule(row)]++;
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      report.rejected.push({ line: row.line, message: error.message });
    }
  }
}

/** Hands the rows over in batches and adds up what became of them. */
export async function inBatches<Row>(rows: AsyncIterable<Row>, work: (batch: Row[]) => Promise<Report>) {
  const total = emptyReport();
  let batch: Row[] = [];
  const settle = async () => {
    const report = await work(batch);
    batch = [];
    total.created += report.created;
    total.updated += report.updated;
    total.unchanged += report.unchanged;
    for (const rejection of report.rejected) total.rejected.push(rejection);
  };
  for await (const row of rows) {
    if (batch.push(row) < BATCH) continue;
    await settle();
    await pause(PAUSE_MS);
  }
  if (batch.length) await settle();
  return total;
}

/** One transaction, begun anew when another has taken a unique value between our look and our write. */
export async function write<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work, { isLong: true });
    } catch (error) {
      if (attempt === ATTEMPTS || !isTaken(db, error)) throw error;
    }
  }
}
