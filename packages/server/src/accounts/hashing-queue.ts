import { TooSoon } from './attempts.ts';

/** Password hashes occupy libuv's threads (four by default), which files and other work need too. */
const MAX_RUNNING = 2;
/** Strangers leave a thread, and on a small machine a core, to others. */
const MAX_RUNNING_OTHERS = 1;
const RETRY_SECONDS = 2;

export interface HashingJob {
  /** Who the job is for: a client network, or an owner. */
  key: string;
  /** A known browser or a live session: runs before all others, in a queue that others cannot fill. */
  isPreferred: boolean;
  /** Whether the client has gone; then there is nothing to do any more. */
  isGone?(): boolean;
}

interface Waiting {
  job: HashingJob;
  start(): void;
  drop(): void;
}

/**
 * Runs password hashes, two at a time, and one at a time for strangers. Queues are short, in all and for each key, so that an attacker who sends and drops
 * sign-ins makes no work pile up and takes no more than a share; a job that finds its queue full fails at once.
 */
export function hashingQueue() {
  const preferred = queue(16, 2);
  const others = queue(32, 8);
  let running = 0;
  let runningOthers = 0;

  function next() {
    while (running < MAX_RUNNING) {
      const waiting = preferred.shift() ?? (runningOthers < MAX_RUNNING_OTHERS ? others.shift() : undefined);
      if (!waiting) return;
      if (waiting.job.isGone?.()) waiting.drop();
      else waiting.start();
    }
  }

  return {
    /** Throws at once, not in the promise, when the queue is full: what was not queued was not an attempt. */
    run<Result>(job: HashingJob, work: () => Promise<Result>): Promise<Result> {
      const line = job.isPreferred ? preferred : others;
      line.enter(job.key);
      const result = new Promise<Result>((resolve, reject) => {
        line.push({
          job,
          start() {
            running++;
            if (!job.isPreferred) runningOthers++;
            work()
              .finally(() => {
                running--;
                if (!job.isPreferred) runningOthers--;
                line.leave(job.key);
                next();
              })
              .then(resolve, reject);
          },
          drop() {
            line.leave(job.key);
            reject(new TooSoon(RETRY_SECONDS));
          },
        });
      });
      next();
      return result;
    },
  };
}

export type HashingQueue = ReturnType<typeof hashingQueue>;

/** First in, first out; bounded in all and by key. A job counts until it has ended. */
function queue(limit: number, limitByKey: number) {
  const waiting: Waiting[] = [];
  const byKey = new Map<string, number>();
  let total = 0;
  return {
    enter(key: string) {
      const count = byKey.get(key) ?? 0;
      if (total >= limit || count >= limitByKey) throw new TooSoon(RETRY_SECONDS);
      total++;
      byKey.set(key, count + 1);
    },
    leave(key: string) {
      total--;
      const count = (byKey.get(key) as number) - 1;
      if (count) byKey.set(key, count);
      else byKey.delete(key);
    },
    push: (one: Waiting) => void waiting.push(one),
    shift: () => waiting.shift(),
  };
}
