import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Target {
  host: string;
  port: number;
}

/** A pair of connected sockets. */
interface Link {
  isSilent: boolean;
}

/**
 * A TCP proxy for a database or several nodes. `next` returns the target of each new connection, and another one if it
 * cannot be reached; if it returns undefined, the connection is closed.
 */
export async function proxy(next: () => Target | undefined) {
  const sockets = new Set<Socket>();
  const links = new Set<Link>();
  let isSilent = false;
  /** Delayed responses. */
  let delayed: (() => void)[] | undefined;

  function connectTo(near: Socket, tries = 5) {
    const target = tries ? next() : undefined;
    if (!target) return near.destroy();
    const far = connect(target.port, target.host);
    const again = () => connectTo(near, tries - 1);
    far.once('error', again);
    far.once('connect', () => {
      far.off('error', again);
      const link: Link = { isSilent };
      links.add(link);
      near.on('close', () => links.delete(link));
      join(near, far, link);
      join(far, near, link);
      near.on('data', (request) => void (link.isSilent || far.write(request)));
      near.on('end', () => void (link.isSilent || far.end()));
      far.on('end', () => void (link.isSilent || near.end()));
      far.on('data', (response) => {
        if (link.isSilent) return;
        if (delayed) delayed.push(() => near.write(response));
        else near.write(response);
      });
    });
  }

  function join(one: Socket, other: Socket, link: Link) {
    sockets.add(one);
    one.setNoDelay(true);
    one.on('error', () => void (link.isSilent || other.destroy()));
    one.on('close', () => {
      sockets.delete(one);
      // Data received before the end is still sent.
      if (!link.isSilent) other.destroySoon();
    });
  }

  const server = createServer((near) => {
    near.on('error', () => {});
    connectTo(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Breaks all open connections. */
    cut,
    /**
     * Drops all data on open connections, in both directions, including their end: neither side learns that the other is
     * gone. New connections work.
     */
    dropPackets() {
      for (const link of links) link.isSilent = true;
    },
    /** The same, for new connections too. */
    dropNewPackets() {
      isSilent = true;
      for (const link of links) link.isSilent = true;
    },
    /** Delays responses from now on until `release`. */
    holdResponses() {
      const pending: (() => void)[] = [];
      delayed = pending;
      return {
        isAny: () => pending.length > 0,
        release() {
          delayed = undefined;
          for (const send of pending) send();
        },
      };
    },
    close() {
      cut();
      server.close();
    },
  };
}
