import type { Dialect } from '../dialect.ts';

/** Changes of statuses that take more than one transaction, until they are done. */
export const unfinishedChanges = {
  name: 'unfinished-changes',
  statements({ types: { uuid, instant, text }, engine }: Dialect): string[] {
    return [
      `create table unfinished_changes (
         store_id ${uuid} not null references stores (id),
         id ${uuid} not null,
         kind ${text} not null,
         fields ${text} not null,
         actor_kind ${text} not null,
         actor_id ${uuid},
         asked_at ${instant} not null,
         primary key (store_id, id)
       )${engine === 'sqlite' ? ' strict' : ''}`,
    ];
  },
};
