import { lockClock, tick } from '../db/clock/store-clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { type Searched, type TermChange, writeTerms } from '../db/search/record-terms.ts';
import { uuid } from '../db/uuid.ts';
import { Pace, yieldToEventLoop } from '../time/pace.ts';
import { rejectDuplicates, type SecondKey } from './duplicates.ts';
import { applyRows, emptyReport, type ImportOptions, inBatches, type Outcome, type Report, write } from './report.ts';
import type { TableRow } from './table.ts';

/** A record as the rows read so far would leave it. */
export interface Draft<Fields> {
  /** As stored; undefined for a new one. */
  stored: (Fields & { id: string }) | undefined;
  fields: Fields;
}

/** A record to be written, with its change number. */
type Stamped<Fields> = Fields & { id: string; seq: number };

/** How the records of a table are imported. */
export interface RecordKind<Fields, Column extends string, Key extends string> {
  records: Searched;
  /** By which a row without an external id names a record. */
  second: SecondKey<Column>;
  /** The unique keys of a record. */
  keysOf(fields: Fields): Record<Key, string | null>;
  isSame(a: Fields, b: Fields): boolean;
  /** Clears the keys of records that are about to get others, so that a key can pass from one to another. */
  freeKeys(tx: Transaction, storeId: string, ids: readonly string[]): Promise<unknown>;
  write(tx: Transaction, storeId: string, rows: readonly Stamped<Fields>[], at: number): Promise<unknown>;
  termChange(id: string, before: Fields | undefined, after: Fields): TermChange;
}

/** Reads the stored records that the rows may name into the drafts, and returns how a row is applied. */
type ReadBatch<Fields, Column extends string, Key extends string> = (
  db: Queryable,
  batch: readonly TableRow<Column>[],
  drafts: Drafts<Fields, Key>,
) => Promise<(row: TableRow<Column>) => Outcome>;

interface RecordImport<Fields, Column extends string, Key extends string> {
  storeId: string;
  rows: AsyncIterable<TableRow<Column | 'externalId'>>;
  read: ReadBatch<Fields, Column | 'externalId', Key>;
  /** Writes what depends on the records. */
  afterWrite?(tx: Transaction, rows: readonly Stamped<Fields>[], changed: readonly Draft<Fields>[]): Promise<unknown>;
}

/** Imports records batch by batch, each in a transaction. */
export function importRecords<Fields, Column extends string, Key extends string>(
  db: Database,
  kind: RecordKind<Fields, Column, Key>,
  { storeId, rows, read, afterWrite }: RecordImport<Fields, Column, Key>,
  { now, dryRun: isDryRun = false, maxRejections }: ImportOptions,
): Promise<Report> {
  async function plan(at: Queryable, batch: readonly TableRow<Column | 'externalId'>[], drafts: Drafts<Fields, Key>) {
    const apply = await read(at, batch, drafts);
    await yieldToEventLoop();
    const report = emptyReport();
    applyRows(report, batch, apply);
    return report;
  }
  async function save(tx: Transaction, changed: readonly Draft<Fields>[]) {
    if (!changed.length) return;
    const { seq, at } = await tick(tx, storeId, now(), { count: changed.length });
    const moved = changed.flatMap(({ stored, fields }) =>
      stored && hasOtherKeys(kind, stored, fields) ? stored.id : [],
    );
    if (moved.length) await kind.freeKeys(tx, storeId, moved);
    const first = seq - changed.length + 1;
    const written = changed.map(({ stored, fields }, index) => ({
      ...fields,
      id: stored?.id ?? uuid(at),
      seq: first + index,
    }));
    await kind.write(tx, storeId, written, at);
    const pace = new Pace();
    const terms: TermChange[] = [];
    for (const [index, row] of written.entries()) {
      terms.push(kind.termChange(row.id, changed[index]?.stored, row));
      if (pace.isTimeUp()) await pace.pause();
    }
    await writeTerms(tx, kind.records, storeId, terms);
    await afterWrite?.(tx, written, changed);
  }
  const dryRunDrafts = new Drafts(kind, true);
  const work = (batch: TableRow<Column | 'externalId'>[]) =>
    isDryRun
      ? plan(db, batch, dryRunDrafts)
      : write(db, async (tx) => {
          await lockClock(tx, storeId);
          const drafts = new Drafts(kind, false);
          const report = await plan(tx, batch, drafts);
          await yieldToEventLoop();
          await save(tx, drafts.changed());
          return report;
        });
  return inBatches(rejectDuplicates(rows, kind.second), work, maxRejections);
}

function hasOtherKeys<Fields, Key extends string>(
  { keysOf }: Pick<RecordKind<Fields, string, Key>, 'keysOf'>,
  before: Fields,
  after: Fields,
) {
  const [was, is] = [keysOf(before), keysOf(after)];
  return (Object.keys(was) as Key[]).some((key) => was[key] !== is[key]);
}

/** Changes a record as a row wants it, or creates it. `describe` is called if that changes something. */
export function applyRow<Fields, Key extends string>(
  drafts: Drafts<Fields, Key>,
  known: Draft<Fields> | undefined,
  fields: Fields,
  onChange: (before: Fields | undefined, after: Fields) => void,
): Outcome {
  if (!known) {
    drafts.create(fields);
    onChange(undefined, fields);
    return 'created';
  }
  const before = known.fields;
  if (drafts.isSame(before, fields)) return 'unchanged';
  drafts.change(known, fields);
  onChange(before, fields);
  return 'updated';
}

/** The different texts of a batch. */
export const distinct = <Column extends string>(
  batch: readonly TableRow<Column>[],
  read: (cells: TableRow<Column>['cells']) => string | null | undefined,
): string[] => [
  ...new Set(batch.map(({ cells }) => read(cells)).filter((text) => text && !text.includes('\0')) as string[]),
];

/** The records of a file by their keys, as stored or as the rows read so far would leave them. */
export class Drafts<Fields, Key extends string> {
  /** Those that a row has created or changed, in file order, and the ids of those that are stored. */
  private readonly touched = new Set<Draft<Fields>>();
  private readonly touchedIds = new Set<string>();
  private readonly touchedByKey = new Map<string, Draft<Fields>>();
  /** Those of this batch that no row has changed yet; dropped after the batch to save memory. */
  private loadedByKey = new Map<string, Draft<Fields>>();

  constructor(
    private readonly kind: Pick<RecordKind<Fields, string, Key>, 'keysOf' | 'isSame'>,
    /** A dry run writes nothing, so it has to remember what earlier batches would have done. */
    private readonly isDryRun: boolean,
  ) {}

  isSame = (a: Fields, b: Fields) => this.kind.isSame(a, b);

  /** Takes the stored records of the next batch, and returns those that no row has changed yet. */
  load(records: readonly (Fields & { id: string })[]): Draft<Fields>[] {
    const untouched = records.filter(({ id }) => !this.touchedIds.has(id));
    const drafts = untouched.map((stored): Draft<Fields> => ({ stored, fields: stored }));
    this.loadedByKey = new Map();
    for (const draft of drafts) for (const key of this.keysOf(draft)) this.loadedByKey.set(key, draft);
    return drafts;
  }

  /** The record with this key. */
  find(key: Key, value: string | null | undefined): Draft<Fields> | undefined {
    if (!value) return undefined;
    return this.touchedByKey.get(`${key} ${value}`) ?? this.loadedByKey.get(`${key} ${value}`);
  }

  isTouched = (draft: Draft<Fields>) => this.touched.has(draft);

  create(fields: Fields) {
    this.put({ stored: undefined, fields });
  }

  change(draft: Draft<Fields>, fields: Fields) {
    const byKey = this.touched.has(draft) ? this.touchedByKey : this.loadedByKey;
    for (const key of this.keysOf(draft)) byKey.delete(key);
    draft.fields = fields;
    this.put(draft);
  }

  /** What has to be written, in file order. */
  changed = () => [...this.touched].filter(({ stored, fields }) => !stored || !this.isSame(stored, fields));

  private put(draft: Draft<Fields>) {
    for (const key of this.keysOf(draft)) this.touchedByKey.set(key, draft);
    this.touched.add(draft);
    if (draft.stored) this.touchedIds.add(draft.stored.id);
    // Only needed for writing; the descriptions of a whole catalog would use too much memory.
    if (this.isDryRun) draft.stored = undefined;
  }

  private keysOf({ fields }: Draft<Fields>): string[] {
    const keys = Object.entries(this.kind.keysOf(fields)) as [Key, string | null][];
    return keys.flatMap(([key, value]) => (value ? [`${key} ${value}`] : []));
  }
}
