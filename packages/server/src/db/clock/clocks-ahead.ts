import { MINUTE } from '../../time/duration.ts';
import type { Queryable } from '../database.ts';
import { sql } from '../sql.ts';
import { CLOCK_TOLERANCE_MS } from './server-time.ts';

const READ_INTERVAL_MS = 10 * MINUTE;

/**
 * Tells the operator while the times of a store are ahead of the present. They are if a clock was ahead when they were
 * stored, and stay there until the present has caught up.
 */
export async function watchStoreClocks(db: Queryable, now: () => number, onAhead: (aheadMs: number) => void) {
  let latest = 0;
  const aheadMs = () => Math.max(0, latest - now());

  async function read() {
    const clocks = await db.one<{ latest: number | null }>(sql`select max(ts) as latest from store_clocks`);
    latest = clocks?.latest ?? 0;
    if (aheadMs() > CLOCK_TOLERANCE_MS) onAhead(aheadMs());
  }

  // After a failure, the last reading stays in use.
  const reread = () => read().catch(() => {});
  await reread();
  const timer = setInterval(reread, READ_INTERVAL_MS);
  timer.unref();
  return { aheadMs, read, stop: () => clearInterval(timer) };
}
