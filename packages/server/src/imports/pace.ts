/** An import computes no longer than this before it lets the event loop run. */
const SLICE_MS = 4;
/** Steps between two looks at the clock. */
const STEPS = 32;

const waiting: (() => void)[] = [];

function resumeNext() {
  waiting.shift()?.();
  if (waiting.length) setImmediate(resumeNext);
}

/**
 * Waits for the next iteration of the event loop. However many imports run, one of them resumes in each iteration:
 * with `setImmediate` alone all of them would resume in the same one, and a request would wait for them all.
 */
export const nextTurn = () =>
  new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext);
  });

/** Keeps a long computation from blocking the event loop: `await pace.step()` in its loops. */
export class Pace {
  private steps = 0;
  private start = performance.now();

  step(): Promise<void> | undefined {
    return ++this.steps % STEPS || !this.isOver() ? undefined : this.pause();
  }

  isOver = () => performance.now() - this.start >= SLICE_MS;

  async pause() {
    await nextTurn();
    this.start = performance.now();
  }
}
