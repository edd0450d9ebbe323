import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Database, DatabaseUnavailable, OutcomeUnknown, type Queryable, type Transaction } from '../database.ts';
import { postgres as dialect } from '../dialect.ts';
import { type Sql, sql } from '../sql.ts';
import { bytesOf, corkWrites, destroyStream, rawValues, textOf } from './pg-internals.ts';
import { sharedConnections } from './shared-connections.ts';

const RETRIES = 5;
/** Types by their number in every PostgreSQL: `bigint`, and `bpchar`, which is how `Dialect.bytes` marks what is not decoded. */
const INT8 = 20;
const BPCHAR = 1042;
/** More rows of locks per store would only take room; fewer would make strangers wait for each other. */
const LOCK_BUCKETS = 1024;

/**
 * Time limits. Without them a fail-over that drops packets, and so resets no connection, leaves every request waiting.
 * A connection on which a statement timed out is closed, and all statements waiting on it fail.
 */
export interface PostgresLimits {
  /** Opening a connection. */
  connectMs: number;
  /** Waiting for a connection of the pool: 200 clients on a slow machine are no fault of the server's. */
  queueMs: number;
  /** A read on the shared connections. */
  fastReadMs: number;
  /** A statement of the pool. */
  statementMs: number;
  /** A statement of a transaction that is known to be long. */
  longStatementMs: number;
  /** The server ends a transaction, and releases its locks, when its client is silent for so long. */
  idleTransactionMs: number;
}

const defaultLimits: PostgresLimits = {
  connectMs: 5000,
  queueMs: 15_000,
  fastReadMs: 5000,
  statementMs: 15_000,
  longStatementMs: 120_000,
  idleTransactionMs: 60_000,
};

/** The largest timeout that timers support: a migration may take hours. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** The system then sends a probe every second and gives up after ten. */
const KEEP_ALIVE_DELAY_MS = 5000;

/**
 * For the server to notice a client that is gone. As statements and not as startup parameters, which poolers refuse when
 * they do not know them; a server that refuses one of these works without it.
 */
const sessionSettings = ({ idleTransactionMs }: PostgresLimits) => [
  `set idle_in_transaction_session_timeout = ${idleTransactionMs}`,
  'set tcp_user_timeout = 15000',
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  'set client_connection_check_interval = 5000',
];

/** A migration takes as long as it takes, and so does waiting for the one of another process. */
const BEGIN_SCRIPT = 'begin; set local statement_timeout = 0; set local lock_timeout = 0';

/** Loaded when it is wanted: with the embedded database the service starts sooner, and smaller, without it. */
const driver = () => createRequire(import.meta.url)('pg') as typeof pg;

type Ask = (statement: string | pg.QueryConfig) => Promise<pg.QueryResult>;

export function openPostgres(url: string, given: Partial<PostgresLimits> = {}): Database {
  const limits = { ...defaultLimits, ...given };
  const { Pool, Client, types } = driver();
  /** The pool has one limit for both; its connections have their own. */
  class Connection extends Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: limits.connectMs });
      rawValues(this);
    }
  }
  const connection = {
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    // Statements given together go out together: their order stays, the round trips between them fall away.
    pipeline: true,
    application_name: 'store-sales',
    types: { getTypeParser: parserFor(types) },
  };
  const pool = new Pool({ ...connection, max: 10, connectionTimeoutMillis: limits.queueMs, Client: Connection });
  const setUp = (client: pg.ClientBase) => {
    for (const setting of sessionSettings(limits))
      client.query({ text: setting, query_timeout: limits.connectMs } as pg.QueryConfig).catch(() => {});
  };
  const shared = sharedConnections(() => new Connection(connection), setUp, limits.fastReadMs);
  // A connection that breaks is replaced by the pool. Without a listener it would end the process: the pool's own
  // hears of idle ones, each connection's of those in use between two statements of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    setUp(client);
  });

  /** After a timeout the server may be gone without a reset: connections that are idle would be as dead. */
  const noticeTimeout = (error: unknown): never => {
    if (isTimeout(error)) discardIdle();
    throw error;
  };
  function discardIdle() {
    shared.discard();
    for (let count = pool.idleCount; count > 0; count--)
      pool.connect().then(
        (client) => {
          destroyStream(client);
          client.release(true);
        },
        () => {},
      );
  }
  const limited = (statement: string | pg.QueryConfig, limitMs: number): pg.QueryConfig & { query_timeout: number } =>
    typeof statement === 'string'
      ? { text: statement, query_timeout: limitMs }
      : { ...statement, query_timeout: limitMs };
  const onPool = queries((config) => pool.query(limited(config, limits.statementMs)).catch(noticeTimeout));

  async function onClient<Result>(
    work: (ask: Ask) => Promise<Result>,
    begin: string,
    limitMs: number,
    connect: () => Promise<pg.PoolClient> = () => pool.connect(),
  ): Promise<Result> {
    const client = await connect().catch(explain);
    // Until whoever gave a statement has to wait for its answer.
    const hold = corkWrites(client, process.nextTick);
    const ask: Ask = (statement) => {
      hold();
      return client.query(limited(statement, limitMs)).catch(noticeTimeout);
    };
    let broken: Error | undefined;
    try {
      const begun = ask(begin);
      begun.catch(() => {});
      const result = await work(ask);
      const committed = await ask('commit').catch(explainCommit);
      // What was sent and not waited for has failed: PostgreSQL answers a commit with a rollback.
      if (committed.command !== 'COMMIT') throw new RolledBack('a statement of the transaction failed');
      return result;
    } catch (error) {
      await client.query(limited('rollback', limits.statementMs)).catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A connection of its own, because a time limit is a setting of the connection. */
  async function connectUnlimited(): Promise<pg.PoolClient> {
    const client = new Connection({ ...connection, query_timeout: 0 });
    client.on('error', () => {});
    await client.connect();
    return Object.assign(client, { release: () => void client.end().catch(() => {}) });
  }

  return {
    ...onPool,
    version: () => undefined,
    fastReads: queries((config) => shared.query(config).catch(noticeTimeout)),
    async transaction(work, { isLazy = false, isLong = false } = {}) {
      const limitMs = isLong ? limits.longStatementMs : limits.statementMs;
      for (let attempt = 1; ; attempt++) {
        const state: State = { actions: [], failure: undefined };
        try {
          const begin = isLazy ? 'begin; set local synchronous_commit = off' : 'begin';
          const result = await onClient((ask) => work(transactionOn(ask, state)), begin, limitMs);
          for (const action of state.actions) action();
          return result;
        } catch (thrown) {
          const error = isAftermath(thrown) ? (state.failure ?? thrown) : thrown;
          if (attempt === RETRIES || !wantsRetry(error)) throw error;
          await sleep(10 * attempt * Math.random());
        }
      }
    },
    script: (work) =>
      onClient(
        async (ask) => {
          const exec = async (text: string) => void (await ask(text).catch(explain));
          await work(exec, queries(ask));
        },
        BEGIN_SCRIPT,
        NO_LIMIT_MS,
        connectUnlimited,
      ),
    close: async () => void (await Promise.all([pool.end(), shared.close()])),
  };
}

interface State {
  actions: (() => void)[];
  /** The first statement's that failed, which is the cause of all that fails behind it. */
  failure: unknown;
}

class RolledBack extends Error {
  override name = 'RolledBack';
}

const isAftermath = (error: unknown) => error instanceof RolledBack || codeOf(error) === '25P02';

function transactionOn(ask: Ask, state: State): Transaction {
  const onClient = queries(ask);
  /** A failure is known even where nobody waits for the answer. */
  const noted = <Result>(answer: Promise<Result>) => {
    answer.catch((error: unknown) => {
      state.failure ??= error;
    });
    return answer;
  };
  return {
    dialect,
    all: <Row>(query: Sql) => noted(onClient.all<Row>(query)),
    one: <Row>(query: Sql) => noted(onClient.one<Row>(query)),
    run: (query) => noted(onClient.run(query)),
    send: (query, onDone) => void noted(onClient.run(query)).then(onDone, () => {}),
    onCommit: (action) => state.actions.push(action),
    async lock(storeId, names) {
      // In one order everywhere, so that two who want the same two names cannot wait for each other.
      const buckets = [...new Set(names.map(bucketOf))].sort((a, b) => a - b);
      await this.run(
        sql`insert into locks (store_id, bucket) select ${storeId}, unnest(${buckets}::bigint[])
            on conflict (store_id, bucket) do update set bucket = excluded.bucket`,
      );
    },
  };
}

const bucketOf = (name: string) => createHash('sha256').update(name).digest().readUInt32BE() % LOCK_BUCKETS;

function queries(ask: (statement: pg.QueryConfig) => Promise<pg.QueryResult>): Queryable {
  const send = (statement: Sql) => ask(prepared(statement)).catch(explain);
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

/** How a value becomes ours, by its type. Amounts and instants fit a number exactly (2^53 − 1 is the contract's limit). */
function parserFor(types: typeof pg.types) {
  const known = new Map<number, (value: string) => unknown>([
    [INT8, Number],
    [BPCHAR, bytesOf],
  ]);
  return ((type: number) => {
    const before = known.get(type);
    if (before) return before;
    const parse = types.getTypeParser(type, 'text') as (text: string) => unknown;
    const made = (value: string) => parse(textOf(value));
    known.set(type, made);
    return made;
  }) as pg.CustomTypesConfig['getTypeParser'];
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code ?? '');

/** The driver's own message; it has no code. */
const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

/** Deadlock, serialization failure. */
const wantsRetry = (error: unknown) => ['40P01', '40001'].includes(codeOf(error));

/** Turns "cannot be reached", "full" (53), "read-only" (25006) and "broken disk" (58030) into one error. */
function explain(error: unknown): never {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const lost =
    /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|08|57P0|53|25006|58030)/.test(code) ||
    /timeout (exceeded|expired)|Connection terminated|Query read timeout|Client has encountered a connection error/.test(
      message,
    );
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
