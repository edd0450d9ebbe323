import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { distributed, isLostWorker, TRANSACTION_SETTING } from '../cluster/citus.ts';
import { serializeReferenceWrites } from '../cluster/serialize-reference-writes.ts';
import {
  type Database,
  DatabaseUnavailable,
  OutcomeUnknown,
  type Queryable,
  type Transaction,
  type TransactionOptions,
} from '../database.ts';
import { type Dialect, postgres } from '../dialect.ts';
import { type Sql, sql } from '../sql.ts';
import { type AnyPlan, type Outcome, runPlans } from '../write/run-plans.ts';
import { type Connection, connectionClass, driver } from './connection.ts';
import { bytesOf, corkWrites, hasExpectedInternals, textOf } from './pg-internals.ts';
import { sharedConnections } from './shared-connections.ts';
import { writeGroups } from './write-groups.ts';

const RETRIES = 5;
/** Fixed type OIDs: `bigint`, and `bpchar`, which `Dialect.bytes` uses to mark values to return as a Buffer. */
const INT8 = 20;
const BPCHAR = 1042;
/** The error of a write on a standby, or while the database is in read-only mode. */
const READ_ONLY = '25006';
/** Lock rows per store: more would only use space, fewer would increase false contention. */
const LOCK_BUCKETS = 1024;

/**
 * Timeouts. Without them, a failover that drops packets without resetting connections would leave requests hanging.
 * A connection on which a statement times out is closed, and all statements queued on it fail.
 */
export interface PostgresLimits {
  /** Opening a connection. */
  connectMs: number;
  /** Waiting for a connection of the pool. Long, because 200 clients on a slow machine do not mean that the server is down. */
  queueMs: number;
  /** A statement on the shared connections. */
  fastReadMs: number;
  /** A statement on a connection of the pool. */
  statementMs: number;
  /** A statement of a transaction with `isLong`. */
  longStatementMs: number;
  /** The server aborts a transaction, and releases its locks, when its client is idle for this long. */
  idleTransactionMs: number;
}

export interface PostgresOptions {
  limits?: Partial<PostgresLimits> | undefined;
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

const idleTimeout = ({ idleTransactionMs }: PostgresLimits) =>
  `idle_in_transaction_session_timeout = ${idleTransactionMs}`;

/**
 * Let the server detect a dead client. Sent as statements, because poolers reject unknown startup parameters; errors are
 * ignored, as a server without one of these settings works too. Not for sessions that a pooler shares with other programs.
 */
const sessionSettings = (limits: PostgresLimits) => [
  `set ${idleTimeout(limits)}`,
  'set tcp_user_timeout = 15000',
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  'set client_connection_check_interval = 5000',
];

/** Migrations, and waiting for the migration of another process, have no timeout. */
export const BEGIN_SCRIPT = 'begin; set local statement_timeout = 0; set local lock_timeout = 0';

type Execute = (statement: string | pg.QueryConfig) => Promise<pg.QueryResult>;

export function openPostgres(url: string, { limits: given }: PostgresOptions = {}): Database {
  const limits = { ...defaultLimits, ...given };
  const { Pool, Client, types } = driver();
  if (!hasExpectedInternals(Client)) throw new Error('unexpected version of the package pg');
  const PrimaryConnection = connectionClass(url, { connectMs: limits.connectMs, returnsBytes: true });
  const connection = {
    // Statements issued together are sent without waiting for the results in between.
    pipeline: true,
    application_name: 'store-sales',
    types: { getTypeParser: parserFor(types) },
  };
  const pool = new Pool({ ...connection, max: 10, connectionTimeoutMillis: limits.queueMs, Client: PrimaryConnection });
  const dialect = { ...postgres };
  const setUp = (client: Connection) => {
    if (client.isCitus) Object.assign(dialect, distributed);
    if (client.isPooled) return;
    for (const setting of sessionSettings(limits))
      client.query({ text: setting, query_timeout: limits.connectMs } as pg.QueryConfig).catch(() => {});
  };
  const shared = sharedConnections(() => new PrimaryConnection(connection), setUp, limits.fastReadMs);
  // The pool replaces broken idle connections, but its 'error' event without a listener would crash the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => setUp(client as pg.PoolClient & Connection));

  /**
   * After a timeout the server may be gone without a reset, so idle connections may be dead too. A read-only server may
   * be a former primary.
   */
  const discardOnFailure = (error: unknown): never => {
    if (isTimeout(error) || codeOf(error) === READ_ONLY) discardIdle();
    throw error;
  };
  function discardIdle() {
    shared.discard();
    for (let count = pool.idleCount; count > 0; count--)
      pool.connect().then(
        (client) => {
          (client as unknown as Connection).destroy();
          client.release(true);
        },
        () => {},
      );
  }
  const withTimeout = (
    statement: string | pg.QueryConfig,
    timeoutMs: number,
  ): pg.QueryConfig & { query_timeout: number } =>
    typeof statement === 'string'
      ? { text: statement, query_timeout: timeoutMs }
      : { ...statement, query_timeout: timeoutMs };
  const onPool = queries(
    (config) => pool.query(withTimeout(config, limits.statementMs)).catch(discardOnFailure),
    dialect,
  );

  async function onClient<Result>(
    work: (execute: Execute) => Promise<Result>,
    begin: string,
    timeoutMs: number,
    connect: () => Promise<pg.PoolClient> = () => pool.connect(),
  ): Promise<Result> {
    const client = await connect().catch(throwMapped);
    const cork = corkWrites(client, process.nextTick);
    const execute: Execute = (statement) => {
      cork();
      return client.query(withTimeout(statement, timeoutMs)).catch(discardOnFailure);
    };
    let broken: Error | undefined;
    try {
      const { isPooled, isCitus } = client as pg.PoolClient & Partial<Connection>;
      const settings = [...(isPooled ? [idleTimeout(limits)] : []), ...(isCitus ? [TRANSACTION_SETTING] : [])];
      const begun = execute([begin, ...settings.map((setting) => `set local ${setting}`)].join('; '));
      begun.catch(() => {});
      const result = await work(execute);
      const committed = await execute('commit').catch(throwCommitError);
      // A statement that nobody awaits has failed: PostgreSQL then responds to COMMIT with ROLLBACK.
      if (committed.command !== 'COMMIT') throw new RolledBack('a statement of the transaction failed');
      return result;
    } catch (error) {
      await client.query(withTimeout('rollback', limits.statementMs)).catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A separate connection, because the default timeout is a connection setting. */
  async function connectUnlimited(): Promise<pg.PoolClient> {
    const client = new PrimaryConnection({ ...connection, query_timeout: 0 });
    await client.connect();
    setUp(client);
    return Object.assign(client, { release: () => void client.end().catch(() => {}) });
  }

  /** One attempt, without retries. `failure` gives the error of the first failed statement, if any. */
  async function attempt<Result>(
    work: (tx: Transaction, failure: () => unknown) => Promise<Result>,
    { isLazy = false, isLong = false }: TransactionOptions,
  ): Promise<Result> {
    const state: State = { actions: [], failure: undefined };
    try {
      const begin = isLazy ? 'begin; set local synchronous_commit = off' : 'begin';
      const timeoutMs = isLong ? limits.longStatementMs : limits.statementMs;
      const result = await onClient(
        (execute) => work(transactionOn(execute, state, dialect), () => state.failure),
        begin,
        timeoutMs,
      );
      for (const action of state.actions) action();
      return result;
    } catch (thrown) {
      throw isFollowUpError(thrown) ? (state.failure ?? thrown) : thrown;
    }
  }

  const transaction = <Result>(work: (tx: Transaction) => Promise<Result>, options: TransactionOptions) =>
    withRetries(() => attempt(work, options));

  /** The writes are pipelined with the commit, which fails if one of them does. */
  const runGroup = (plans: readonly AnyPlan[]) =>
    attempt(async (tx, failure) => {
      const { outcomes, written } = await runPlans(tx, plans);
      written.catch(() => {});
      // A failed statement of one plan has aborted the transaction of all.
      if (failure() !== undefined) throw failure();
      return outcomes;
    }, {});

  const runAlone = (plan: AnyPlan) =>
    withRetries(async () => {
      const [outcome] = (await runGroup([plan])) as [Outcome];
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    });

  return {
    ...onPool,
    // A single statement can be in a deadlock too, above all on Citus.
    run: (query) => withRetries(() => onPool.run(query)),
    version: () => undefined,
    fastReads: queries((config) => shared.query(config).catch(discardOnFailure), dialect),
    write: writeGroups(runGroup, runAlone),
    transaction: (work, options = {}) => transaction(work, options),
    script: (work) =>
      onClient(
        async (execute) => {
          const exec = async (text: string) => void (await execute(text).catch(throwMapped));
          await work(exec, queries(execute, dialect));
        },
        BEGIN_SCRIPT,
        NO_LIMIT_MS,
        connectUnlimited,
      ),
    close: async () => void (await Promise.all([pool.end(), shared.close()])),
  };
}

/** Repeats what the server has rolled back because of others. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries === RETRIES || !isRetryable(error)) throw error;
      await sleep(10 * tries * Math.random());
    }
}

interface State {
  actions: (() => void)[];
  /** Error of the first failed statement; later ones fail only because of it. */
  failure: unknown;
}

class RolledBack extends Error {
  override name = 'RolledBack';
}

const isFollowUpError = (error: unknown) => error instanceof RolledBack || codeOf(error) === '25P02';

function transactionOn(execute: Execute, state: State, dialect: Dialect): Transaction {
  /** Records the error even if the caller does not await the result. */
  const recordFailure = <Result>(result: Promise<Result>) => {
    result.catch((error: unknown) => {
      state.failure ??= error;
    });
    return result;
  };
  const onClient = queries(
    dialect.isDistributed
      ? serializeReferenceWrites(execute, (turn) => recordFailure(turn.catch(throwMapped)))
      : execute,
    dialect,
  );
  return {
    dialect,
    all: <Row>(query: Sql) => recordFailure(onClient.all<Row>(query)),
    one: <Row>(query: Sql) => recordFailure(onClient.one<Row>(query)),
    run: (query) => recordFailure(onClient.run(query)),
    onCommit: (action) => state.actions.push(action),
    async lock(storeId, names) {
      // Always in the same order, to prevent deadlocks.
      const buckets = [...new Set(names.map(bucketOf))].sort((a, b) => a - b);
      await this.run(
        sql`insert into locks (store_id, bucket) select ${storeId}, unnest(${buckets}::bigint[])
            on conflict (store_id, bucket) do update set bucket = excluded.bucket`,
      );
    },
  };
}

const bucketOf = (name: string) => createHash('sha256').update(name).digest().readUInt32BE() % LOCK_BUCKETS;

export function queries(execute: (statement: pg.QueryConfig) => Promise<pg.QueryResult>, dialect: Dialect): Queryable {
  const send = (statement: Sql) => execute(prepared(statement)).catch(throwMapped);
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

/** Named statements are parsed once per connection. */
function prepared(statement: Sql): pg.QueryConfig {
  let text = texts.get(statement.parts);
  if (text === undefined) {
    text = statement.text((index) => `$${index}`);
    if (Object.isFrozen(statement.parts)) texts.set(statement.parts, text);
  }
  const values = statement.values as unknown[];
  if (statement.isPlannedEachTime) return { text, values };
  let name = names.get(text);
  if (name === undefined) {
    // Bounds the prepared statements that the server keeps in memory.
    if (names.size >= 500) return { text, values };
    name = `s${names.size}`;
    names.set(text, name);
  }
  return { name, text, values };
}

/** Type parsers. `bigint` becomes a number: amounts and instants are at most 2^53 − 1 by contract. */
function parserFor(types: typeof pg.types) {
  const known = new Map<number, (value: string) => unknown>([
    [INT8, Number],
    [BPCHAR, bytesOf],
  ]);
  return ((type: number) => {
    const cached = known.get(type);
    if (cached) return cached;
    const parse = types.getTypeParser(type, 'text') as (text: string) => unknown;
    const parser = (value: string) => parse(textOf(value));
    known.set(type, parser);
    return parser;
  }) as pg.CustomTypesConfig['getTypeParser'];
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code ?? '');

/** The driver's error has no code, only this message. */
const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

/** Deadlock, serialization failure. */
const isRetryable = (error: unknown) => ['40P01', '40001'].includes(codeOf(error));

/** Maps connection errors, exhausted resources (53), read-only mode (25006) and I/O errors (58030) to DatabaseUnavailable. */
export function throwMapped(error: unknown): never {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const isUnavailable =
    /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|08|57P0|53|25006|58030)/.test(code) ||
    /timeout (exceeded|expired)|Connection terminated|Query read timeout|Client has encountered a connection error/.test(
      message,
    );
  if (isLostWorker(message)) throw new OutcomeUnknown(message, { cause: error });
  if (isUnavailable) throw new DatabaseUnavailable(message || code, { cause: error });
  throw error;
}

export function throwCommitError(error: unknown): never {
  try {
    throwMapped(error);
  } catch (mapped) {
    if (mapped instanceof DatabaseUnavailable) throw new OutcomeUnknown(mapped.message, { cause: error });
    throw mapped;
  }
}
