import type { Dialect } from '../dialect.ts';

/** The secret keys in use: their ids and a value that only the key itself yields, never the key. */
export const secretKeys = {
  name: 'secret-keys',
  statements({ types: { instant, text }, engine }: Dialect): string[] {
    return [
      `create table secret_keys (
         id ${text} primary key,
         verifier ${text} not null,
         created_at ${instant} not null
       )${engine === 'sqlite' ? ' strict' : ''}`,
    ];
  },
};
