import type { TimelineEntry } from '@store-sales/contract/console';
import type { Actor } from '../../actor.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface EventRow {
  id: string;
  type: TimelineEntry['type'];
  details: string;
  actor_kind: Actor['kind'];
  key_name: string | null;
  owner_name: string | null;
  created_at: number;
}

/** Newest first. */
export const eventsOf = (db: Queryable, storeId: string, orderId: string, limit: number) =>
  db.all<EventRow>(
    sql`select e.id, e.type, e.details, e.actor_kind, k.name as key_name, o.name as owner_name, e.created_at
        from events e
        left join api_keys k on k.store_id = e.store_id and k.id = e.actor_id
        left join owners o on o.id = e.actor_id
        where e.store_id = ${storeId} and e.order_id = ${orderId}
        order by e.seq desc limit ${limit}`,
  );
