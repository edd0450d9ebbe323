import type { Database } from '../db/database.ts';
import { firstUuidAt } from '../db/uuid.ts';
import { DAY } from '../duration.ts';
import type { Services } from '../services.ts';
import * as queries from './requests.queries.ts';

export const MAX_LINES = 100_000;
/** On SQLite one batch blocks other writers for some milliseconds. */
const BATCH_SIZE = 500;

/** Deletes the oldest lines of a store, at most `count` and only those below an id, in batches. */
export async function trim(db: Database, storeId: string, count: number, below?: string): Promise<number> {
  for (let deleted = 0; ; ) {
    const limit = Math.min(BATCH_SIZE, count - deleted);
    const found = limit
      ? await db.transaction((tx) => queries.deleteOldest(tx, storeId, limit, below), { storeId, isLazy: true })
      : 0;
    deleted += found;
    if (found < BATCH_SIZE) return deleted;
  }
}

/** Deletes expired lines and those above the limit of a store; returns their number. */
export async function pruneRequestLog({ config, db, now }: Services, maxLines = MAX_LINES): Promise<number> {
  const below = firstUuidAt(now() - config.REQUEST_LOG_DAYS * DAY);
  let deleted = 0;
  for (const { store_id: storeId, excess } of await queries.storesToPrune(db, below, maxLines)) {
    deleted += await trim(db, storeId, Math.max(0, Number(excess)));
    deleted += await trim(db, storeId, Number.POSITIVE_INFINITY, below);
  }
  return deleted;
}
