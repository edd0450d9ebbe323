import type { Queryable, Transaction } from '../db/database.ts';
import { all, join, raw, type Sql, sql } from '../db/sql.ts';
import type { DeliveryRow } from './log.store.ts';
import type { DeliveryStatus } from './settle.ts';

export interface Place {
  storeId: string;
  endpointId: string;
}

export interface Wanted {
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
  /** Only deliveries of these orders. */
  orderIds?: readonly string[] | undefined;
}

/** The sort key of a delivery in the log. */
export type Key = readonly [at: number, id: string];

export type FoundDelivery = DeliveryRow & { order_number: number | null };

const list = (values: readonly string[]) =>
  join(
    values.map((value) => sql`${value}`),
    ', ',
  );

/** The states that have an index of their own; named so that the engine sees that it fits. */
const unsent: readonly string[] = ['failed', 'stopped', 'skipped'];

function conditions({ storeId, endpointId }: Place, { status }: Wanted, before: Key | undefined): Sql[] {
  const found = [sql`d.store_id = ${storeId}`, sql`d.endpoint_id = ${endpointId}`];
  if (status) found.push(sql`d.status = ${status}`);
  if (status && unsent.includes(status)) found.push(sql`d.status in ('failed', 'stopped', 'skipped')`);
  if (before) found.push(sql`(d.created_at, d.id) < (${before[0]}, ${before[1]})`);
  return found;
}

const newestFirst = raw('d.created_at desc, d.id desc');

/** The deliveries of some orders: few, and found through their events. */
function ofOrders(place: Place, wanted: Wanted, before: Key | undefined): Sql {
  const { orderIds = [], type } = wanted;
  const events = sql`select e.id from events e where e.store_id = ${place.storeId} and e.order_id in (${list(orderIds)})
                     ${type ? sql`and e.type = ${type}` : raw('')}`;
  return sql`select d.* from deliveries d where ${all(conditions(place, wanted, before))} and d.event_id in (${events})`;
}

/**
 * The next deliveries of the log, newest first. Of a rare event there may be none for a long way back: no more than
 * `reach` deliveries are looked at, and `searchEnd` tells where the look ended.
 */
export function search(
  db: Queryable,
  place: Place,
  wanted: Wanted,
  { before, limit, reach }: { before: Key | undefined; limit: number; reach: number },
) {
  const some = wanted.orderIds
    ? ofOrders(place, wanted, before)
    : sql`select d.* from deliveries d where ${all(conditions(place, wanted, before))}
          order by ${newestFirst} limit ${wanted.type ? reach : limit}`;
  return db.all<FoundDelivery>(
    sql`select d.store_id, d.id, d.event_id, e.type, e.order_id, d.status, d.next_attempt_at, d.leased_until_at,
               d.created_at, o.number as order_number
        from (${some}) d
        join events e on e.store_id = d.store_id and e.id = d.event_id
        left join orders o on o.store_id = e.store_id and o.id = e.order_id
        ${wanted.type ? sql`where e.type = ${wanted.type}` : raw('')}
        order by ${newestFirst} limit ${limit}`,
  );
}

export const searchEnd = (db: Queryable, place: Place, wanted: Wanted, before: Key | undefined, reach: number) =>
  db.one<{ created_at: number; id: string }>(
    sql`select d.created_at, d.id from deliveries d where ${all(conditions(place, wanted, before))}
        order by ${newestFirst} limit 1 offset ${reach - 1}`,
  );

export const findOne = (db: Queryable, { storeId, endpointId }: Place, id: string) =>
  db.one<FoundDelivery>(
    sql`select d.store_id, d.id, d.event_id, e.type, e.order_id, d.status, d.next_attempt_at, d.leased_until_at,
               d.created_at, o.number as order_number
        from deliveries d
        join events e on e.store_id = d.store_id and e.id = d.event_id
        left join orders o on o.store_id = e.store_id and o.id = e.order_id
        where d.store_id = ${storeId} and d.id = ${id} and d.endpoint_id = ${endpointId}`,
  );

/** An order as its owner names it: by number, by id or by external id. */
export async function ordersNamed(
  db: Queryable,
  storeId: string,
  { id, number, externalId }: { id: string | undefined; number: number | undefined; externalId: string },
): Promise<string[]> {
  const ways = [sql`select id from orders where store_id = ${storeId} and external_id = ${externalId}`];
  if (id) ways.push(sql`select id from orders where store_id = ${storeId} and id = ${id}`);
  if (number !== undefined) ways.push(sql`select id from orders where store_id = ${storeId} and number = ${number}`);
  const rows = await db.all<{ id: string }>(join(ways, ' union '));
  return rows.map((row) => row.id);
}

/** Puts these back at the start of the schedule; see `endpoints.store.ts`. */
export const sendTheseAgain = (tx: Transaction, storeId: string, ids: readonly string[], now: number) =>
  tx.run(
    sql`update deliveries
        set status = 'pending', attempt_count = 0, settled_at = null,
            next_attempt_at = ${tx.dialect.greatest(sql`${now}`, sql`coalesce(leased_until_at, 0)`)}
        where store_id = ${storeId} and status <> 'pending' and id in
              (select x.id from ${tx.dialect.records(
                'x',
                { id: 'uuid' },
                ids.map((id) => ({ id })),
              )})`,
  );

/** How much an endpoint that is off has missed, counted no further than `most`. */
export const countMissed = async (db: Queryable, { storeId, endpointId }: Place, most: number) =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from (
            select 1 as found from deliveries
            where store_id = ${storeId} and endpoint_id = ${endpointId} and status in ('failed', 'stopped', 'skipped')
                  and status in ('stopped', 'skipped') limit ${most}) part`,
    )
  )?.count ?? 0;
