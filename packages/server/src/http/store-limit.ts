import { DomainError } from '../domain-error.ts';

/** A request of this store has waited too long, and was not started. */
export class StoreBusy extends DomainError {
  constructor() {
    super('unavailable', 'The store has too many concurrent requests; nothing was changed.');
  }
}

/** Kinds of work, each with its own concurrency limit per store (or owner) in this process. */
export type Kind =
  /** Creations and changes of orders, which share a commit. */
  | 'orderWrite'
  /** Other changes through the API, and those of the console; disabling a status may move many orders. */
  | 'referenceWrite'
  | 'consoleWrite'
  | 'import'
  /** Reads on the connections that all stores share. */
  | 'fastRead'
  /** Reads that take a connection of the pool. */
  | 'slowRead'
  /** Orders with their items, within the limit of slow reads: a page of megabytes blocks the event loop for a while. */
  | 'largeRead'
  /** Pages of the order page, so that visitors do not delay the store's own reads. */
  | 'visit'
  /** Calls of agents, until their results are sent, which take memory. Each has the limits of its operation too. */
  | 'toolCall'
  /** Responses that other threads compress; the process has four of these. */
  | 'compression'
  /** Pictures that are decoded, by another process, and their writing. */
  | 'picture'
  /** Files that are sent, on the shared connections. */
  | 'file';

type Limits = Record<Kind, number>;

/**
 * PostgreSQL: 9 of the pool's 10 connections at most, so that one store never takes all of them. Order writes use one
 * connection, whatever their number (db/write/plan.ts). Reference writes use another, one at a time, as most of
 * them wait for the same clock.
 *
 * SQLite: order writes as many as share a commit, the rest few, as they block the event loop or the one writer.
 */
const limitsOf: Record<'sqlite' | 'postgres', Limits> = {
  postgres: {
    orderWrite: 64,
    referenceWrite: 1,
    consoleWrite: 2,
    import: 1,
    fastRead: 64,
    slowRead: 2,
    largeRead: 2,
    visit: 8,
    toolCall: 8,
    compression: 2,
    picture: 1,
    file: 8,
  },
  sqlite: {
    orderWrite: 64,
    referenceWrite: 2,
    consoleWrite: 2,
    import: 1,
    fastRead: 16,
    slowRead: 1,
    largeRead: 1,
    visit: 4,
    toolCall: 8,
    compression: 2,
    picture: 1,
    file: 4,
  },
};

/** The same as the timeout for a connection of the pool. */
const WAIT_LIMIT_MS = 15_000;
/** Large reads that were faster are followed by the next without a pause. */
const MIN_PAUSE_MS = 20;
/** A caller that has waited this long is checked again, as is one who watches a stream. */
const CHECK_AFTER_MS = 1000;

export interface RunOptions {
  /** Whether the client has disconnected; the work is then not started. */
  isGone?: () => boolean;
  /** Throws if the caller may not do it any more; called before work that has waited for long. */
  check?: () => Promise<void>;
  /** Part of a streaming response, such as an export: it waits without a timeout. */
  isStreaming?: boolean;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Limits the concurrent work of one store; the rest waits in an in-memory FIFO queue without a connection. So no store
 * can take all connections of the pool or queue hundreds of writes ahead of another store's.
 */
export function storeLimits(
  engine: 'sqlite' | 'postgres',
  { waitLimitMs = WAIT_LIMIT_MS, checkAfterMs = CHECK_AFTER_MS } = {},
) {
  const limits = limitsOf[engine];
  const queues = new Map<string, Queue>();

  function release(name: string, queue: Queue) {
    const next = queue.waiting.shift();
    if (next) return next();
    queue.running--;
    if (!queue.running) queues.delete(name);
  }

  let released: [name: string, queue: Queue][] = [];
  function releaseAll() {
    const slots = released;
    released = [];
    for (const [name, queue] of slots) release(name, queue);
  }

  /** Takes a slot of the queue, or waits for one. */
  function acquire(queue: Queue, max: number, isStreaming: boolean): Promise<void> | undefined {
    if (queue.running < max) {
      queue.running++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        queue.waiting.splice(queue.waiting.indexOf(start), 1);
        reject(new StoreBusy());
      };
      const timer = isStreaming ? undefined : setTimeout(giveUp, waitLimitMs);
      queue.waiting.push(start);
    });
  }

  return async function run<Result>(
    kind: Kind,
    /** The console is limited by owner, the API by store. */
    tenantId: string,
    work: () => Promise<Result>,
    { isGone = () => false, check, isStreaming = false }: RunOptions = {},
  ): Promise<Result> {
    const name = `${kind} ${tenantId}`;
    const queue = queues.get(name) ?? { running: 0, waiting: [] };
    queues.set(name, queue);
    const slot = acquire(queue, limits[kind], isStreaming);
    const askedAt = performance.now();
    if (slot) await slot;
    const startedAt = performance.now();
    try {
      if (isGone()) throw new StoreBusy();
      if (slot && startedAt - askedAt >= checkAfterMs) await check?.();
      return await work();
    } finally {
      const tookMs = performance.now() - startedAt;
      // The next large read waits as long as this one took, so most of the event loop time is left for others.
      if (kind === 'largeRead' && tookMs >= MIN_PAUSE_MS) setTimeout(release, tookMs, name, queue);
      // In the next iteration of the event loop: SQLite's reads are synchronous, and this bounds them per iteration.
      else if (released.push([name, queue]) === 1) setImmediate(releaseAll);
    }
  };
}

export type StoreLimits = ReturnType<typeof storeLimits>;
