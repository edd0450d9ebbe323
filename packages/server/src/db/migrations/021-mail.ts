import { columnTypes, type Engine, strict } from './frozen.ts';

/** The outbox of mails, the links that reset a password, and what members were mailed about. */
export const mail = {
  name: 'mail',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, boolean, text } = columnTypes[engine];
    return [
      // `store_id` is zero for mails of an account. `secret` is an encrypted link, which is erased with `params` when the
      // mail is sent. `limit_key` is the address as it is counted for limits.
      `create table mails (
         store_id ${uuid} not null,
         id ${uuid} not null,
         kind ${text} not null,
         recipient ${text} not null,
         limit_key ${text} not null,
         language ${text} not null,
         params ${text} not null,
         secret ${text},
         state ${text} not null,
         attempts ${integer} not null default 0,
         next_attempt_at ${instant},
         lease ${instant},
         error ${text},
         created_at ${instant} not null,
         expires_at ${instant},
         settled_at ${instant},
         primary key (store_id, id)
       )${strict[engine]}`,
      "create index mails_due on mails (store_id, next_attempt_at) where state = 'waiting'",
      'create index mails_of_recipient on mails (limit_key, created_at)',
      'create index mails_of_store on mails (store_id, created_at)',
      'create index mails_settled on mails (state, settled_at) where settled_at is not null',
      // One link per account: a new one replaces it. Only the hash of its token is stored.
      `create table password_resets (
         owner_id ${uuid} primary key references owners (id),
         token_hash ${text} not null,
         created_at ${instant} not null,
         expires_at ${instant} not null
       )${strict[engine]}`,
      `alter table store_members add column is_order_mail ${boolean} not null default false`,
      // The last order that the member was mailed about, and when.
      `alter table store_members add column order_mail_number ${integer} not null default 0`,
      `alter table store_members add column order_mail_at ${instant} not null default 0`,
      'create index store_members_order_mail on store_members (store_id, owner_id) where is_order_mail',
      // The last notice that the key expires: 14 or 3 days before.
      `alter table api_keys add column expiry_mail_days ${integer}`,
      'create index api_keys_expiring on api_keys (expires_at) where revoked_at is null',
      // `failing_since_at` of the failures that members were mailed about.
      `alter table webhook_endpoints add column mailed_failing_since_at ${instant}`,
      'create index webhook_endpoints_failing on webhook_endpoints (failing_since_at) where failing_since_at is not null',
    ];
  },
};
