import type pg from 'pg';

/** Splits an address with several servers, `postgres://user@a:5432,b:5432/name`, into one address for each. */
export function serverUrls(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url];
}

/** The part of a client that is needed to ask a server whether it accepts writes. */
type Probe = Pick<pg.Client, 'host' | 'port' | 'connect' | 'query' | 'end' | 'on'>;

export interface Server {
  host: string;
  port: number;
}

/**
 * Finds the server that accepts writes among those of an address. All are asked at the same time, so that one that is
 * down and does not reply delays nothing. Connections that are opened meanwhile share the result; later ones ask again,
 * because it may have changed. With a single server there is nothing to ask.
 */
export function primaryFinder(urls: readonly string[], open: (url: string) => Probe) {
  let search: Promise<Server> | undefined;

  async function ask(url: string): Promise<Server> {
    const client = open(url);
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query("select current_setting('transaction_read_only') as read_only");
      if (rows[0].read_only === 'on') throw new Error(`${client.host}:${client.port} is read-only`);
      return { host: client.host, port: client.port };
    } finally {
      client.end().catch(() => {});
    }
  }

  return function findPrimary(): Promise<Server> | undefined {
    if (urls.length === 1) return undefined;
    search ??= Promise.any(urls.map(ask))
      .catch((error: AggregateError) => {
        const reasons = error.errors.map(({ message }: Error) => message).join('; ');
        throw Object.assign(new Error(`no server accepts writes: ${reasons}`), { code: 'ECONNREFUSED' });
      })
      .finally(() => {
        search = undefined;
      });
    return search;
  };
}
