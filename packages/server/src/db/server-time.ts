import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** A node may be ahead of the database by this much before its clock is not used. */
const TOLERANCE_MS = 60_000;
const READ_EVERY_MS = 60_000;
const WARN_EVERY_MS = 60_000;
/** A slower reading says too little about the time. */
const MAX_ROUND_TRIP_MS = 10_000;

export interface Clocks {
  wall(): number;
  /** Milliseconds that never jump. */
  monotonic(): number;
  /** The time of the database server. */
  server(): Promise<number>;
}

export interface ServerTime {
  /** The time of this machine, or the database server's where this machine is more than a minute ahead of it. */
  now(): number;
  /** How far this machine is ahead of the database server, in milliseconds. */
  offset(): number;
  isOverridden(): boolean;
  read(): Promise<void>;
  stop(): void;
}

export const timeOf = async (db: Queryable): Promise<number> => {
  const row = await db.one<{ now: number }>(sql`select ${db.dialect.now} as now`);
  return Number(row?.now);
};

const clocksOf = (db: Queryable): Clocks => ({
  wall: Date.now,
  monotonic: () => performance.now(),
  server: () => timeOf(db),
});

/**
 * Time for what is stored, bounded by the database server's: `updatedAt` never goes back within a store, so one node
 * far ahead would stamp the store with the future for good. The server's time is read at the start and every minute
 * and continued with the monotonic clock, so that a jump between two readings is noticed at once.
 *
 * The embedded engine has no second clock, and a jump looks the same whether the clock was set wrong, set right or the
 * machine slept, so the machine's clock is used as it is.
 */
export async function serverTime(
  db: Queryable,
  onAhead: (aheadMs: number) => void,
  clocks: Clocks = clocksOf(db),
): Promise<ServerTime> {
  const { wall, monotonic, server } = clocks;
  const isEmbedded = db.dialect.engine === 'sqlite';
  if (isEmbedded) return { now: wall, offset: () => 0, isOverridden: () => false, read: async () => {}, stop() {} };

  let reference: { server: number; monotonic: number } | undefined;
  let isReading = false;
  let warnedAt = Number.NEGATIVE_INFINITY;

  async function read() {
    if (isReading) return;
    isReading = true;
    try {
      const before = monotonic();
      const time = await server();
      const after = monotonic();
      if (!reference || after - before <= MAX_ROUND_TRIP_MS)
        reference = { server: time, monotonic: (before + after) / 2 };
    } finally {
      isReading = false;
    }
  }

  await read();
  const expected = () =>
    reference ? Math.floor(reference.server + monotonic() - reference.monotonic) : Number.POSITIVE_INFINITY;
  const offset = () => wall() - expected();
  // A failed reading leaves the last one in use.
  const reread = () => void read().catch(() => {});
  const timer = setInterval(reread, READ_EVERY_MS);
  timer.unref();

  return {
    now() {
      const ahead = offset();
      if (ahead <= TOLERANCE_MS) return wall();
      if (monotonic() - warnedAt >= WARN_EVERY_MS) {
        warnedAt = monotonic();
        onAhead(ahead);
        // The monotonic clock stands still while a machine sleeps: a new reading tells which clock is right.
        reread();
      }
      return expected();
    },
    offset,
    isOverridden: () => offset() > TOLERANCE_MS,
    read,
    stop: () => clearInterval(timer),
  };
}
