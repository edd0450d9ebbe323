import { Readable } from 'node:stream';
import type { Database, Queryable } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { Pace } from '../time/pace.ts';

export interface LongWorkOptions {
  db: Database;
  /** Throws if the caller may not call the row any more. */
  check(db: Queryable): Promise<void>;
  /** Whether the client has closed its connection. */
  isGone(): boolean;
  /** Runs a piece within the concurrency limit of the row. */
  limit<Done>(piece: () => Promise<Done>): Promise<Done>;
  /** The file that the client sends. */
  file: Readable | undefined;
}

/**
 * Work that goes on after its request was checked: an upload, an import, an export, a stream of changes. Between two
 * pieces it yields the event loop by time, stops if the client has gone, and asks again whether the caller is allowed to
 * go on, so that removing a person ends it. `bind` makes one for the handler of a row that receives a file or responds
 * with a stream, which can do so only with it; the order page makes one for a feed.
 */
export class LongWork {
  private readonly pace = new Pace();

  constructor(private readonly options: LongWorkOptions) {}

  /** Call it before each piece; throws if there must be no further one. */
  async proceed(db: Queryable = this.options.db): Promise<void> {
    if (this.pace.isTimeUp()) await this.pace.pause();
    if (this.options.isGone()) throw new DomainError('unavailable', 'The client has disconnected.');
    await this.options.check(db);
  }

  /** Runs the next piece of a response. */
  piece<Done>(run: () => Promise<Done>): Promise<Done> {
    return this.options.limit(async () => {
      await this.proceed();
      return run();
    });
  }

  /** Passes pieces on, and throws as `proceed` does. */
  async *each<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      await this.proceed();
      yield piece;
    }
  }

  /** The file, as it arrives. It may take long: call `proceed` before it is used. */
  get file(): Readable {
    if (!this.options.file) throw new Error('the row receives no file');
    return this.options.file;
  }

  /** A database in which every transaction is a piece: after the access has ended, it changes nothing. */
  guarded(): Database {
    const { db } = this.options;
    return {
      ...db,
      write: async (plan) => {
        await this.proceed();
        return db.write(plan);
      },
      transaction: (work, options) =>
        db.transaction(async (tx) => {
          await this.options.check(tx);
          return work(tx);
        }, options),
    };
  }
}

const RETRY_SECONDS = 60;

/** Limits the responses of a row that are sent while they are produced, for each tenant in this process. */
export function openResponses(max: number) {
  const counts = new Map<string, number>();
  return {
    /** Throws if the tenant has too many. Returns what counts this one until it is called. */
    open(tenantId: string): () => void {
      const count = counts.get(tenantId) ?? 0;
      if (count >= max)
        throw new DomainError(
          'rate_limited',
          `You or your team have ${max} of these open. Wait until one has ended.`,
          [],
          RETRY_SECONDS,
        );
      counts.set(tenantId, count + 1);
      return () => {
        const left = (counts.get(tenantId) as number) - 1;
        if (left) counts.set(tenantId, left);
        else counts.delete(tenantId);
      };
    },
  };
}

/** A response that is sent while it is produced, piece by piece. If it may not go on, the connection is closed. */
export class LongResponse extends Readable {
  private readonly pieces: AsyncIterator<Buffer | string> | undefined;

  constructor(
    protected readonly work: LongWork,
    pieces?: AsyncIterable<Buffer | string>,
  ) {
    super();
    this.pieces = pieces?.[Symbol.asyncIterator]();
  }

  override _read() {
    const { pieces } = this;
    if (!pieces) return;
    this.work
      .piece(() => pieces.next())
      .then(
        ({ done, value }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
  }

  /** Lets the producer clean up before the response is closed. */
  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    const end = this.pieces?.return?.() ?? Promise.resolve();
    end.then(
      () => done(error),
      (failure) => done(error ?? failure),
    );
  }
}
