import { empty, join, raw, type Sql, sql } from './sql.ts';

export type Kind = 'uuid' | 'instant' | 'integer' | 'boolean' | 'text';

/** The differences between the SQL of the two engines. */
export interface Dialect {
  engine: 'sqlite' | 'postgres';
  /** Whether the rows of a store are on one of many servers (Citus). Known from the first connection on. */
  isDistributed: boolean;
  /**
   * A further condition, ` and column = store`, from which a distributed database knows the server. Others have a better plan
   * without it.
   */
  atStore(column: string, storeId: string): Sql;
  greatest(a: Sql, b: Sql): Sql;
  /** The database server's time in milliseconds; on SQLite, this machine's. */
  now: Sql;
  /** An instant as ISO 8601: UTC, milliseconds, `Z`. */
  iso(instant: Sql): Sql;
  /** A text as a JSON string. */
  quoted(text: Sql): Sql;
  /** A boolean as JSON. */
  boolean(value: Sql): Sql;
  /** Aggregates the texts of an ordered subquery into a comma-separated list, in its order. */
  joined(text: Sql): Sql;
  /** A text as a Buffer of UTF-8, without decoding it to a JavaScript string. */
  bytes(text: Sql): Sql;
  /** Suffix of a select: locks the rows and skips those locked by others. */
  skipLocked: Sql;
  /** The same for rows of all stores; in a distributed database, which cannot, it locks none. */
  skipLockedAnywhere: Sql;
  /** Suffix of a select: exclusive row locks. */
  forUpdate: Sql;
  /** Suffix of a select: shared row locks, which block changes. */
  forShare: Sql;
  /** Suffix of a select: exclusive row locks that are compatible with `forKeyShareOf`. */
  forNoKeyUpdate: Sql;
  /**
   * Suffix of a select: locks one table's rows against `forUpdate`, in the order of their ids, and reads their latest
   * version.
   */
  forKeyShareOf(table: string): Sql;
  /** Generates a UUIDv7 for an instant and a text of UUIDs and numbers, which is different in each row. */
  uuid(instant: Sql, text: Sql): Sql;
  /**
   * The given rows as a table expression. The SQL text does not depend on the number of rows, so a batch of any size
   * uses one prepared statement.
   */
  records<Column extends string>(
    name: string,
    columns: Record<Column, Kind>,
    rows: readonly Record<Column, unknown>[],
  ): Sql;
  /** Whether an insert gets an array for each column, so that its text does not depend on the number of rows. */
  insertsArrays: boolean;
  /**
   * The given rows for an insert into these columns: `records`, or where a statement must name its stores, their values.
   */
  newRows<Column extends string>(columns: Record<Column, Kind>, rows: readonly Record<Column, unknown>[]): Sql;
  /**
   * Maximum rows to change in one statement. SQLite runs in our thread and blocks every other request; on PostgreSQL
   * (15,000 rows per second, indexes included) the limit keeps statements within their timeout.
   */
  maxRowsPerStatement: number;
  /**
   * Maximum rows to change in one transaction: SQLite has a single writer, so a long transaction blocks the writes of
   * every other store.
   */
  maxRowsPerTransaction: number;
  /**
   * Orders per transaction where a change of many is made in several. On SQLite other requests wait for one or two of them, 5 to
   * 10 ms each; PostgreSQL, where they do not wait, takes twice as long with 100.
   */
  ordersPerBatch: number;
  /** Expired rows to delete in one transaction, with what belongs to them. On SQLite, other writers wait for it. */
  deletesPerBatch: number;
  /** Suffix of a table: the index to use. PostgreSQL chooses well from its statistics. */
  indexedBy(index: string): Sql;
}

/** `where true` keeps SQLite from reading `on conflict` as a join. */
const selected = (records: Sql, columns: object) =>
  sql`select ${raw(Object.keys(columns).join(', '))} from ${records} where true`;

export const postgresTypes: Record<Kind, string> = {
  uuid: 'uuid',
  instant: 'bigint',
  integer: 'bigint',
  boolean: 'boolean',
  text: 'text',
};

export const sqlite: Dialect = {
  engine: 'sqlite',
  isDistributed: false,
  atStore: () => empty,
  greatest: (a, b) => sql`max(${a}, ${b})`,
  now: raw("cast(round((julianday('now') - 2440587.5) * 86400000) as integer)"),
  // strftime takes twice as long.
  iso: (instant) => sql`replace(datetime(${instant} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'`,
  quoted: (text) => sql`json_quote(${text})`,
  boolean: (value) => sql`iif(${value}, 'true', 'false')`,
  joined: (text) => sql`group_concat(${text}, ',')`,
  bytes: (text) => sql`cast(${text} as blob)`,
  // SQLite has a single writer, so every transaction is already exclusive.
  skipLocked: empty,
  skipLockedAnywhere: empty,
  forUpdate: empty,
  forShare: empty,
  forNoKeyUpdate: empty,
  forKeyShareOf: () => empty,
  uuid: (instant) =>
    sql`lower(printf('%08x-%04x-7%.3s-%s%.3s-%s', ${instant} >> 16, ${instant} & 65535, hex(randomblob(2)),
                     substr('89ab', 1 + (random() & 3), 1), hex(randomblob(2)), hex(randomblob(6))))`,
  records(name, columns, rows) {
    const members = Object.keys(columns).map((column) => `value ->> '${column}' as ${column}`);
    // Not json_each: its values are texts, and each column would parse its row again.
    return sql`(select ${raw(members.join(', '))} from jsonb_each(${JSON.stringify(rows)})) as ${raw(name)}`;
  },
  insertsArrays: false,
  newRows(columns, rows) {
    return selected(this.records('x', columns, rows), columns);
  },
  indexedBy: (index) => raw(`indexed by ${index}`),
  maxRowsPerStatement: 1000,
  maxRowsPerTransaction: 1000,
  ordersPerBatch: 100,
  deletesPerBatch: 500,
};

export const postgres: Dialect = {
  engine: 'postgres',
  isDistributed: false,
  atStore: () => empty,
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  now: raw('cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)'),
  // Not 1000.0: dividing as numeric, the whole would take half as long again.
  iso: (instant) =>
    sql`to_char(to_timestamp(${instant} / 1000::float8) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  quoted: (text) => sql`to_json(${text})::text`,
  boolean: (value) => sql`case when ${value} then 'true' else 'false' end`,
  joined: (text) => sql`string_agg(${text}, ',')`,
  bytes: (text) => sql`(${text})::bpchar`,
  skipLocked: raw('for update skip locked'),
  skipLockedAnywhere: raw('for update skip locked'),
  forUpdate: raw('for update'),
  forShare: raw('for share'),
  forNoKeyUpdate: raw('for no key update'),
  forKeyShareOf: (table) => raw(`order by ${table}.id for key share of ${table}`),
  // Not random: Citus would not run the statement on the server of the store.
  uuid: (instant, text) =>
    sql`overlay(overlay(substr(lpad(to_hex(${instant}), 12, '0') || encode(sha256((${text})::bytea), 'hex'), 1, 32)
                placing '7' from 13) placing '8' from 17)::uuid`,
  records(name, columns, rows) {
    const names = Object.keys(columns) as (keyof typeof columns)[];
    const lists = names.map(
      (column) => sql`${rows.map((row) => row[column])}::${raw(postgresTypes[columns[column]])}[]`,
    );
    return sql`unnest(${join(lists, ', ')}) as ${raw(`${name}(${names.join(', ')})`)}`;
  },
  insertsArrays: true,
  newRows(columns, rows) {
    return selected(this.records('x', columns, rows), columns);
  },
  indexedBy: () => empty,
  maxRowsPerStatement: 50_000,
  maxRowsPerTransaction: Number.MAX_SAFE_INTEGER - 1,
  ordersPerBatch: 500,
  deletesPerBatch: 5000,
};
