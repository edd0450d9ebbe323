import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockRepair } from '../db/after-repair.ts';
import { tick } from '../db/clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { repairWebhookTimes, type WebhookLimits } from '../webhooks/log/repair-times.ts';
import * as queries from './repair-clock.queries.ts';

const tables = ['orders', 'products', 'customers'] as const;

/** Small enough not to delay other writers: those of the store, or on SQLite those of all stores. */
const BATCH_SIZE = 500;
/** SQLite has one writer; this pause lets others write. */
const PAUSE_MS = 20;

/** Older repairs are removed. */
const MAX_REPAIRS = 20;

export interface Repaired {
  /** Whether the clock was ahead, or an earlier repair was unfinished. */
  wasAhead: boolean;
  repaired: Record<queries.Table | 'events' | 'deliveries', number>;
}

export interface RepairOptions {
  now: () => number | Promise<number>;
  webhooks: WebhookLimits;
  batchSize?: number;
  /** Called after every batch. */
  onBatch?: (repaired: Repaired['repaired']) => void | Promise<void>;
}

/** A repair in progress: one entry for each time the clock was set back since it began. */
interface Unfinished {
  entries: ClockRepair[];
  /** The last order number assigned before. */
  number: number;
}

/** The last change number assigned by the latest repair. */
export const lastRepair = (repairs: string | null): number =>
  repairs === null ? 0 : Math.max(...(JSON.parse(repairs) as ClockRepair[]).map(({ doneSeq }) => doneSeq ?? 0));

/**
 * Repairs a store whose clock was ahead: sets the clock back and stamps everything changed in the future again, with the
 * current time and new change numbers, so that synchronizing clients see it as changed. Each batch is its own
 * transaction; an interrupted repair is finished by the next one.
 */
export async function repairClock(db: Database, storeId: string, options: RepairOptions): Promise<Repaired> {
  const { now, batchSize = BATCH_SIZE, onBatch } = options;
  const repaired = { orders: 0, products: 0, customers: 0, events: 0, deliveries: 0 };
  const inBatch = async (work: (tx: Transaction) => Promise<number>, name?: keyof typeof repaired) => {
    const count = await db.transaction(work, { isLong: true });
    if (name) repaired[name] += count;
    if (count) await onBatch?.(repaired);
    if (db.dialect.engine === 'sqlite') await sleep(PAUSE_MS);
    return count;
  };

  const unfinished = await setClockBack(db, storeId, await now());
  if (unfinished) {
    for (const table of tables) await stampTable(storeId, table, unfinished, now, batchSize, inBatch);
    await repairEvents(db, storeId, unfinished, now, batchSize, inBatch);
    await finish(db, storeId, unfinished);
  }
  const repairedAt = await now();
  await repairWebhookTimes(storeId, repairedAt, options.webhooks, batchSize, (work, isCounted) =>
    inBatch(work, isCounted ? 'deliveries' : undefined),
  );
  await db.transaction((tx) => queries.repairSettings(tx, storeId, repairedAt));
  return { wasAhead: unfinished !== undefined, repaired };
}

type InBatch = (work: (tx: Transaction) => Promise<number>, name: queries.Table | 'events') => Promise<number>;

/** Sets the clock back: changes are stamped with the current time from here on. Returns what is to be repaired. */
const setClockBack = (db: Database, storeId: string, now: number) =>
  db.transaction(async (tx) => {
    const clock = await queries.lockClock(tx, storeId);
    if (!clock) throw new Error(`store ${storeId} has no clock`);
    const before = clock.repair === null ? undefined : (JSON.parse(clock.repair) as Unfinished);
    if (clock.ts <= now) return before;
    const entry: ClockRepair = { at: now, until: clock.ts, seq: clock.seq };
    const unfinished: Unfinished = { entries: [...(before?.entries ?? []), entry], number: clock.last_number };
    await queries.saveClock(tx, storeId, { ts: now, repair: JSON.stringify(unfinished), repairs: clock.repairs });
    return unfinished;
  });

async function stampTable(
  storeId: string,
  table: queries.Table,
  { entries, number }: Unfinished,
  now: RepairOptions['now'],
  batchSize: number,
  inBatch: InBatch,
) {
  const [first, last] = [entries[0], entries.at(-1)] as [ClockRepair, ClockRepair];
  const stamp = async (tx: Transaction, ids: readonly string[], time: number) => {
    if (!ids.length) return 0;
    const { seq, at } = await tick(tx, storeId, time, { count: ids.length });
    return queries.stampAgain(tx, table, storeId, { ids, at, after: seq - ids.length, createdBy: last.at });
  };
  const until = async (find: (tx: Transaction, time: number) => Promise<string[]>) => {
    for (let count = 1; count; ) {
      const time = await now();
      count = await inBatch(async (tx) => stamp(tx, await find(tx, time), time), table);
    }
  };
  // First the records later than everything stamped since, where nothing has to be skipped; then those whose time has
  // passed.
  await until((tx, time) => queries.changedAhead(tx, table, storeId, time, last.seq, batchSize));
  await until((tx) => queries.changedAhead(tx, table, storeId, first.at, last.seq, batchSize));
  await until((tx) => queries.createdAhead(tx, table, storeId, { at: last.at, number }, batchSize));
}

async function repairEvents(
  db: Database,
  storeId: string,
  { entries }: Unfinished,
  now: RepairOptions['now'],
  batchSize: number,
  inBatch: InBatch,
) {
  const [first, last] = [entries[0], entries.at(-1)] as [ClockRepair, ClockRepair];
  for (let position: queries.Position = { updated_at: first.at, seq: 0 }; ; ) {
    const orders = await queries.stampedSince(db, storeId, position, batchSize);
    const end = orders.at(-1);
    if (!end) return;
    position = end;
    const ids = orders.map(({ id }) => id);
    const time = await now();
    await inBatch((tx) => queries.repairEvents(tx, storeId, ids, time, last.at), 'events');
  }
}

/**
 * Clients with a time in the future are moved back only now: earlier, they would receive the unrepaired records again.
 */
const finish = (db: Database, storeId: string, { entries }: Unfinished) =>
  db.transaction(async (tx) => {
    const clock = await queries.lockClock(tx, storeId);
    // Another process has finished the repair, or has set the clock back again.
    if (!clock?.repair || (JSON.parse(clock.repair) as Unfinished).entries.length !== entries.length) return;
    const done = entries.map((entry) => ({ ...entry, doneSeq: clock.seq + 1 }));
    const repairs = [...(JSON.parse(clock.repairs ?? '[]') as ClockRepair[]), ...done].slice(-MAX_REPAIRS);
    await queries.saveClock(tx, storeId, { ts: clock.ts, repair: null, repairs: JSON.stringify(repairs) });
  });
