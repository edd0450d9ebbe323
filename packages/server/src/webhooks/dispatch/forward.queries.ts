import { eventTypes } from '@store-sales/contract';
import type { Queryable } from '../../db/database.ts';
import { join, sql } from '../../db/sql.ts';
import type { DueDelivery } from './queue.queries.ts';

const types = Object.keys(eventTypes).map((type) => sql`${type}`);

/** The deliverable events of a store after the one with this id, oldest first. Ids are ordered by time. */
export const eventsAfter = (db: Queryable, storeId: string, id: string, limit: number) =>
  db.all<Omit<DueDelivery, 'store_id' | 'id'>>(
    sql`select id as event_id, type, order_id, external_id, created_at as event_at from events
        where store_id = ${storeId} and id > ${id} and type in (${join(types, ', ')}) order by id limit ${limit}`,
  );
