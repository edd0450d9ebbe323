import type { TrackOrders, TrackResult } from '@store-sales/contract/console';
import type { Actor } from '../../actor.ts';
import type { Database } from '../../db/database.ts';
import { idsOfNumbers } from '../orders.queries.ts';
import { type ChangeRequest, changeOrder } from './change-order.ts';

/** Sets the tracking numbers of orders one by one, each in its own transaction. Repeating a request changes nothing twice. */
export async function trackOrders(
  db: Database,
  {
    storeId,
    actor,
    orders,
    ...more
  }: TrackOrders & Omit<ChangeRequest, 'id' | 'change' | 'appliesPromo' | 'ifMatch'> & { actor: Actor },
): Promise<TrackResult['results']> {
  const found = await idsOfNumbers(
    db,
    storeId,
    orders.map(({ number }) => number),
  );
  const ids = new Map(found.map(({ number, id }) => [number, id]));
  const results: TrackResult['results'] = [];
  for (const { number, trackingNumber } of orders) {
    const id = ids.get(number);
    const change = { delivery: { trackingNumber } };
    const changed = id && (await db.write(changeOrder({ ...more, storeId, actor, id, change, appliesPromo: true })));
    results.push({ number, outcome: changed ? (changed.isChanged ? 'changed' : 'unchanged') : 'not_found' });
  }
  return results;
}
