import type { BulkChange, BulkOutcome, BulkResult } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import type { Database } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { applyChange, type ChangeRequest } from './change-order.ts';
import { statusesOf } from './orders.queries.ts';

interface BulkRequest extends BulkChange {
  storeId: string;
  actor: Actor;
}

/**
 * Changes orders one by one, each in its own transaction and with its own events. Repeating a request changes nothing
 * twice: an order that already has the status is unchanged, whatever its version.
 */
export async function changeOrders(
  db: Database,
  { storeId, actor, change, orders }: BulkRequest,
  now: number,
): Promise<BulkResult['results']> {
  const results: BulkResult['results'] = [];
  for (const { id: given, etag: ifMatch } of orders) {
    const id = given.toLowerCase();
    const request: ChangeRequest = { storeId, id, change, actor, ifMatch };
    const hasChanged = results.some(({ outcome }) => outcome === 'changed');
    results.push({ id: given, outcome: await outcomeOf(db, request, hasChanged, now) });
  }
  return results;
}

async function outcomeOf(db: Database, request: ChangeRequest, hasChanged: boolean, now: number): Promise<BulkOutcome> {
  const { storeId, id, change } = request;
  try {
    const isChanged = await db.transaction((tx) => applyChange(tx, request, now), { storeId });
    return isChanged ? 'changed' : 'unchanged';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'not_found') return 'not_found';
    // An unknown or disabled status is an error of the request, unless it was disabled while the request ran.
    if (error.code === 'invalid_body' && hasChanged) return 'rejected';
    if (error.code !== 'precondition_failed') throw error;
    const current = await statusesOf(db, storeId, id);
    const { statusId = current?.status_id, paymentStatusId = current?.payment_status_id } = change;
    const isSame =
      statusId?.toLowerCase() === current?.status_id && paymentStatusId?.toLowerCase() === current?.payment_status_id;
    return isSame ? 'unchanged' : 'conflict';
  }
}
