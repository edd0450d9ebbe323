import { columnTypes, type Engine, strict } from './frozen.ts';

/** The secret keys in use: their ids and a value derived from the key, never the key itself. */
export const secretKeys = {
  name: 'secret-keys',
  statements(engine: Engine): string[] {
    const { instant, text } = columnTypes[engine];
    return [
      `create table secret_keys (
         id ${text} primary key,
         verifier ${text} not null,
         created_at ${instant} not null
       )${strict[engine]}`,
    ];
  },
};
