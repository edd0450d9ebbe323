import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { OrderMover } from './moving.ts';
import { changeOrderStatus } from './order-statuses.ts';
import { changePaymentStatus } from './payment-statuses.ts';
import * as queries from './unfinished.queries.ts';

/** Resumes changes left by a process that died. If another process is still running one, both move what is left. */
export async function resumeStatusChanges({ db, log }: Services, moving: OrderMover) {
  for (const change of await queries.unfinished(db)) {
    const { kind, storeId, id, now } = change;
    log.info({ storeId, statusId: id, askedAt: now }, 'resuming a status change');
    try {
      await (kind === 'order_status' ? changeOrderStatus : changePaymentStatus)(db, moving, change);
    } catch (error) {
      // The change is no longer possible: its name was taken in the meantime.
      if (!(error instanceof Refusal)) throw error;
      log.warn({ storeId, statusId: id, reason: error.message }, 'status change abandoned');
      await queries.finish(db, storeId, id);
    }
  }
}
