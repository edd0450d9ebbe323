import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { DeliveryStatus } from '../dispatch/outcome.ts';

export interface OrderDeliveryRow {
  store_id: string;
  id: string;
  event_id: string;
  url: string;
  is_active: boolean;
  status: DeliveryStatus;
  next_attempt_at: number | null;
  leased_until_at: number | null;
}

/** Oldest first. `cross join` fixes the join order on SQLite, so that deliveries are read by the index on events. */
export const deliveriesOfEvents = (db: Queryable, storeId: string, eventIds: readonly string[]) =>
  db.all<OrderDeliveryRow>(
    sql`select d.store_id, d.id, d.event_id, p.url, p.is_active, d.status, d.next_attempt_at, d.leased_until_at
        from ${db.dialect.records(
          'w',
          { wanted: 'uuid' },
          eventIds.map((wanted) => ({ wanted })),
        )}
        cross join deliveries d
        join webhook_endpoints p on p.store_id = d.store_id and p.id = d.endpoint_id
        where d.store_id = ${storeId} and d.event_id = w.wanted
        order by d.created_at, d.id`,
  );
