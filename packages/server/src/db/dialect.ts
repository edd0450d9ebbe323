import { raw, type Sql, sql } from './sql.ts';

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
  /** Behind a select: the rows are locked until the transaction ends. */
  forUpdate: Sql;
  /** Behind a select: the rows may be read but not changed by others until the transaction ends. */
  forShare: Sql;
  /** Behind a select: rows locked, those that another holds left out. */
  skipLocked: Sql;
}

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
  forUpdate: raw(''),
  forShare: raw(''),
  skipLocked: raw(''),
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
  forUpdate: raw('for update'),
  forShare: raw('for share'),
  skipLocked: raw('for update skip locked'),
};
