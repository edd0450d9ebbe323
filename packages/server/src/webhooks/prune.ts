import type { Services } from '../services.ts';
import * as store from './prune.store.ts';

const DAY = 86_400_000;
/** Small enough that others hardly notice; on SQLite one step holds the file for some milliseconds. */
const STEP = 500;

/**
 * Removes what the log no longer keeps, step by step, and returns how many deliveries that were. Deliveries
 * that still wait stay, and so do events: they are the timeline of the orders.
 */
export async function prune({ config, db, now }: Services, step = STEP): Promise<number> {
  const before = now() - config.WEBHOOK_LOG_DAYS * DAY;
  await store.deleteFigures(db, before);
  for (let removed = 0; ; ) {
    const count = await db.transaction((tx) => store.deleteDeliveries(tx, before, step));
    removed += count;
    if (count < step) return removed;
  }
}
