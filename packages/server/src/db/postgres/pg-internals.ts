import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type pg from 'pg';
import type * as protocol from 'pg-protocol/dist/parser';

/** What the driver does not show of a connection: where its bytes are written, and how those that come are read. */
type Wire = { connection: EventEmitter & { stream: Socket; attachListeners(stream: Socket): void } };
/** What its parser reads a message with. */
type Reader = { buffer: Buffer; offset: number; string(length: number): string };

/**
 * What is sent over the connection until the given moment goes out in one write: the system calls, which are most of
 * what a small statement costs both here and in the server, are made once for all of it.
 */
export function corkWrites(client: pg.ClientBase, later: (then: () => void) => void) {
  let isHeld = false;
  return function hold() {
    if (isHeld) return;
    isHeld = true;
    // Not before: it is another once the connection is encrypted.
    const { stream } = (client as unknown as Wire).connection;
    stream.cork();
    later(() => {
      isHeld = false;
      stream.uncork();
    });
  };
}

/**
 * Values come as their bytes, a character each, to be decoded by whoever knows what they are. The driver decodes all of
 * them; of a page of orders, which goes on as it is, that and the encoding are two fifths of what it costs us.
 */
export function rawValues(client: pg.ClientBase) {
  const { Parser } = createRequire(import.meta.url)('pg-protocol/dist/parser') as typeof protocol;
  const { connection } = client as unknown as Wire;
  connection.attachListeners = (stream) => {
    const parser = new Parser();
    const { reader } = parser as unknown as { reader: Reader };
    reader.string = (length) => {
      const start = reader.offset;
      reader.offset += length;
      return reader.buffer.toString('latin1', start, reader.offset);
    };
    const tell = (message: { name: string }) =>
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    stream.on('data', (data: Buffer) => parser.parse(data, tell));
  };
}

/** Closes the connection without a goodbye that nobody would read. */
export const destroyStream = (client: pg.ClientBase) => void (client as unknown as Wire).connection.stream.destroy();

export const bytesOf = (value: string) => Buffer.from(value, 'latin1');

/** Most values are of seven bits, and the same either way. */
export const textOf = (value: string) => (/[\x80-\xff]/.test(value) ? bytesOf(value).toString() : value);
