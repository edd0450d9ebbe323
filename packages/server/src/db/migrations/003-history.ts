import { columnTypes, type Engine, strict } from './frozen.ts';

/** Who changed which setting, and when. */
export const history = {
  name: 'history',
  statements(engine: Engine): string[] {
    const { uuid, instant, text } = columnTypes[engine];
    return [
      // The scope is the store, or the owner where a change concerns no store (a password, a sign-in).
      `create table history (
         scope_id ${uuid} not null,
         id ${uuid} not null,
         actor_kind ${text} not null,
         actor_id ${uuid},
         action ${text} not null,
         subject_kind ${text} not null,
         subject_id ${uuid} not null,
         subject_name ${text} not null,
         details ${text} not null default '{}',
         created_at ${instant} not null,
         primary key (scope_id, id)
       )${strict[engine]}`,
      'create index history_by_time on history (scope_id, created_at, id)',
    ];
  },
};
