import { firstUuidAt } from '../db/uuid.ts';
import { DAY } from '../duration.ts';
import type { Services } from '../services.ts';
import * as queries from './requests.queries.ts';

/** On SQLite one batch blocks other writers for some milliseconds. */
const BATCH_SIZE = 500;

/** Deletes expired lines, store by store and in batches; returns their number. */
export async function pruneRequestLog({ config, db, now }: Services, batchSize = BATCH_SIZE): Promise<number> {
  const below = firstUuidAt(now() - config.REQUEST_LOG_DAYS * DAY);
  let deleted = 0;
  for (const { store_id: storeId } of await queries.storesToPrune(db, below))
    for (let count = batchSize; count === batchSize; deleted += count)
      count = await db.transaction((tx) => queries.deleteOldest(tx, storeId, batchSize, below), {
        storeId,
        isLazy: true,
      });
  return deleted;
}
