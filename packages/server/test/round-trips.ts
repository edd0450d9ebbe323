import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy to a PostgreSQL server that counts the round trips of transactions: how often a client sends again after it
 * has received something, on connections that have begun a transaction since the last `reset`.
 */
export async function countRoundTrips(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  const sockets = new Set<Socket>();
  let links: { count: number; hasBegun: boolean; isWaiting: boolean }[] = [];

  const server = createServer((near) => {
    const far = connect(target);
    const link = { count: 0, hasBegun: false, isWaiting: false };
    links.push(link);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    near.on('data', (data) => {
      if (data.includes('begin')) link.hasBegun = true;
      if (!link.isWaiting) link.count++;
      link.isWaiting = true;
      far.write(data);
    });
    far.on('data', (data) => {
      link.isWaiting = false;
      near.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    reset() {
      for (const link of links) Object.assign(link, { count: 0, hasBegun: false });
    },
    /** Those of the connections that have begun a transaction. */
    count: () => links.filter(({ hasBegun }) => hasBegun).reduce((sum, { count }) => sum + count, 0),
    close() {
      links = [];
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
