// Frozen: released migrations use this file, so it is never changed. A migration that needs something else defines it
// itself; it imports nothing else, because later changes would alter the schema of new databases.

export type Engine = 'sqlite' | 'postgres';

/** Column types by kind of value. */
export const columnTypes = {
  sqlite: { uuid: 'text', instant: 'integer', integer: 'integer', boolean: 'integer', text: 'text' },
  postgres: { uuid: 'uuid', instant: 'bigint', integer: 'bigint', boolean: 'boolean', text: 'text' },
};

/** Suffix of a new table. */
export const strict = { sqlite: ' strict', postgres: '' };
