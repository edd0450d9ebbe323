import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type pg from 'pg';
import type * as protocol from 'pg-protocol/dist/parser';

/** Private `pg` internals we rely on. */
type ClientInternals = { connection: EventEmitter & { stream: Socket; attachListeners(stream: Socket): void } };
/** Private `pg-protocol` internals. */
type Reader = { buffer: Buffer; offset: number; string(length: number): string };

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

/**
 * Makes the driver return values as latin1 strings, one character per byte, which the type parsers decode. A page of
 * orders is sent on unchanged, and decoding and encoding it would be 40 % of its cost.
 */
export function rawValues(client: pg.ClientBase) {
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

/** Closes the connection without the Terminate message. */
export const destroyStream = (client: pg.ClientBase) =>
  void (client as unknown as ClientInternals).connection.stream.destroy();

export const bytesOf = (value: string) => Buffer.from(value, 'latin1');

/** Most values are ASCII, which is the same in latin1 and UTF-8. */
export const textOf = (value: string) => (/[\x80-\xff]/.test(value) ? bytesOf(value).toString() : value);
