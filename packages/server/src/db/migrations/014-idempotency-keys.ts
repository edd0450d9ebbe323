import { columnTypes, type Engine, strict } from './frozen.ts';

/** The requests with an `Idempotency-Key` of the last day, and the responses of those that succeeded. */
export const idempotencyKeys = {
  name: 'idempotency-keys',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, text } = columnTypes[engine];
    return [
      // `status`, `headers` (JSON) and `body` are null until the request succeeds.
      `create table idempotency_keys (
         store_id ${uuid} not null references stores (id),
         path ${text} not null,
         key ${text} not null,
         request_hash ${text} not null,
         created_at ${instant} not null,
         leased_until_at ${instant} not null,
         status ${integer},
         headers ${text},
         body ${text},
         primary key (store_id, path, key)
       )${strict[engine]}`,
      'create index idempotency_keys_created on idempotency_keys (created_at)',
    ];
  },
};
