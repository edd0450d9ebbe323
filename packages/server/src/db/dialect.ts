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
  /** Texts joined in the order of the rows. */
  joined(text: Sql, order: Sql): Sql;
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
  joined: (text, order) => sql`group_concat(${text}, ',' order by ${order})`,
  skipLocked: raw(''),
};

export const postgres: Dialect = {
  engine: 'postgres',
  types: { uuid: 'uuid', instant: 'bigint', integer: 'bigint', truth: 'boolean', text: 'text' },
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  iso: (instant) => sql`to_char(to_timestamp(${instant} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  quoted: (text) => sql`to_json(${text})::text`,
  truth: (value) => sql`case when ${value} then 'true' else 'false' end`,
  joined: (text, order) => sql`string_agg(${text}, ',' order by ${order})`,
  skipLocked: raw('for update skip locked'),
};
