import { empty, join, raw, type Sql, sql } from './sql.ts';

type Kind = 'uuid' | 'instant' | 'integer' | 'truth' | 'text';

/** The few places where the two engines speak differently. */
export interface Dialect {
  engine: 'sqlite' | 'postgres';
  /** Column types by what they hold. */
  types: Record<Kind, string>;
  greatest(a: Sql, b: Sql): Sql;
  /** The clock of the database server in milliseconds; on the embedded engine the clock of this machine. */
  now: Sql;
  /** An instant as it is shown: UTC, milliseconds, `Z`. */
  iso(instant: Sql): Sql;
  /** A text as a JSON string. */
  quoted(text: Sql): Sql;
  /** A truth value as JSON. */
  truth(value: Sql): Sql;
  /** Texts of an ordered subquery, joined with commas in its order. */
  joined(text: Sql): Sql;
  /** A text as the bytes that are sent, without a detour through a JavaScript string where the engine can. */
  bytes(text: Sql): Sql;
  /** Behind a select: rows locked, those that another holds left out. */
  skipLocked: Sql;
  /** Behind a select: rows locked against every other lock. */
  forUpdate: Sql;
  /** Behind a select: rows that any number may hold at once, and nobody change meanwhile. */
  forShare: Sql;
  /** Behind a select: rows locked for a change that those who hold them by `forKeyShareOf` need not see. */
  forNoKeyUpdate: Sql;
  /** Behind a select: the rows of one of its tables held against `forUpdate`, and read as they are then. */
  forKeyShareOf(table: string): Sql;
  /** A new UUID of version 7 for an instant, another one in each row. */
  uuid(instant: Sql): Sql;
  /**
   * Rows of ours as a table of the statement, keyed by column. The text is the same whatever their number, so
   * that a batch of any size is one statement, prepared once.
   */
  records<Column extends string>(
    name: string,
    columns: Record<Column, Kind>,
    rows: readonly Record<Column, unknown>[],
  ): Sql;
  /**
   * Most rows that one statement should change. The embedded engine works in our thread, and every other request
   * waits for it; on PostgreSQL (15,000 rows a second, every index included) it keeps clear of the time limit.
   */
  maxRowsPerStatement: number;
  /**
   * Most rows that one transaction should change: the embedded engine has one writer, and every other store's
   * writes wait for it.
   */
  maxRowsPerTransaction: number;
  /** Behind a table: the index to use. PostgreSQL counts what is in a table and knows by itself. */
  indexedBy(index: string): Sql;
  /** The engine's code for "this value must be unique and is there already". */
  uniqueViolation: string;
}

const types = {
  sqlite: { uuid: 'text', instant: 'integer', integer: 'integer', truth: 'integer', text: 'text' },
  postgres: { uuid: 'uuid', instant: 'bigint', integer: 'bigint', truth: 'boolean', text: 'text' },
};

export const sqlite: Dialect = {
  engine: 'sqlite',
  types: types.sqlite,
  greatest: (a, b) => sql`max(${a}, ${b})`,
  now: raw("cast(round((julianday('now') - 2440587.5) * 86400000) as integer)"),
  iso: (instant) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${instant} / 1000.0, 'unixepoch')`,
  quoted: (text) => sql`json_quote(${text})`,
  truth: (value) => sql`iif(${value}, 'true', 'false')`,
  joined: (text) => sql`group_concat(${text}, ',')`,
  bytes: (text) => sql`cast(${text} as blob)`,
  // The file has one writer: whoever is in a transaction is alone already.
  skipLocked: empty,
  forUpdate: empty,
  forShare: empty,
  forNoKeyUpdate: empty,
  forKeyShareOf: () => empty,
  uuid: (instant) =>
    sql`lower(printf('%08x-%04x-7%.3s-%s%.3s-%s', ${instant} >> 16, ${instant} & 65535, hex(randomblob(2)),
                     substr('89ab', 1 + (random() & 3), 1), hex(randomblob(2)), hex(randomblob(6))))`,
  records(name, columns, rows) {
    const members = Object.keys(columns).map((column) => `value ->> '${column}' as ${column}`);
    // Not json_each: its rows are texts, and each column would parse its row again.
    return sql`(select ${raw(members.join(', '))} from jsonb_each(${JSON.stringify(rows)})) as ${raw(name)}`;
  },
  indexedBy: (index) => raw(`indexed by ${index}`),
  maxRowsPerStatement: 1000,
  maxRowsPerTransaction: 1000,
  uniqueViolation: 'SQLITE_CONSTRAINT_UNIQUE',
};

export const postgres: Dialect = {
  engine: 'postgres',
  types: types.postgres,
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  now: raw('cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)'),
  iso: (instant) => sql`to_char(to_timestamp(${instant} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  quoted: (text) => sql`to_json(${text})::text`,
  truth: (value) => sql`case when ${value} then 'true' else 'false' end`,
  joined: (text) => sql`string_agg(${text}, ',')`,
  bytes: (text) => sql`(${text})::bpchar`,
  skipLocked: raw('for update skip locked'),
  forUpdate: raw('for update'),
  forShare: raw('for share'),
  forNoKeyUpdate: raw('for no key update'),
  forKeyShareOf: (table) => raw(`for key share of ${table}`),
  uuid: (instant) =>
    sql`(substr(lpad(to_hex(${instant}), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(${instant}), 12, '0'), 9) || '-7'
         || substr(gen_random_uuid()::text, 16))::uuid`,
  records(name, columns, rows) {
    const names = Object.keys(columns) as (keyof typeof columns)[];
    const lists = names.map(
      (column) => sql`${rows.map((row) => row[column])}::${raw(types.postgres[columns[column]])}[]`,
    );
    return sql`unnest(${join(lists, ', ')}) as ${raw(`${name}(${names.join(', ')})`)}`;
  },
  indexedBy: () => empty,
  maxRowsPerStatement: 50_000,
  maxRowsPerTransaction: Number.POSITIVE_INFINITY,
  uniqueViolation: '23505',
};
