import { storeWalk } from '../db/batches/each-store.ts';
import { pruneKeysOf } from '../http/idempotency.ts';
import { NO_STORE } from '../mail/outbox.ts';
import { pruneMailsOf } from '../mail/start-mailer.ts';
import { pruneRequestsOf } from '../requests/prune.ts';
import { HOUR, MINUTE } from '../time/duration.ts';
import { finishDeleting } from '../webhooks/endpoints/delete-endpoint.ts';
import { finishStopping } from '../webhooks/endpoints/switch-off.ts';
import { pruneEventsOf } from '../webhooks/events/prune.ts';
import { pruneFigures, pruneLogOf } from '../webhooks/log/prune.ts';
import type { Task } from './start-tasks.ts';

/** What expires in a store. Events last, because the delivery log refers to them. */
const prunes = [pruneKeysOf, pruneMailsOf, pruneRequestsOf, pruneLogOf, pruneEventsOf];

/** What is finished after a crash or an interruption, and what is deleted when it has expired. */
export function maintenanceTasks(): Task[] {
  const walk = storeWalk();
  return [
    {
      name: 'stop deliveries of disabled endpoints',
      everyMs: MINUTE,
      run: ({ db, now }, isOver) => finishStopping(db, now(), { isOver }),
    },
    { name: 'delete endpoints', everyMs: MINUTE, run: ({ db }, isOver) => finishDeleting(db, isOver) },
    { name: 'prune figures of endpoints', everyMs: HOUR, run: pruneFigures },
    {
      name: 'prune mails of accounts',
      everyMs: HOUR,
      run: (services, isOver) => pruneMailsOf(services, NO_STORE, { isOver }),
    },
    {
      name: 'prune what has expired in each store',
      everyMs: HOUR,
      async run(services, isOver) {
        const prune = async (storeId: string) => {
          for (const pruneStore of prunes) if (!isOver()) await pruneStore(services, storeId, { isOver });
        };
        await walk(services.db, prune, isOver);
      },
    },
  ];
}
