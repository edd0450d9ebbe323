import type pg from 'pg';
import type { Queryable } from '../database.ts';
import { postgres } from '../dialect.ts';
import { connectionClass } from './connection.ts';
import { BEGIN_SCRIPT, queries, throwCommitError, throwMapped } from './open-postgres.ts';

/** In characters. */
const CHUNK_LENGTH = 64 * 1024;

export interface BulkLoad extends Queryable {
  exec(text: string): Promise<void>;
  /** Writes the rows to a table: two to three times faster than INSERT. Reads them only as fast as they are written. */
  copyIn(table: string, columns: readonly string[], rows: Iterable<readonly unknown[]>): Promise<void>;
}

/** Runs the work in one transaction without timeouts, on a connection of its own. */
export async function bulkLoad<Result>(url: string, work: (load: BulkLoad) => Promise<Result>): Promise<Result> {
  const BulkConnection = connectionClass(url, { connectMs: 10_000, returnsBytes: false });
  const client = new BulkConnection({ application_name: 'store-sales copy' });
  await client.connect().catch(throwMapped);
  try {
    await client.query(BEGIN_SCRIPT).catch(throwMapped);
    // So that a server that is building an index notices the death of this process; PostgreSQL 13 has no such setting.
    await client.query(
      "select set_config(name, '1000', true) from pg_settings where name = 'client_connection_check_interval'",
    );
    const result = await work({
      ...queries((config) => client.query(config), postgres),
      exec: async (text) => void (await client.query(text).catch(throwMapped)),
      copyIn: (table, columns, rows) =>
        new Promise<void>((resolve, reject) => {
          const text = `copy ${table} (${columns.join(', ')}) from stdin`;
          client.query(new CopyIn(text, linesOf(rows), resolve, reject));
        }).catch(throwMapped),
    });
    await client.query('commit').catch(throwCommitError);
    return result;
  } finally {
    // Without a commit, the server rolls back.
    await client.end().catch(() => {});
  }
}

/** Missing in the types of `pg`. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(message: string): void;
  endCopyFrom(): void;
}

/** What `pg` calls on a query of one's own. */
class CopyIn implements pg.Submittable {
  private failure: unknown;

  constructor(
    private readonly text: string,
    private readonly chunks: Iterable<string>,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  submit(connection: pg.Connection) {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection) {
    this.send(connection).catch((error: Error) => {
      this.failure = error;
      connection.sendCopyFail(error.message);
    });
  }

  private async send(connection: CopyConnection) {
    const { stream } = connection;
    for (const chunk of this.chunks) {
      connection.sendCopyFromChunk(Buffer.from(chunk));
      if (stream.writableNeedDrain) await drained(stream);
      if (stream.destroyed || this.failure) return;
    }
    connection.endCopyFrom();
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    if (this.failure) this.reject(this.failure);
    else this.resolve();
  }

  handleError(error: unknown) {
    this.failure ??= error;
    this.reject(this.failure);
  }
}

const drained = (stream: NodeJS.EventEmitter) =>
  new Promise<void>((resolve) => {
    const end = () => {
      stream.off('drain', end).off('close', end);
      resolve();
    };
    stream.on('drain', end).on('close', end);
  });

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text format of COPY, in which PostgreSQL reads each value by the type of its column. */
const encoded = (value: unknown) => {
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (character) => escapes[character] as string);
};

function* linesOf(rows: Iterable<readonly unknown[]>): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += `${row.map(encoded).join('\t')}\n`;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text) yield text;
}
