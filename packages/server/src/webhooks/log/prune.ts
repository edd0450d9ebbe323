import type { Services } from '../../services.ts';
import { finishStopping } from '../endpoints/switch-off.ts';
import * as queries from './prune.queries.ts';

const DAY = 86_400_000;
/** On SQLite one batch blocks other writers for some milliseconds. */
const BATCH_SIZE = 500;

/**
 * Deletes expired log entries in batches and returns the number of deleted deliveries. Pending deliveries are kept, and
 * so are events, which are the timelines of the orders. First it finishes incomplete switch-offs: those made by the
 * dispatcher, and those interrupted by a crash.
 */
export async function prune({ config, db, now }: Services, batchSize = BATCH_SIZE): Promise<number> {
  await finishStopping(db, now());
  const before = now() - config.WEBHOOK_LOG_DAYS * DAY;
  await queries.deleteFigures(db, before);
  for (let deleted = 0; ; ) {
    const count = await db.transaction((tx) => queries.deleteDeliveries(tx, before, batchSize));
    deleted += count;
    if (count < batchSize) return deleted;
  }
}
