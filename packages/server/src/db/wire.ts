import type pg from 'pg';

/** What the driver does not show of a connection: where its bytes are written. */
type Wire = { connection: { stream: { cork(): void; uncork(): void } } };

/**
 * What is sent over the connection until the given moment goes out in one write: the system calls, which are most of
 * what a small statement costs both here and in the server, are made once for all of it.
 */
export function inOneWrite(client: pg.ClientBase, later: (then: () => void) => void) {
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
