import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type pg from 'pg';
import type * as protocol from 'pg-protocol/dist/parser';

/** How to send statements and decode values: with private parts of `pg`, or with its public API only. */
export interface DriverAccess {
  /** Call it for each new client, before it connects. */
  setUp(client: pg.ClientBase): void;
  /**
   * Returns a function that corks the socket until the scheduled callback runs, so that the statements sent until then
   * share one write: system calls are most of the cost of a small statement, here and on the server.
   */
  corkWrites(client: pg.ClientBase, schedule: (then: () => void) => void): () => void;
  /** The bytes of a value, from what the driver passes to type parsers. */
  bytesOf(value: string): Buffer;
  textOf(value: string): string;
}

/** Private `pg` internals we rely on. */
type ClientInternals = { connection: EventEmitter & { stream: Socket; attachListeners(stream: Socket): void } };
/** Private `pg-protocol` internals. */
type Reader = { buffer: Buffer; offset: number; string(length: number): string };

const latin1Bytes = (value: string) => Buffer.from(value, 'latin1');

/**
 * Makes the driver return values as latin1 strings, one character per byte, which the type parsers decode. A page of
 * orders is sent on unchanged, and decoding and encoding it would be 40 % of its cost.
 */
const withInternals: DriverAccess = {
  setUp(client) {
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
  },
  corkWrites(client, schedule) {
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
  },
  bytesOf: latin1Bytes,
  // Most values are ASCII, which is the same in latin1 and UTF-8.
  textOf: (value) => (/[\x80-\xff]/.test(value) ? latin1Bytes(value).toString() : value),
};

const publicApiOnly: DriverAccess = {
  setUp() {},
  corkWrites: () => () => {},
  bytesOf: (value) => Buffer.from(value),
  textOf: (value) => value,
};

/** A DataRow message with one value: the two bytes of `é` in UTF-8. */
const SAMPLE_ROW = Buffer.from([0x44, 0, 0, 0, 12, 0, 1, 0, 0, 0, 2, 0xc3, 0xa9]);

/** Connects a client to a stream of ours and checks how it decodes a row. */
export function hasExpectedInternals(Client: typeof pg.Client): boolean {
  try {
    const stream = Object.assign(new PassThrough(), { connect() {}, setNoDelay() {} });
    const client = new Client({ ssl: false, stream: () => stream });
    withInternals.setUp(client);
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

export const driverAccess = (isExpected: boolean) => (isExpected ? withInternals : publicApiOnly);
