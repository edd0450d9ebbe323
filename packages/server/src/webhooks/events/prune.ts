import type { Batches } from '../../db/batches/delete-expired.ts';
import { firstUuidAt } from '../../db/uuid.ts';
import type { Services } from '../../services.ts';
import { DAY } from '../../time/duration.ts';
import * as queries from './prune.queries.ts';

/** Events of after this time are kept, at least as long as the delivery log, which shows them. */
export const eventsSince = ({ EVENT_DAYS, WEBHOOK_LOG_DAYS }: Services['config'], now: number) =>
  now - Math.max(EVENT_DAYS, WEBHOOK_LOG_DAYS) * DAY;

/**
 * Deletes expired events of a store and returns their number. An event that still has a delivery is kept: it is pending, or
 * was sent long after the event.
 */
export async function pruneEventsOf(
  { config, db, now }: Services,
  storeId: string,
  { isOver = () => false, batchSize = db.dialect.deletesPerBatch }: Batches = {},
): Promise<number> {
  const below = firstUuidAt(eventsSince(config, now()));
  // Outside of a transaction, because few stores have expired events.
  let after = await queries.oldestBelow(db, storeId, below);
  for (let deleted = 0; after !== undefined; ) {
    const from: string = after;
    const ids = await db.transaction((tx) => queries.deleteOld(tx, storeId, { from, below, limit: batchSize }), {
      storeId,
    });
    deleted += ids.length;
    if (ids.length < batchSize || isOver()) return deleted;
    after = ids.reduce((last, { id }) => (id > last ? id : last), from);
  }
  return 0;
}
