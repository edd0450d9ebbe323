import { setImmediate as roundOfLoop } from 'node:timers/promises';

/** Those who are in wait no longer than this for those who come. */
const LONGEST_MS = 50;

let connections = 0;

/** To be told of every connection as it is made. */
export function connectionAccepted() {
  connections++;
}

/**
 * Waits until the event loop has come round, and on for as long as every round brings somebody new, within a limit. The
 * loop accepts one connection in each of its rounds: whoever works for milliseconds in each leaves newcomers waiting in
 * the system's queue, where nobody can tell them anything.
 */
export async function yieldToNewConnections(limitMs: number) {
  const end = performance.now() + Math.min(limitMs, LONGEST_MS);
  let before: number;
  do {
    before = connections;
    await roundOfLoop();
  } while (connections !== before && performance.now() < end);
}
