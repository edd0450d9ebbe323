import type { BulkChange, BulkOutcome, BulkResult } from '@store-sales/contract/console';
import type { Actor } from '../../actor.ts';
import type { Notices } from '../../customer-mail/notices.ts';
import type { Database } from '../../db/database.ts';
import { DomainError } from '../../domain-error.ts';
import { findOrder } from '../orders.queries.ts';
import { type ChangeRequest, changeOrder } from './change-order.ts';

interface BulkRequest extends BulkChange {
  storeId: string;
  actor: Actor;
  notices: Notices | undefined;
}

/**
 * Changes orders one by one, each in its own transaction and with its own events. Repeating a request changes nothing
 * twice: an order that already has the status is unchanged, whatever its version.
 */
export async function changeOrders(
  db: Database,
  { storeId, actor, notices, change, orders }: BulkRequest,
  now: number,
): Promise<BulkResult['results']> {
  const results: BulkResult['results'] = [];
  for (const { id: given, etag: ifMatch } of orders) {
    const id = given.toLowerCase();
    const request: ChangeRequest = { storeId, id, change, appliesPromo: true, actor, notices, ifMatch, now };
    const hasChanged = results.some(({ outcome }) => outcome === 'changed');
    results.push({ id: given, outcome: await outcomeOf(db, request, hasChanged) });
  }
  return results;
}

async function outcomeOf(db: Database, request: ChangeRequest, hasChanged: boolean): Promise<BulkOutcome> {
  const { storeId, id, change } = request;
  try {
    const { isChanged } = await db.write(changeOrder(request));
    return isChanged ? 'changed' : 'unchanged';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'not_found') return 'not_found';
    // An unknown or disabled status is an error of the request, unless it was disabled while the request ran.
    if (error.code === 'invalid_body' && hasChanged) return 'rejected';
    if (error.code !== 'precondition_failed') throw error;
    const current = await findOrder(db, storeId, id);
    const { statusId = current?.status_id, paymentStatusId = current?.payment_status_id } = change;
    const isSame =
      statusId?.toLowerCase() === current?.status_id && paymentStatusId?.toLowerCase() === current?.payment_status_id;
    return isSame ? 'unchanged' : 'conflict';
  }
}
