import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../services.ts';
import { MINUTE, SECOND } from '../time/duration.ts';

/** How long a task may go on before the next one has its time. */
const BUDGET_MS = 10 * SECOND;
/** Before a task that was not done is continued. */
const PAUSE_MS = SECOND;

export interface Task {
  name: string;
  everyMs: number;
  /** Works until it is done or the time is over, which it asks after each batch. */
  run(services: Services, isOver: () => boolean): Promise<unknown>;
}

interface TaskOptions {
  budgetMs?: number;
  /** Until the first run of all tasks. */
  firstMs?: number;
}

/**
 * Runs tasks now and then: one at a time, so that they use one connection of the pool, each for a limited time, and each
 * whether or not the one before failed. A task that was not done in its time goes on after the others had theirs.
 */
export function startTasks(
  services: Services,
  tasks: readonly Task[],
  { budgetMs = BUDGET_MS, firstMs = MINUTE }: TaskOptions = {},
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const dueAt = new Map(tasks.map((task) => [task, performance.now() + firstMs]));

  async function run(task: Task) {
    const end = performance.now() + budgetMs;
    const isOver = () => signal.aborted || performance.now() >= end;
    let wait = task.everyMs;
    try {
      await task.run(services, isOver);
      if (isOver()) wait = Math.min(PAUSE_MS, wait);
    } catch (err) {
      services.log.error({ err, task: task.name }, 'a periodic task failed; it is tried again');
    }
    dueAt.set(task, performance.now() + wait);
  }

  async function loop() {
    while (!signal.aborted) {
      const next = Math.min(...dueAt.values());
      await sleep(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => {});
      for (const [task, at] of dueAt) if (!signal.aborted && at <= performance.now()) await run(task);
    }
  }
  const running = loop();

  return {
    /** Waits for the end of the batch that is under way. */
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
