import * as unfinished from '../../db/batches/unfinished-changes.ts';
import { DomainError } from '../../domain-error.ts';
import type { Services } from '../../services.ts';
import { recountWarehouse } from '../../stock/recount-warehouse.ts';
import { changeOrderStatus } from '../statuses/order-statuses.ts';
import { changePaymentStatus } from '../statuses/payment-statuses.ts';
import { mergeCustomers } from './merge-customers.ts';

/** Resumes changes left by a process that died. If another process is still running one, both move what is left. */
export async function resumeChanges({ db, log }: Pick<Services, 'db' | 'log'>) {
  for (const change of await unfinished.list(db)) {
    const { kind, storeId, id, fields, actor, now } = change;
    if (kind === 'customer_erasure') continue;
    log.info({ kind, storeId, id, requestedAt: now }, 'resuming a change');
    try {
      if (kind === 'order_status') await changeOrderStatus(db, change);
      else if (kind === 'payment_status') await changePaymentStatus(db, change);
      else if (kind === 'warehouse') await recountWarehouse(db, { ...change, kind });
      else await mergeCustomers(db, { storeId, mergedId: id, actor, now, ...(fields as { keptId: string }) });
    } catch (error) {
      // The change is no longer possible: its name was taken, or the customer was merged in the meantime.
      if (!(error instanceof DomainError)) throw error;
      log.warn({ kind, storeId, id, reason: error.message }, 'change abandoned');
      await unfinished.remove(db, change);
    }
  }
}
