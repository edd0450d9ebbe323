import { setTimeout as sleep } from 'node:timers/promises';

/** Poll interval for work added by other processes, and minimum time between cycles after a database error. */
const POLL_MS = 1000;

/** What a cycle says about the next one. */
interface Cycle {
  /** The next work is due then: a cycle starts before the next poll. */
  dueInMs?: number | undefined;
  /** Minimum time between the start of this cycle and the next; 0 by default. */
  gapMs?: number;
}

interface Work {
  /** Records what has ended, and claims and starts what is due. */
  cycle(): Promise<Cycle>;
  onError(error: unknown): void;
  /** Calls `action` when work was added; returns a function to unsubscribe. */
  onWake(action: () => void): () => void;
  stopClaiming(): void;
  /** Waits for what is under way and records it. */
  close(): Promise<void>;
}

export interface Worker {
  /** Starts a cycle now instead of at the next poll. */
  wake(): void;
  stop(): Promise<void>;
}

/** Runs the cycles of a queue in this process, one at a time. Any number of processes may share a database. */
export function startWorker({ cycle, onError, onWake, stopClaiming, close }: Work): Worker {
  let isStopped = false;
  let isWoken = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastCycle = Number.NEGATIVE_INFINITY;
  let gap = 0;

  function wake() {
    isWoken = true;
    if (!isStopped)
      running ??= run().finally(() => {
        running = undefined;
        // Woken after the last check in `run`.
        if (isWoken) wake();
      });
  }

  /** Runs cycles while woken, then schedules the next poll. */
  async function run() {
    clearTimeout(timer);
    let pause = POLL_MS;
    while (isWoken && !isStopped) {
      await sleep(Math.max(0, lastCycle + gap - performance.now()));
      if (isStopped) break;
      isWoken = false;
      lastCycle = performance.now();
      try {
        const { dueInMs = POLL_MS, gapMs = 0 } = await cycle();
        gap = gapMs;
        pause = Math.min(POLL_MS, Math.max(1, dueInMs));
      } catch (error) {
        onError(error);
        pause = POLL_MS;
        gap = POLL_MS;
        isWoken = false;
      }
    }
    if (!isStopped) timer = setTimeout(wake, pause);
  }

  const unsubscribe = onWake(wake);
  wake();

  return {
    wake,
    async stop() {
      isStopped = true;
      stopClaiming();
      unsubscribe();
      clearTimeout(timer);
      await running;
      await close();
    },
  };
}
