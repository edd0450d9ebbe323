import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, DatabaseUnavailable, OutcomeUnknown, type Queryable, type Transaction } from './database.ts';
import { postgres as dialect } from './dialect.ts';
import { type Sql, sql } from './sql.ts';

const RETRIES = 5;
const INT8 = 20;
/** More rows of locks per store would only take room; fewer would make strangers wait for each other. */
const LOCK_BUCKETS = 1024;

export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    query_timeout: 60_000,
    keepAlive: true,
    application_name: 'store-sales',
    types: { getTypeParser: parserFor },
  });
  // A connection that breaks is replaced by the pool. Without a listener it would end the process: the pool's own
  // hears of idle ones, each connection's of those in use between two statements of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  const onPool = queries((config) => pool.query(config));

  async function onClient<Result>(work: (client: pg.PoolClient) => Promise<Result>, isLazy = false): Promise<Result> {
    const client = await pool.connect().catch(explain);
    let broken: Error | undefined;
    try {
      await client.query(isLazy ? 'begin; set local synchronous_commit = off' : 'begin').catch(explain);
      const result = await work(client);
      await client.query('commit').catch(explainCommit);
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    ...onPool,
    async transaction(work, { isLazy = false } = {}) {
      for (let attempt = 1; ; attempt++) {
        const actions: (() => void)[] = [];
        try {
          const result = await onClient((client) => work(transactionOn(client, actions)), isLazy);
          for (const action of actions) action();
          return result;
        } catch (error) {
          if (attempt === RETRIES || !wantsRetry(error)) throw error;
          await sleep(10 * attempt * Math.random());
        }
      }
    },
    script: (work) =>
      onClient(async (client) => {
        const exec = async (text: string) => void (await client.query(text).catch(explain));
        await work(
          exec,
          queries((config) => client.query(config)),
        );
      }),
    close: () => pool.end(),
  };
}

function transactionOn(client: pg.PoolClient, actions: (() => void)[]): Transaction {
  const onClient = queries((config) => client.query(config));
  return {
    ...onClient,
    onCommit: (action) => actions.push(action),
    async lock(storeId, names) {
      // In one order everywhere, so that two who want the same two names cannot wait for each other.
      const buckets = [...new Set(names.map(bucketOf))].sort((a, b) => a - b);
      await onClient.run(
        sql`insert into locks (store_id, bucket) select ${storeId}, unnest(${buckets}::bigint[])
            on conflict (store_id, bucket) do update set bucket = excluded.bucket`,
      );
    },
  };
}

const bucketOf = (name: string) => createHash('sha256').update(name).digest().readUInt32BE() % LOCK_BUCKETS;

function queries(query: (config: pg.QueryConfig) => Promise<pg.QueryResult>): Queryable {
  const send = (statement: Sql) => query(prepared(statement)).catch(explain);
  return {
    dialect,
    async all<Row>(statement: Sql) {
      return (await send(statement)).rows as Row[];
    },
    async one<Row>(statement: Sql) {
      return (await send(statement)).rows[0] as Row | undefined;
    },
    async run(statement) {
      return (await send(statement)).rowCount ?? 0;
    },
  };
}

const texts = new WeakMap<readonly string[], string>();
const names = new Map<string, string>();

/** Statements with a name are parsed once per connection. */
function prepared(statement: Sql): pg.QueryConfig {
  let text = texts.get(statement.parts);
  if (text === undefined) {
    text = statement.text((index) => `$${index}`);
    if (Object.isFrozen(statement.parts)) texts.set(statement.parts, text);
  }
  const values = statement.values as unknown[];
  let name = names.get(text);
  if (name === undefined) {
    // Past this many, the texts are not a fixed set: leave the rest unnamed rather than fill the server's memory.
    if (names.size >= 500) return { text, values };
    name = `s${names.size}`;
    names.set(text, name);
  }
  return { name, text, values };
}

/** Amounts and instants fit a number exactly (2^53 − 1 is the contract's limit). */
const parserFor = ((type: number, format?: 'text' | 'binary') =>
  type === INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(type, format as 'text')) as pg.CustomTypesConfig['getTypeParser'];

const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code ?? '');

/** Deadlock, serialization failure. */
const wantsRetry = (error: unknown) => ['40P01', '40001'].includes(codeOf(error));

/** Turns "cannot be reached" in its many forms into one error. */
function explain(error: unknown): never {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const lost =
    /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|08|57P0|53)/.test(code) ||
    /timeout exceeded|Connection terminated|Query read timeout|Client has encountered a connection error/.test(message);
  if (lost) throw new DatabaseUnavailable(message || code, { cause: error });
  throw error;
}

function explainCommit(error: unknown): never {
  try {
    explain(error);
  } catch (explained) {
    if (explained instanceof DatabaseUnavailable) throw new OutcomeUnknown(explained.message, { cause: error });
    throw explained;
  }
}
