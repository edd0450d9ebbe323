import { DAY, MINUTE, SECOND } from '../duration.ts';
import type { Services } from '../services.ts';
import { createMailer, type MailerOptions } from './mailer.ts';
import { LONGEST_LIMIT } from './outbox.ts';
import { prune } from './queue.queries.ts';
import { onWake } from './wake.ts';

/** Poll interval for mails added by other processes, and for retries. */
const POLL = SECOND;
const MAINTENANCE = MINUTE;
/** Less than the limit of a graceful stop. */
const MAX_STOP_WAIT = 10 * SECOND;
const DEAD_MAIL_LIFE = 30 * DAY;
const PRUNE_BATCH = 500;

/** Looks for what has to be mailed about. */
interface MailTask {
  run(services: Services): Promise<void>;
  everyMs: number;
}

/** Sends mails in this process. Any number of processes may share a database. */
export function startMailer(
  services: Services,
  { tasks = [], ...options }: MailerOptions & { tasks?: MailTask[] } = {},
) {
  const { log } = services;
  const mailer = createMailer(services, options);
  let isStopped = false;
  let isWoken = false;
  let running: Promise<void> | undefined;

  function wake() {
    isWoken = true;
    if (!isStopped)
      running ??= run().finally(() => {
        running = undefined;
        if (isWoken) wake();
      });
  }

  async function run() {
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        await mailer.cycle();
      } catch (err) {
        // The next poll retries.
        log.error({ err }, 'failed to claim or record mails');
      }
    }
  }

  const unsubscribe = onWake(wake);
  mailer.onMailFinished(wake);
  const polling = setInterval(wake, POLL);
  const repeated = [...tasks, { run: maintain, everyMs: MAINTENANCE }].map((task) => repeat(task, services));
  wake();

  return {
    async stop() {
      isStopped = true;
      isWoken = false;
      mailer.stopClaiming();
      unsubscribe();
      clearInterval(polling);
      await Promise.all([running, ...repeated.map((task) => task.stop())]);
      await mailer.close(MAX_STOP_WAIT);
    },
  };
}

/** Runs a task now and then, never twice at the same time. */
function repeat({ run, everyMs }: MailTask, services: Services) {
  let running: Promise<void> | undefined;
  const start = () => {
    running ??= run(services)
      .catch((err) => services.log.error({ err }, 'failed to look for what has to be mailed'))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(start, everyMs);
  start();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Deletes mails that were sent or given up long ago. */
export async function maintain({ db, now }: Services) {
  const ends = [
    ['sent', now() - LONGEST_LIMIT],
    ['dead', now() - DEAD_MAIL_LIFE],
  ] as const;
  for (const [state, before] of ends) while ((await prune(db, state, before, PRUNE_BATCH)) === PRUNE_BATCH);
}
