import { columnTypes, type Engine, strict } from './frozen.ts';

/**
 * Passkeys, codes and recovery codes of accounts; which stores require them; when a session was last verified.
 * Programs before it would sign in with the password alone.
 */
export const secondFactor = {
  name: 'second-factor',
  isBreaking: true,
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, boolean, text } = columnTypes[engine];
    return [
      `alter table stores add column is_second_factor_required ${boolean} not null default false`,
      `alter table sessions add column address ${text} not null default ''`,
      `alter table sessions add column verified_at ${instant} not null default 0`,
      // The secret is encrypted; null if it was lost with its key. Codes of steps up to last_step were used.
      `create table code_generators (
         owner_id ${uuid} not null references owners (id),
         id ${uuid} not null,
         secret ${text},
         last_step ${integer} not null,
         created_at ${instant} not null,
         primary key (owner_id)
       )${strict[engine]}`,
      // A used code is deleted.
      `create table recovery_codes (
         owner_id ${uuid} not null references owners (id),
         code_hash ${text} not null,
         primary key (owner_id, code_hash)
       )${strict[engine]}`,
      // A passkey works only at the host that it was added at.
      `create table passkeys (
         owner_id ${uuid} not null references owners (id),
         id ${uuid} not null,
         credential_id ${text} not null,
         host ${text} not null,
         public_key ${text} not null,
         counter ${integer} not null,
         transports ${text} not null,
         name ${text} not null,
         created_at ${instant} not null,
         last_used_at ${instant},
         primary key (owner_id, id),
         unique (owner_id, credential_id)
       )${strict[engine]}`,
      // Signed tokens that were used, until they expire.
      `create table used_tokens (
         owner_id ${uuid} not null references owners (id),
         nonce ${text} not null,
         expires_at ${instant} not null,
         primary key (owner_id, nonce)
       )${strict[engine]}`,
    ];
  },
};
