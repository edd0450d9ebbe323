import type { Server } from 'node:http';
import { setImmediate as nextIteration } from 'node:timers/promises';

/** Longest delay for requests in flight while new connections are accepted. */
const MAX_DELAY_MS = 50;
/** Requests handled before new connections are accepted again. */
const BATCH_SIZE = 16;

/** Of all servers of this process. */
let connections = 0;

/**
 * Waits until an iteration of the event loop accepts no new connection, but no longer than the work took that the loop has
 * just done, from `workedSince` on. The loop accepts one connection per iteration and does whatever is due in between, so
 * under load new clients would wait in the system's accept queue, where they are not counted. (At three times the
 * capacity: up to 32 s, without a rejection.)
 */
export async function yieldToNewConnections(workedSince: number) {
  let end: number | undefined;
  let before: number;
  do {
    before = connections;
    await nextIteration();
    const now = performance.now();
    end ??= now + Math.min(now - workedSince, MAX_DELAY_MS);
  } while (connections !== before && performance.now() < end);
}

/** Accepts new connections before requests are handled; returns a promise if a request has to wait for that. */
export function acceptConnectionsFirst(server: Server): () => Promise<void> | undefined {
  let wasAccepted = false;
  const queue: (() => void)[] = [];
  server.on('connection', () => {
    connections++;
    if (!wasAccepted)
      setImmediate(() => {
        wasAccepted = false;
      });
    wasAccepted = true;
  });

  async function handleQueue() {
    for (let since = performance.now(); queue.length; ) {
      await yieldToNewConnections(since);
      since = performance.now();
      for (const handle of queue.splice(0, BATCH_SIZE)) handle();
    }
  }

  return function delay() {
    if (!wasAccepted && !queue.length) return undefined;
    return new Promise((resolve) => {
      if (queue.push(resolve) === 1) void handleQueue();
    });
  };
}
