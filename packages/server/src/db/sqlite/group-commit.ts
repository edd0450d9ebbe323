import { yieldToNewConnections } from '../../accept-fairness.ts';
import type { TransactionOptions } from '../database.ts';

/** No more share a commit when the first of them has waited so long. */
const BATCH_MS = 5;
const MOST = 64;

/** The one connection that writes. */
interface Writer {
  begin(): Promise<void>;
  exec(text: string): void;
  /** Whether a transaction is open: the engine ends it by itself when the disk fails. */
  isOpen(): boolean;
}

interface Waiting extends TransactionOptions {
  work: () => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Transactions one after another, in the order they came. Those that wait at the same time share a commit, and so
 * the wait for the disk, which is most of what a small one costs: each runs within a savepoint of its own, fails
 * alone, and is answered when all of them are safe. With 32 at once more than twice as many are done in a second.
 */
export function turns(writer: Writer) {
  const queue: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function run() {
    let tookMs = 0;
    while (queue.length) {
      // What has arrived together is read first, and takes part. On a busy day newcomers get as much time as we took.
      await yieldToNewConnections(tookMs);
      const start = performance.now();
      const isLazy = queue[0]?.isLazy ?? false;
      const work = isLazy ? lazily(() => batch(true)) : batch(false);
      const answers = await work.catch((error) =>
        queue.splice(0).map(
          ({ reject }) =>
            () =>
              reject(error),
        ),
      );
      for (const answer of answers) answer();
      tookMs = performance.now() - start;
    }
    running = undefined;
  }

  /** The next commit that waits for the disk brings what lazy ones wrote before it along. */
  async function lazily<Result>(work: () => Promise<Result>): Promise<Result> {
    // Outside of a transaction, or it is not heard.
    writer.exec('pragma synchronous = NORMAL');
    try {
      return await work();
    } finally {
      writer.exec('pragma synchronous = FULL');
    }
  }

  async function batch(isLazy: boolean): Promise<(() => void)[]> {
    const members: Waiting[] = [];
    try {
      await writer.begin();
      const end = performance.now() + BATCH_MS;
      const answers: (() => void)[] = [];
      do {
        const next = queue.shift() as Waiting;
        members.push(next);
        answers.push(await within(next, members.length > 1));
      } while (writer.isOpen() && mayJoin(members, isLazy) && performance.now() < end);
      if (writer.isOpen()) writer.exec('commit');
      return answers;
    } catch (error) {
      if (writer.isOpen()) writer.exec('rollback');
      // Could not begin: whoever waits is told so, rather than wait as long again.
      if (!members.length) members.push(...queue.splice(0));
      return members.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
  }

  /** Runs one; its answer is given after the commit. The first needs no savepoint: there is nothing before it to keep. */
  async function within({ work, resolve, reject }: Waiting, hasPredecessors: boolean): Promise<() => void> {
    if (hasPredecessors) writer.exec('savepoint member');
    try {
      const result = await work();
      if (hasPredecessors) writer.exec('release member');
      return () => resolve(result);
    } catch (error) {
      if (!writer.isOpen()) throw error;
      writer.exec(hasPredecessors ? 'rollback to member; release member' : 'rollback');
      return () => reject(error);
    }
  }

  function mayJoin(members: readonly Waiting[], isLazy: boolean): boolean {
    const next = queue[0];
    if (!next || members.length === MOST || next.isLong || members[0]?.isLong) return false;
    return !isLazy || next.isLazy === true;
  }

  return {
    inTurn<Result>(work: () => Promise<Result>, options: TransactionOptions = {}): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        queue.push({ ...options, work, resolve: resolve as (result: unknown) => void, reject });
        running ??= run();
      });
    },
    /** When nothing waits any more. */
    idle: () => running ?? Promise.resolve(),
  };
}
