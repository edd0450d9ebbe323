import { columnTypes, type Engine, strict } from './frozen.ts';

/**
 * Who may work in a store, and who is invited. The table `owners` holds every account from now on: those of members who
 * own no store too. Programs before it would create stores that nobody may open.
 */
export const members = {
  name: 'members',
  isBreaking: true,
  statements(engine: Engine): string[] {
    const { uuid, instant, boolean, text } = columnTypes[engine];
    return [
      // An account that was created by an invitation may not create stores.
      `alter table owners add column is_invited ${boolean} not null default false`,
      `create table store_members (
         store_id ${uuid} not null references stores (id),
         owner_id ${uuid} not null references owners (id),
         role ${text} not null,
         created_at ${instant} not null,
         primary key (store_id, owner_id)
       )${strict[engine]}`,
      'create index store_members_account on store_members (owner_id, store_id)',
      `insert into store_members (store_id, owner_id, role, created_at)
         select id, owner_id, 'owner', created_at from stores`,
      // The link of an invitation names the store and a token, of which only the hash is stored.
      `create table invitations (
         store_id ${uuid} not null references stores (id),
         id ${uuid} not null,
         token_hash ${text} not null,
         email ${text} not null,
         email_key ${text} not null,
         role ${text} not null,
         invited_by ${uuid},
         created_at ${instant} not null,
         expires_at ${instant} not null,
         primary key (store_id, id),
         unique (store_id, email_key)
       )${strict[engine]}`,
    ];
  },
};
