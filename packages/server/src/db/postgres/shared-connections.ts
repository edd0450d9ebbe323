import type pg from 'pg';
import type { Connection } from './connection.ts';
import { corkWrites } from './pg-internals.ts';

/** More gain nothing: the server runs one statement per connection at a time, and every node has these. */
const CONNECTIONS = 2;

interface SharedConnection {
  client: Connection;
  ready: Promise<unknown>;
  isOpen: boolean;
  /** Call it before each statement. */
  cork: () => void;
  waiting: number;
}

/**
 * The best plan of these statements does not depend on their values. By default the server plans every execution
 * again once stores differ in size, which takes as long as the statement itself.
 */
const GENERIC_PLANS = 'set plan_cache_mode = force_generic_plan';

/** Statements in flight on a connection before another is used in the same event loop iteration. */
const MAX_QUEUED = 32;

/**
 * A few connections shared by fast statements. Those of one event loop iteration are sent in one write, and their
 * results arrive in one read. Not for slow statements, which would delay the others, nor for statements whose best plan
 * depends on their values.
 */
export function sharedConnections(open: () => Connection, setUp: (client: Connection) => void, timeoutMs: number) {
  const connections: (SharedConnection | undefined)[] = Array(CONNECTIONS).fill(undefined);
  let isClosed = false;
  /** The connection for the statements of this event loop iteration. */
  let current: SharedConnection | undefined;

  function openAt(index: number): SharedConnection {
    const client = open();
    const cork = corkWrites(client, setImmediate);
    const ready = client.connect().then(() => {
      setUp(client);
      // The setting would reach other programs; a pooler that keeps no statements has no use for it either.
      if (!client.isPooled && !client.isCitus) return client.query(withTimeout({ text: GENERIC_PLANS }));
    });
    const connection: SharedConnection = { client, ready, isOpen: false, cork, waiting: 0 };
    const drop = () => {
      if (connections[index] === connection) connections[index] = undefined;
      if (current === connection) current = undefined;
    };
    const fail = () => {
      drop();
      // It is still connected if only the setting failed.
      client.end().catch(() => {});
    };
    connection.ready.then(() => {
      connection.isOpen = true;
    }, fail);
    // Statements in flight fail by themselves; the next one opens a new connection.
    client.on('error', drop);
    client.on('end', drop);
    connections[index] = connection;
    return connection;
  }

  const withTimeout = (config: pg.QueryConfig) => ({ ...config, query_timeout: timeoutMs });

  /** The driver's timeout starts when a statement is sent; this one covers connecting. */
  async function connected(ready: Promise<unknown>) {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('timeout exceeded while connecting')), timeoutMs);
    });
    try {
      await Promise.race([ready, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** One connection per iteration, because waking two server processes is slower when all cores are busy. */
  function currentConnection(): SharedConnection {
    if (current && current.waiting < MAX_QUEUED) return current;
    current = leastBusy();
    setImmediate(() => {
      current = undefined;
    });
    return current;
  }

  function leastBusy(): SharedConnection {
    let best: SharedConnection | undefined;
    for (let index = 0; index < CONNECTIONS; index++) {
      const connection = connections[index] ?? openAt(index);
      if (!best || connection.waiting < best.waiting) best = connection;
    }
    return best as SharedConnection;
  }

  return {
    async query(config: pg.QueryConfig): Promise<pg.QueryResult> {
      if (isClosed) throw new Error('the database is closed');
      const connection = currentConnection();
      connection.waiting++;
      try {
        if (!connection.isOpen) await connected(connection.ready);
        connection.cork();
        return await connection.client.query(withTimeout(config));
      } finally {
        connection.waiting--;
      }
    },
    /** Closes the open connections, idle ones immediately and busy ones when their statements are done. */
    discard() {
      for (const [index, connection] of connections.entries()) {
        if (!connection?.isOpen) continue;
        connections[index] = undefined;
        if (connection.waiting) connection.client.end().catch(() => {});
        else connection.client.destroy();
      }
      current = undefined;
    },
    async close() {
      isClosed = true;
      const end = async ({ client }: SharedConnection) => {
        // A dead server never closes its side.
        const timer = setTimeout(client.destroy, timeoutMs);
        await client.end();
        clearTimeout(timer);
      };
      await Promise.all(connections.map((connection) => connection && end(connection)));
    },
  };
}
