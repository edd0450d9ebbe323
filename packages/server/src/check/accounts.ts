import { sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

export const accounts: readonly Rule[] = [
  {
    kind: 'store_without_owner',
    promise: 'every store has an owner among its members',
    broken: (_, { storeId }) =>
      sql`select s.id as store_id, s.id, 'has no owner' as message from stores s
          where not exists (select 1 from store_members m where m.store_id = s.id and m.role = 'owner')
          ${storeId ? sql`and s.id = ${storeId}` : sql``}`,
  },
  {
    kind: 'mail_state',
    promise: 'a waiting mail has a next attempt, and any other one the time when it ended',
    broken: (_, scope) =>
      sql`select m.store_id, m.id, 'is ' || m.state || ' with a wrong time' as message from mails m
          where (m.state = 'waiting') = (m.settled_at is not null) ${inScope(scope, 'm')}
             or (m.state = 'waiting' and m.next_attempt_at is null) ${inScope(scope, 'm')}`,
  },
  {
    kind: 'response_incomplete',
    promise: 'the response that is kept for an Idempotency-Key is whole',
    broken: (_, scope) =>
      sql`select k.store_id, k.store_id as id, 'the response kept for ' || k.path || ' is incomplete' as message
          from idempotency_keys k
          where ((k.status is null) <> (k.body is null) or (k.status is null) <> (k.headers is null))
            ${inScope(scope, 'k')}`,
  },
  {
    kind: 'request_log_size',
    promise: 'the number of lines of a request log is right',
    broken: (_, scope) =>
      sql`select z.store_id, z.store_id as id, 'has another number of lines than is recorded' as message
          from request_log_sizes z
          where z.lines <> (select count(*) from request_log l where l.store_id = z.store_id) ${inScope(scope, 'z')}`,
  },
];
