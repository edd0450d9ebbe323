import { DAY } from '../../duration.ts';
import type { Services } from '../../services.ts';
import * as queries from './prune.queries.ts';

/** On SQLite one batch blocks other writers for some milliseconds. */
const BATCH_SIZE = 500;

/**
 * Deletes expired log entries in batches and returns the number of deleted deliveries. Pending deliveries are kept, and
 * so are events, which are the timelines of the orders.
 */
export async function prune({ config, db, now }: Services, batchSize = BATCH_SIZE): Promise<number> {
  const before = now() - config.WEBHOOK_LOG_DAYS * DAY;
  await queries.deleteFigures(db, before);
  for (let deleted = 0; ; ) {
    const count = await db.transaction((tx) => queries.deleteOld(tx, before, batchSize));
    deleted += count;
    if (count < batchSize) return deleted;
  }
}
