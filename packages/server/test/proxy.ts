import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where a connection goes. */
export interface Target {
  host: string;
  port: number;
}

/** Two sockets that are joined. */
interface Link {
  isSilent: boolean;
}

/**
 * A plain proxy of connections, as stands before a database or before several nodes. `next` is asked for each new
 * connection, and again when what it named cannot be reached; with nothing named the connection is refused.
 */
export async function proxy(next: () => Target | undefined) {
  const sockets = new Set<Socket>();
  const links = new Set<Link>();
  let isSilent = false;
  /** What was answered and is not handed on yet. */
  let held: (() => void)[] | undefined;

  function lead(near: Socket, tries = 5) {
    const target = tries ? next() : undefined;
    if (!target) return near.destroy();
    const far = connect(target.port, target.host);
    const again = () => lead(near, tries - 1);
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
      far.on('data', (answer) => {
        if (link.isSilent) return;
        if (held) held.push(() => near.write(answer));
        else near.write(answer);
      });
    });
  }

  function join(one: Socket, other: Socket, link: Link) {
    sockets.add(one);
    one.setNoDelay(true);
    one.on('error', () => void (link.isSilent || other.destroy()));
    one.on('close', () => {
      sockets.delete(one);
      // What came before the end is still handed on.
      if (!link.isSilent) other.destroySoon();
    });
  }

  const server = createServer((near) => {
    near.on('error', () => {});
    lead(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Breaks the connections there are. */
    cut,
    /**
     * Drops what is sent over the connections there are, in both directions, and their end too: neither side learns that
     * the other is gone. New connections work.
     */
    dropPackets() {
      for (const link of links) link.isSilent = true;
    },
    /** The same, and of new connections too. */
    dropNewPackets() {
      isSilent = true;
      for (const link of links) link.isSilent = true;
    },
    /** Keeps answers back from now on; `isAny` tells whether there were any, `release` hands them on. */
    holdAnswers() {
      const kept: (() => void)[] = [];
      held = kept;
      return {
        isAny: () => kept.length > 0,
        release() {
          held = undefined;
          for (const hand of kept) hand();
        },
      };
    },
    close() {
      cut();
      server.close();
    },
  };
}
