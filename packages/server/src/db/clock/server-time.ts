import { MINUTE } from '../../time/duration.ts';
import type { Queryable } from '../database.ts';
import { sql } from '../sql.ts';

/** If a node is ahead of the database by more than this, the time of the database is used. */
export const CLOCK_TOLERANCE_MS = MINUTE;
const READ_INTERVAL_MS = MINUTE;
const WARN_INTERVAL_MS = MINUTE;
/** A slower reading is too inaccurate. */
const MAX_ROUND_TRIP_MS = 10_000;

export interface Clocks {
  wall(): number;
  /** Milliseconds; never jumps. */
  monotonic(): number;
  /** The time of the database server. */
  server(): Promise<number>;
}

export interface ServerTime {
  /** The time of this machine, or the database server's if this machine is more than a minute ahead of it. */
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
 * The time to store, bounded by the database server's: `updatedAt` never goes back within a store, so a node whose clock
 * is far ahead would move the store into the future. The server's time is read at start and every minute, and
 * extrapolated with the monotonic clock, so a jump between two readings is detected immediately.
 *
 * SQLite has no second clock to compare with, so the machine's clock is used unchanged; see clocks-ahead.ts.
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
  // After a failure, the last reading stays in use.
  const reread = () => void read().catch(() => {});
  const timer = setInterval(reread, READ_INTERVAL_MS);
  timer.unref();

  return {
    now() {
      const ahead = offset();
      if (ahead <= CLOCK_TOLERANCE_MS) return wall();
      if (monotonic() - warnedAt >= WARN_INTERVAL_MS) {
        warnedAt = monotonic();
        onAhead(ahead);
        // The monotonic clock stops while a machine sleeps: a new reading shows which clock is right.
        reread();
      }
      return expected();
    },
    offset,
    isOverridden: () => offset() > CLOCK_TOLERANCE_MS,
    read,
    stop: () => clearInterval(timer),
  };
}
