import { columnTypes, type Engine, strict } from './frozen.ts';

/** Status changes that take more than one transaction, until they are finished. */
export const unfinishedChanges = {
  name: 'unfinished-changes',
  statements(engine: Engine): string[] {
    const { uuid, instant, text } = columnTypes[engine];
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
       )${strict[engine]}`,
    ];
  },
};
