import type { Services } from '../../services.ts';
import { finishStopping } from '../endpoints/switch-off.ts';
import * as queries from './prune.queries.ts';

const DAY = 86_400_000;
/** Small enough that others hardly notice; on SQLite one step holds the file for some milliseconds. */
const STEP = 500;

/**
 * Removes what the log no longer keeps, step by step, and returns how many deliveries that were. Deliveries
 * that still wait stay, and so do events: they are the timeline of the orders. First it stops what a switch-off has left:
 * the dispatcher's own switch-offs, and those that a crash cut short.
 */
export async function prune({ config, db, now }: Services, step = STEP): Promise<number> {
  await finishStopping(db, now());
  const before = now() - config.WEBHOOK_LOG_DAYS * DAY;
  await queries.deleteFigures(db, before);
  for (let removed = 0; ; ) {
    const count = await db.transaction((tx) => queries.deleteDeliveries(tx, before, step));
    removed += count;
    if (count < step) return removed;
  }
}
