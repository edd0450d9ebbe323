import { empty, raw, type Sql, sql } from './sql.ts';
import { uuid } from './uuid.ts';

/** The few places where the two engines speak differently. */
export interface Dialect {
  engine: 'sqlite' | 'postgres';
  /** Column types by what they hold. */
  types: { uuid: string; instant: string; integer: string; truth: string; text: string };
  greatest(a: Sql, b: Sql): Sql;
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
  /** Behind a select: rows locked against any change by others, and against their `forShare`. */
  forUpdate: Sql;
  /** Behind a select: rows that any number may hold at once, and nobody change meanwhile. */
  forShare: Sql;
  /**
   * Rows handed over as one value, to stand behind `from`: the statement is the same however many there are, so it
   * is prepared once. Columns in the order of the values.
   */
  records(columns: Readonly<Record<string, ValueType>>, rows: readonly (readonly unknown[])[]): Sql;
  /** A UUID of version 7 made by the engine, another for each row; `uuid.ts` makes single ones. */
  newUuid(now: number): Sql;
  /**
   * Most rows that one statement should change. The embedded engine works in our thread, and every other request
   * waits for it; on PostgreSQL (15,000 rows a second, every index included) it keeps clear of the time limit.
   */
  rowsAtOnce: number;
  /** The engine's code for "this value must be unique and is there already". */
  uniqueViolation: string;
}

export type ValueType = 'uuid' | 'text' | 'integer' | 'truth';

/** Up to and with the version: the time, which is the same for all UUIDs of one instant. */
const timeOf = (now: number) => uuid(now).slice(0, 15);

export const sqlite: Dialect = {
  engine: 'sqlite',
  types: { uuid: 'text', instant: 'integer', integer: 'integer', truth: 'integer', text: 'text' },
  greatest: (a, b) => sql`max(${a}, ${b})`,
  iso: (instant) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${instant} / 1000.0, 'unixepoch')`,
  quoted: (text) => sql`json_quote(${text})`,
  truth: (value) => sql`iif(${value}, 'true', 'false')`,
  joined: (text) => sql`group_concat(${text}, ',')`,
  bytes: (text) => sql`cast(${text} as blob)`,
  // The file has one writer: whoever is in a transaction is alone already.
  skipLocked: empty,
  forUpdate: empty,
  forShare: empty,
  records: (columns, rows) => {
    const picked = Object.keys(columns).map((name, index) => `value ->> ${index} as ${name}`);
    return sql`(select ${raw(picked.join(', '))} from json_each(${JSON.stringify(rows)}))`;
  },
  newUuid: (now) =>
    sql`${timeOf(now)} || lower(substr(hex(randomblob(2)), 2) || '-' || substr('89AB', 1 + (random() & 3), 1)
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
  rowsAtOnce: 1000,
  uniqueViolation: 'SQLITE_CONSTRAINT_UNIQUE',
};

export const postgres: Dialect = {
  engine: 'postgres',
  types: { uuid: 'uuid', instant: 'bigint', integer: 'bigint', truth: 'boolean', text: 'text' },
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  iso: (instant) => sql`to_char(to_timestamp(${instant} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  quoted: (text) => sql`to_json(${text})::text`,
  truth: (value) => sql`case when ${value} then 'true' else 'false' end`,
  joined: (text) => sql`string_agg(${text}, ',')`,
  bytes: (text) => text,
  skipLocked: raw('for update skip locked'),
  // "No key": the foreign keys of rows that others insert meanwhile are checked without waiting for us. With the
  // plain form an order that holds the clock would wait for the customer, and who holds the customer for the clock.
  forUpdate: raw('for no key update'),
  forShare: raw('for share'),
  records: (columns, rows) => {
    const picked = Object.entries(columns).map(
      ([name, type], index) => `(value ->> ${index})::${postgres.types[type]} as ${name}`,
    );
    return sql`(select ${raw(picked.join(', '))} from jsonb_array_elements(${JSON.stringify(rows)}::jsonb))`;
  },
  newUuid: (now) => sql`(${timeOf(now)} || substr(gen_random_uuid()::text, 16))::uuid`,
  rowsAtOnce: 50_000,
  uniqueViolation: '23505',
};
