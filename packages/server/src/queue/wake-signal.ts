/** Tells the workers of this process about work that was added, so that they do not wait for the next poll. */
export function wakeSignal() {
  const listeners = new Set<() => void>();
  return {
    /** Returns a function to unsubscribe. */
    onWake(action: () => void): () => void {
      listeners.add(action);
      return () => void listeners.delete(action);
    },
    wake() {
      for (const action of listeners) action();
    },
  };
}
