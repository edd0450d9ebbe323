import { sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

export const events: readonly Rule[] = [
  {
    kind: 'event_without_order',
    promise: 'no event exists without its order',
    broken: (_, scope) =>
      sql`select e.store_id, e.id, e.type || ' of an order that does not exist' as message from events e
          where e.type <> 'ping' ${inScope(scope, 'e')}
            and not exists (select 1 from orders o where o.store_id = e.store_id and o.id = e.order_id)`,
  },
  {
    kind: 'event_of_another_order',
    promise: 'an event names the external id of its order',
    broken: (_, scope) =>
      sql`select e.store_id, e.id, e.type || ' does not have the external id of its order' as message
          from events e join orders o on o.store_id = e.store_id and o.id = e.order_id
          where e.external_id <> coalesce(o.external_id, '') ${inScope(scope, 'e')}`,
  },
  {
    kind: 'event_without_number',
    promise: 'every event but a ping has a change number',
    broken: (_, scope) =>
      sql`select e.store_id, e.id, e.type || ' without a change number' as message from events e
          where (e.seq is null) <> (e.type = 'ping') ${inScope(scope, 'e')}`,
  },
  {
    kind: 'order_without_event',
    promise: 'every order has its order.created',
    broken: (_, scope) =>
      sql`select o.store_id, o.id, 'order ' || o.number || ' has no order.created' as message from orders o
          where o.created_at > ${scope.eventsSince} ${inScope(scope, 'o')}
            and not exists (select 1 from events e
                            where e.store_id = o.store_id and e.order_id = o.id and e.type = 'order.created')`,
  },
];
