import { type Batches, deleteExpired } from '../db/batches/delete-expired.ts';
import { startWorker, type Worker } from '../queue/start-worker.ts';
import type { Services } from '../services.ts';
import { DAY, SECOND } from '../time/duration.ts';
import { createMailer, type MailerOptions } from './mailer.ts';
import { LONGEST_LIMIT } from './outbox.ts';
import { finishedUntil } from './queue.queries.ts';
import { onWake } from './wake.ts';

/** Less than the limit of a graceful stop. */
const MAX_STOP_WAIT = 10 * SECOND;
const DEAD_MAIL_LIFE = 30 * DAY;

/** Sends mails in this process. */
export function startMailer(services: Services, options: MailerOptions = {}): Worker {
  const mailer = createMailer(services, options);
  const worker = startWorker({
    async cycle() {
      await mailer.cycle();
      return {};
    },
    onError: (err) => services.log.error({ err }, 'failed to claim or record mails; retrying'),
    onWake,
    stopClaiming: mailer.stopClaiming,
    close: () => mailer.close(MAX_STOP_WAIT),
  });
  mailer.onMailFinished(worker.wake);
  return worker;
}

/** Deletes the mails of a store, or of accounts, that were sent or given up long ago. */
export function pruneMailsOf({ db, now }: Services, storeId: string, batches?: Batches): Promise<number> {
  const until = { sent: now() - LONGEST_LIMIT, dead: now() - DEAD_MAIL_LIFE };
  return deleteExpired(db, storeId, finishedUntil(storeId, until), batches);
}
