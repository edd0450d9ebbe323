import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type pg from 'pg';
import { IS_COORDINATOR } from '../cluster/citus.ts';
import { returnBytes } from './pg-internals.ts';
import { primaryFinder, serverUrls } from './servers.ts';

/** The system then sends a probe every second and gives up after ten. */
const KEEP_ALIVE_DELAY_MS = 5000;

/** Loaded lazily: with SQLite the service starts faster and uses less memory without it. */
export const driver = () => createRequire(import.meta.url)('pg') as typeof pg;

export interface Connection extends pg.Client {
  /** Whether a pooler, such as PgBouncer, may run each transaction on another session: settings of the session are lost. */
  readonly isPooled: boolean;
  /** Whether the server is the coordinator of a Citus cluster. */
  readonly isCitus: boolean;
  /** Closes it without the Terminate message. */
  destroy(): void;
}

interface ConnectionOptions {
  /** Limit for connecting. */
  connectMs: number;
  /** Whether values are decoded by `bytesOf` and `textOf`. */
  returnsBytes: boolean;
}

/** The class of connections to the server that accepts writes, among those that the address names. */
export function connectionClass(
  url: string,
  { connectMs, returnsBytes }: ConnectionOptions,
): new (
  config?: pg.ClientConfig,
) => Connection {
  const { Client } = driver();
  const urls = serverUrls(url);
  const findPrimary = primaryFinder(
    urls,
    (connectionString) =>
      new Client({ connectionString, connectionTimeoutMillis: connectMs, query_timeout: connectMs }),
  );

  return class PrimaryConnection extends Client implements Connection {
    isPooled = false;
    isCitus = false;
    /** Whether statements are sent with names, which the session, or the pooler, keeps. */
    private keepsStatements = true;
    readonly destroy: () => void;

    constructor(config?: pg.ClientConfig) {
      const socket = new Socket();
      super({
        ...config,
        connectionString: urls[0],
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
        stream: () => socket,
        // The pool's `connectionTimeoutMillis` also limits waiting for a connection, so each client sets its own.
        connectionTimeoutMillis: connectMs,
      });
      this.destroy = () => void socket.destroy();
      // Without a listener, the error of a broken connection would end the process. Statements in flight fail by themselves.
      this.on('error', () => {});
      if (returnsBytes) returnBytes(this);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null) => void): undefined;
    override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      const connected = this.connectToPrimary();
      if (!callback) return connected;
      connected.then(() => callback(null), callback);
      return undefined;
    }

    private async connectToPrimary(): Promise<pg.Client> {
      Object.assign(this, await findPrimary());
      await super.connect();
      try {
        await this.inspectServer();
      } catch (error) {
        this.destroy();
        throw error;
      }
      return this;
    }

    /** A pooler does not report the process of the session. One that renames statements keeps them for each client. */
    private async inspectServer() {
      const timeout = { query_timeout: connectMs };
      const server = `select pg_backend_pid() as pid, ${IS_COORDINATOR} as is_citus`;
      const { pid, is_citus } = (await super.query({ text: server, ...timeout } as pg.QueryConfig)).rows[0];
      this.isPooled = pid !== (this as unknown as { processID: number }).processID;
      this.isCitus = is_citus;
      // Citus finds the shard from the values: a plan that is kept for all values goes to every shard, or fails.
      if (this.isCitus) this.keepsStatements = false;
      if (!this.isPooled) return;
      await super.query({ text: 'begin', ...timeout } as pg.QueryConfig).catch((error: Error) => {
        error.message += '; a pooler needs pool_mode = transaction';
        throw error;
      });
      const name = `probe ${randomUUID()}`;
      const text = `select name from pg_prepared_statements where statement like '%${name}%'`;
      const { rows } = await super.query({ name, text, ...timeout } as pg.QueryConfig);
      const isRenamed = rows[0]?.name !== name;
      this.keepsStatements &&= isRenamed;
      const end = isRenamed ? 'commit' : `deallocate "${name}"; commit`;
      await super.query({ text: end, ...timeout } as pg.QueryConfig);
    }

    override query = ((config: pg.QueryConfig, ...rest: []) =>
      super.query(
        this.keepsStatements || !config.name ? config : { ...config, name: undefined },
        ...rest,
      )) as pg.Client['query'];
  };
}
