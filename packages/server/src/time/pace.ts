/** Longest time an import computes before yielding to the event loop. */
const MAX_BLOCK_MS = 4;
/** Steps between two checks of the clock. */
const STEPS_PER_CHECK = 32;

const waiting: (() => void)[] = [];

function resumeNext() {
  waiting.shift()?.();
  if (waiting.length) setImmediate(resumeNext);
}

/**
 * Waits for the next iteration of the event loop. Only one import resumes per iteration: with `setImmediate` alone all
 * of them would resume in the same one, and delay requests by their sum.
 */
export const yieldToEventLoop = () =>
  new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext);
  });

/** Keeps a long computation from blocking the event loop: `await pace.step()` in its loops. */
export class Pace {
  private steps = 0;
  private start = performance.now();

  step(): Promise<void> | undefined {
    return ++this.steps % STEPS_PER_CHECK || !this.isTimeUp() ? undefined : this.pause();
  }

  isTimeUp = () => performance.now() - this.start >= MAX_BLOCK_MS;

  async pause() {
    await yieldToEventLoop();
    this.start = performance.now();
  }
}
