/** Repeats the work at an interval, or later if it takes longer. */
export function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .then(() => {}, onError)
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    /** Waits for the work that is under way. */
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
