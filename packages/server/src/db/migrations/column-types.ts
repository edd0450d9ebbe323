export type Engine = 'sqlite' | 'postgres';

/** Column types by kind of value. */
export const columnTypes = {
  sqlite: { uuid: 'text', instant: 'integer', integer: 'integer', boolean: 'integer', text: 'text', bytes: 'blob' },
  postgres: { uuid: 'uuid', instant: 'bigint', integer: 'bigint', boolean: 'boolean', text: 'text', bytes: 'bytea' },
};
