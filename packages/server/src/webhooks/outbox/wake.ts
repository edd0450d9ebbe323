const sleepers = new Set<() => void>();

/** Called whenever deliveries were added in this process; returns how to stop listening. */
export function onWake(action: () => void): () => void {
  sleepers.add(action);
  return () => void sleepers.delete(action);
}

/** Deliveries are due: the dispatchers of this process need not wait for their next poll. */
export function wake() {
  for (const action of sleepers) action();
}
