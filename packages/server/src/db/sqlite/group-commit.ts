import { setImmediate as nextIteration } from 'node:timers/promises';
import type { TransactionOptions } from '../database.ts';

const MAX_BATCH_MS = 5;
const MAX_BATCH_SIZE = 64;

/** The only connection that writes. */
interface Writer {
  begin(): Promise<void>;
  exec(text: string): void;
  /** Whether a transaction is open; SQLite rolls back by itself on a disk error. */
  isOpen(): boolean;
}

export interface GroupCommitOptions {
  /** Longest time a batch stays open; a test sets its own, so that a busy machine does not split its batches. */
  maxBatchMs?: number;
  /** Lets others have the event loop before a batch; the last batch began at `workedSince`. */
  yieldToOthers?: (workedSince: number) => Promise<void>;
}

interface PendingTransaction extends TransactionOptions {
  work: () => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Round-robin between stores, first in first out within a store. Transactions of no store count as one more store. */
function fairQueue() {
  // A map keeps insertion order: the store that was served moves to the end.
  const stores = new Map<string, PendingTransaction[]>();
  const first = () => stores.entries().next().value;
  return {
    push(transaction: PendingTransaction) {
      const name = transaction.storeId ?? '';
      const pending = stores.get(name);
      if (pending) pending.push(transaction);
      else stores.set(name, [transaction]);
    },
    peek: () => first()?.[1][0],
    shift(): PendingTransaction {
      const [name, pending] = first() as [string, PendingTransaction[]];
      const transaction = pending.shift() as PendingTransaction;
      stores.delete(name);
      if (pending.length) stores.set(name, pending);
      return transaction;
    },
    drain(): PendingTransaction[] {
      const all = [...stores.values()].flat();
      stores.clear();
      return all;
    },
  };
}

/**
 * Runs transactions one at a time, round-robin between stores, with group commit: transactions that are queued at the
 * same time share one commit and its fsync, which is most of the cost of a small transaction. Each runs in its own
 * savepoint, can fail alone, and resolves after the shared commit. With 32 concurrent writers, throughput more than
 * doubles.
 */
export function groupCommit(
  writer: Writer,
  { maxBatchMs = MAX_BATCH_MS, yieldToOthers = () => nextIteration() }: GroupCommitOptions,
) {
  const queue = fairQueue();
  let running: Promise<void> | undefined;
  /** Writes that the transactions of the open batch leave for its end. */
  let lastWrites: (() => void)[] = [];

  async function run() {
    for (let start = performance.now(); queue.peek(); ) {
      // Requests that have already arrived get to join the batch.
      await yieldToOthers(start);
      start = performance.now();
      const isLazy = queue.peek()?.isLazy ?? false;
      const work = isLazy ? withoutSync(() => batch(true)) : batch(false);
      const callbacks = await work.catch((error) =>
        queue.drain().map(
          ({ reject }) =>
            () =>
              reject(error),
        ),
      );
      for (const callback of callbacks) callback();
    }
    running = undefined;
  }

  /** The next synchronous commit also makes these durable. */
  async function withoutSync<Result>(work: () => Promise<Result>): Promise<Result> {
    // SQLite ignores this inside a transaction.
    writer.exec('pragma synchronous = NORMAL');
    try {
      return await work();
    } finally {
      writer.exec('pragma synchronous = FULL');
    }
  }

  async function batch(isLazy: boolean): Promise<(() => void)[]> {
    const members: PendingTransaction[] = [];
    lastWrites = [];
    try {
      await writer.begin();
      const end = performance.now() + maxBatchMs;
      const callbacks: (() => void)[] = [];
      do {
        const next = queue.shift();
        members.push(next);
        callbacks.push(await runMember(next, members.length > 1));
      } while (writer.isOpen() && mayJoin(members, isLazy) && performance.now() < end);
      if (writer.isOpen()) {
        for (const write of lastWrites) write();
        writer.exec('commit');
      }
      return callbacks;
    } catch (error) {
      if (writer.isOpen()) writer.exec('rollback');
      // `begin` failed: reject the whole queue, as each further attempt would wait for the lock just as long.
      if (!members.length) members.push(...queue.drain());
      return members.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
  }

  /** Returns the callback to call after the commit. The first needs no savepoint, as there is nothing to preserve. */
  async function runMember(
    { work, resolve, reject }: PendingTransaction,
    hasPredecessors: boolean,
  ): Promise<() => void> {
    if (hasPredecessors) writer.exec('savepoint member');
    const writesBefore = lastWrites.length;
    try {
      const result = await work();
      if (hasPredecessors) writer.exec('release member');
      return () => resolve(result);
    } catch (error) {
      if (!writer.isOpen()) throw error;
      writer.exec(hasPredecessors ? 'rollback to member; release member' : 'rollback');
      lastWrites.length = writesBefore;
      return () => reject(error);
    }
  }

  function mayJoin(members: readonly PendingTransaction[], isLazy: boolean): boolean {
    const next = queue.peek();
    if (!next || members.length === MAX_BATCH_SIZE || next.isLong || members[0]?.isLong) return false;
    return !isLazy || next.isLazy === true;
  }

  return {
    enqueue<Result>(work: () => Promise<Result>, options: TransactionOptions = {}): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (result: unknown) => void, reject, ...options });
        running ??= run();
      });
    },
    /** Called by a transaction: the write runs after all transactions of the batch. If it fails, they all fail. */
    addLastWrite: (write: () => void) => void lastWrites.push(write),
    /** Resolves when the queue is empty. */
    idle: () => running ?? Promise.resolve(),
  };
}
