import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface HourRow {
  endpoint_id: string;
  hour_at: number;
  attempts: number;
  successes: number;
  total_ms: number;
  slowest_ms: number;
}

/** The hourly figures of all endpoints of a store since a time. */
export const hoursOf = (db: Queryable, storeId: string, since: number) =>
  db.all<HourRow>(
    sql`select h.endpoint_id, h.hour_at, h.attempts, h.successes, h.total_ms, h.slowest_ms
        from webhook_endpoints p
        join endpoint_hours h on h.store_id = p.store_id and h.endpoint_id = p.id and h.hour_at >= ${since}
        where p.store_id = ${storeId}`,
  );
