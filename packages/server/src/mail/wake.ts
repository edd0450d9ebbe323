const listeners = new Set<() => void>();

/** Calls `action` when mails were added in this process; returns a function to unsubscribe. */
export function onWake(action: () => void): () => void {
  listeners.add(action);
  return () => void listeners.delete(action);
}

/** Notifies the mailers of this process of new mails, so that they do not wait for the next poll. */
export function wake() {
  for (const action of listeners) action();
}
