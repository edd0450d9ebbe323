import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type pg from 'pg';
import type * as protocol from 'pg-protocol/dist/parser';

/** Private `pg` internals we rely on; `hasExpectedInternals` checks them when a database is opened. */
type ClientInternals = { connection: EventEmitter & { stream: Socket; attachListeners(stream: Socket): void } };
/** Private `pg-protocol` internals. */
type Reader = { buffer: Buffer; offset: number; string(length: number): string };

/**
 * Makes a client that is not connected yet return values as latin1 strings, one character per byte, which the type parsers
 * decode. A page of orders is sent on unchanged, and decoding and encoding it would be 40 % of its cost.
 */
export function returnBytes(client: pg.ClientBase) {
  const { Parser } = createRequire(import.meta.url)('pg-protocol/dist/parser') as typeof protocol;
  const { connection } = client as unknown as ClientInternals;
  connection.attachListeners = (stream) => {
    const parser = new Parser();
    const { reader } = parser as unknown as { reader: Reader };
    reader.string = (length) => {
      const start = reader.offset;
      reader.offset += length;
      return reader.buffer.toString('latin1', start, reader.offset);
    };
    const emit = (message: { name: string }) =>
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    stream.on('data', (data: Buffer) => parser.parse(data, emit));
  };
}

/** The bytes of a value that such a client returns. */
export const bytesOf = (value: string) => Buffer.from(value, 'latin1');

/** Its text. Most values are ASCII, which is the same in latin1 and UTF-8. */
export const textOf = (value: string) => (/[\x80-\xff]/.test(value) ? bytesOf(value).toString() : value);

/**
 * Returns a function that corks the socket until the scheduled callback runs, so that the statements sent until then
 * share one write: system calls are most of the cost of a small statement, here and on the server.
 */
export function corkWrites(client: pg.ClientBase, schedule: (then: () => void) => void) {
  let isCorked = false;
  return function cork() {
    if (isCorked) return;
    isCorked = true;
    // Read here, because TLS replaces the stream.
    const { stream } = (client as unknown as ClientInternals).connection;
    stream.cork();
    schedule(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

/** A DataRow message with one value: the two bytes of `é` in UTF-8. */
const SAMPLE_ROW = Buffer.from([0x44, 0, 0, 0, 12, 0, 1, 0, 0, 0, 2, 0xc3, 0xa9]);

/** Connects a client to a stream of ours and checks how it decodes a row. */
export function hasExpectedInternals(Client: typeof pg.Client): boolean {
  try {
    const stream = Object.assign(new PassThrough(), { connect() {}, setNoDelay() {} });
    const client = new Client({ ssl: false, stream: () => stream });
    returnBytes(client);
    const { connection } = client as unknown as ClientInternals;
    const values: unknown[] = [];
    connection.on('dataRow', ({ fields }) => values.push(...fields));
    // The client rejects a row that it did not ask for.
    client.connect().catch(() => {});
    stream.emit('data', SAMPLE_ROW);
    return (connection.stream as unknown) === stream && values[0] === '\xc3\xa9';
  } catch {
    return false;
  }
}
