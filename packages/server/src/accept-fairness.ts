import { setImmediate as nextIteration } from 'node:timers/promises';

/** Longest delay for requests in flight while new connections are accepted. */
const MAX_DELAY_MS = 50;

let connections = 0;

/** Call it for every accepted connection. */
export function connectionAccepted() {
  connections++;
}

/**
 * Waits for event loop iterations until one accepts no new connection, within a limit. The loop accepts one connection
 * per iteration, so code that works for milliseconds in each would leave new connections in the kernel's accept queue.
 */
export async function yieldToNewConnections(limitMs: number) {
  const end = performance.now() + Math.min(limitMs, MAX_DELAY_MS);
  let before: number;
  do {
    before = connections;
    await nextIteration();
  } while (connections !== before && performance.now() < end);
}
