import { Refusal } from './refusal.ts';

/** A store has too many requests waiting, or this one waited too long: nothing was done for it. */
export class StoreBusy extends Refusal {
  constructor() {
    super('unavailable', 'The store has more requests than it can run at once; nothing was changed.');
  }
}

/** What of one store's (or owner's) work runs at once in this process. */
export type Kind =
  /** Creations and changes of orders. */
  | 'orderWrite'
  /** Other changes through the API; disabling a status may move many orders. */
  | 'referenceWrite'
  /** Order lists on the shared connections, without and with items. */
  | 'fastRead'
  | 'itemsRead'
  /** Reads that take a connection of the pool. */
  | 'slowRead'
  /** Pages of hundreds of kilobytes and more, within the limit of slow reads: each blocks the event loop for a while. */
  | 'largeRead'
  | 'consoleRead'
  | 'consoleWrite'
  | 'import';

type Limits = Record<Kind, number>;

/**
 * PostgreSQL: 9 of the pool's 10 connections at most, so that one store never takes all of them. The store's clock puts
 * commits in order, so of two order writes one prepares while the other commits; a third gains nothing. Reference writes
 * share these two, as most of them wait for the same clock.
 *
 * SQLite: order writes as many as share a commit, the rest few, as they block the event loop or the one writer.
 */
const limitsOf: Record<'sqlite' | 'postgres', Limits> = {
  postgres: {
    orderWrite: 2,
    referenceWrite: 2,
    fastRead: 64,
    itemsRead: 8,
    slowRead: 2,
    largeRead: 1,
    consoleRead: 2,
    consoleWrite: 2,
    import: 1,
  },
  sqlite: {
    orderWrite: 64,
    referenceWrite: 2,
    fastRead: 16,
    itemsRead: 8,
    slowRead: 1,
    largeRead: 1,
    consoleRead: 2,
    consoleWrite: 2,
    import: 1,
  },
};

/** As long as a request waits for a connection of the pool. */
const WAIT_LIMIT_MS = 15_000;

export interface RunOptions {
  /** Whether nobody waits for the result any more: it is not started then. */
  isGone?: () => boolean;
  /** Part of a response that has begun, such as an export: it waits without a limit. */
  isStreaming?: boolean;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Limits how much of one store's work runs at once; the rest waits here in order, in memory, and holds no connection.
 * So no store can take all connections of the pool or put hundreds of writes before another store's one.
 */
export function storeLimits(engine: 'sqlite' | 'postgres', waitLimitMs = WAIT_LIMIT_MS) {
  const limits = limitsOf[engine];
  const queues = new Map<string, Queue>();

  function release(name: string, queue: Queue) {
    const next = queue.waiting.shift();
    if (next) return next();
    queue.running--;
    if (!queue.running) queues.delete(name);
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
    /** Whose work it is: the console is limited by owner, the API by store. */
    tenantId: string,
    work: () => Promise<Result>,
    { isGone = () => false, isStreaming = false }: RunOptions = {},
  ): Promise<Result> {
    const name = `${engine === 'postgres' && kind === 'referenceWrite' ? 'orderWrite' : kind} ${tenantId}`;
    const queue = queues.get(name) ?? { running: 0, waiting: [] };
    queues.set(name, queue);
    const turn = acquire(queue, limits[kind], isStreaming);
    if (turn) await turn;
    const startedAt = performance.now();
    try {
      if (isGone()) throw new StoreBusy();
      return await work();
    } finally {
      // The next large read waits as long as this one took: others have the event loop for half of the time at least.
      if (kind === 'largeRead') setTimeout(release, performance.now() - startedAt, name, queue);
      // In the next iteration of the event loop: SQLite's reads are synchronous, and this bounds them per iteration.
      else setImmediate(release, name, queue);
    }
  };
}

export type StoreLimits = ReturnType<typeof storeLimits>;
