import { type Batches, deleteExpired } from '../db/batches/delete-expired.ts';
import type { Transaction } from '../db/database.ts';
import { firstUuidAt } from '../db/uuid.ts';
import type { Services } from '../services.ts';
import { DAY } from '../time/duration.ts';
import * as queries from './requests.queries.ts';

/** Deletes the expired lines of a store in batches; returns their number. */
export function pruneRequestsOf({ config, db, now }: Services, storeId: string, batches?: Batches): Promise<number> {
  const below = firstUuidAt(now() - config.REQUEST_LOG_DAYS * DAY);
  const expired = {
    isAny: () => queries.hasLines(db, storeId, below),
    deleteSome: (tx: Transaction, limit: number) => queries.deleteOldest(tx, storeId, limit, below),
  };
  return deleteExpired(db, storeId, expired, batches);
}
