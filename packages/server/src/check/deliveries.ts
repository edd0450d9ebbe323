import { sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

export const deliveries: readonly Rule[] = [
  {
    kind: 'delivery_missing',
    promise: 'every event that an endpoint was to get has its delivery',
    broken: (_, scope) =>
      sql`select e.store_id, e.id, e.type || ' was never queued for endpoint ' || p.id as message
          from webhook_endpoints p join events e on e.store_id = p.store_id and e.seq > p.subscribed_seq
          where e.created_at > ${scope.deliveriesSince} ${inScope(scope, 'p')}
            and ' ' || p.events || ' ' like '% ' || e.type || ' %'
            and not exists (select 1 from deliveries d
                            where d.store_id = e.store_id and d.event_id = e.id and d.endpoint_id = p.id)`,
  },
  {
    kind: 'delivery_repeated',
    promise: 'an event has one delivery at an endpoint',
    broken: (_, scope) =>
      sql`select d.store_id, min(cast(d.id as text)) as id, 'another delivery of the same event to the same endpoint' as message
          from deliveries d where true ${inScope(scope, 'd')}
          group by d.store_id, d.event_id, d.endpoint_id having count(*) > 1`,
  },
  {
    kind: 'delivery_state',
    promise: 'a pending delivery has a next attempt, and any other one, which waits for none, the time when it ended',
    broken: (_, scope) =>
      sql`select d.store_id, d.id, 'is ' || d.status || ' with a wrong time' as message from deliveries d
          where (d.status = 'pending') = (d.next_attempt_at is null) ${inScope(scope, 'd')}
             or (d.status = 'pending') = (d.settled_at is not null) ${inScope(scope, 'd')}
             or (d.is_scheduled and d.status <> 'pending') ${inScope(scope, 'd')}`,
  },
  {
    kind: 'delivery_attempts',
    promise:
      'a delivery was delivered by an attempt that succeeded, failed by one that did not, and counts no other ones',
    broken: (_, scope) =>
      sql`select d.store_id, d.id, 'counts ' || d.attempt_count || ' attempts, and has fewer' as message
          from deliveries d join events e on e.store_id = d.store_id and e.id = d.event_id
          -- The attempts of a ping begin with the last one.
          where e.type <> 'ping' and d.attempt_count > 0 ${inScope(scope, 'd')}
            and d.attempt_count > (select count(*) from attempts a where a.store_id = d.store_id and a.delivery_id = d.id)
          union all
          select d.store_id, d.id, 'is ' || d.status || ', but its attempts tell otherwise' as message from deliveries d
          where d.status in ('delivered', 'failed') ${inScope(scope, 'd')}
            and not exists (select 1 from attempts a
                            where a.store_id = d.store_id and a.delivery_id = d.id
                              and (d.status = 'delivered') = (coalesce(a.response_status, 0) between 200 and 299))`,
  },
  {
    kind: 'delivery_at_disabled_endpoint',
    promise: 'nothing waits to be sent to an endpoint that is switched off',
    broken: (_, scope) =>
      sql`select d.store_id, d.id, 'is pending at an endpoint that is switched off' as message
          from deliveries d join webhook_endpoints p on p.store_id = d.store_id and p.id = d.endpoint_id
          join events e on e.store_id = d.store_id and e.id = d.event_id
          where d.status = 'pending' and not p.is_active and not p.is_stopping and e.type <> 'ping' ${inScope(scope, 'd')}`,
  },
  {
    kind: 'endpoint_failures',
    promise: 'an endpoint with failures in a row knows since when',
    broken: (_, scope) =>
      sql`select p.store_id, p.id, 'has ' || p.consecutive_failures || ' failures in a row with a wrong time' as message
          from webhook_endpoints p
          where (p.consecutive_failures = 0) = (p.failing_since_at is not null) ${inScope(scope, 'p')}`,
  },
];
