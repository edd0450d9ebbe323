import { TooSoon } from './attempts.ts';

/** Password hashes run on the libuv thread pool (four threads by default), which file I/O needs too. */
const MAX_RUNNING = 2;
/** Jobs that are not preferred leave a thread, and on a small machine a core, free. */
const MAX_RUNNING_OTHERS = 1;
const RETRY_SECONDS = 2;

export interface HashingJob {
  /** The client network or the owner the job is for. */
  key: string;
  /** A known browser or an active session: runs first, in a queue that others cannot fill. */
  isPreferred: boolean;
  /** Whether the client has disconnected, so that the job can be dropped. */
  isGone?(): boolean;
}

interface Waiting {
  job: HashingJob;
  start(): void;
  drop(): void;
}

/**
 * Runs password hashes: two at a time, of which one may be from an unknown browser. Queues are short, in total and per
 * key, so that an attacker who sends and aborts sign-ins neither builds up a backlog nor gets more than a share. A job
 * that finds its queue full fails immediately.
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
    /** Throws synchronously if the queue is full, so that the caller does not count it as an attempt. */
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

/** A FIFO queue, limited in total and per key. A job counts until it has finished. */
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
