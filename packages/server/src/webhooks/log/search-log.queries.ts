import type { Queryable } from '../../db/database.ts';
import { all, join, raw, type Sql, sql } from '../../db/sql.ts';
import type { DeliveryStatus } from '../dispatch/outcome.ts';
import type { DeliveryRow } from './log.queries.ts';

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

const shown = raw(`d.store_id, d.id, d.event_id, e.type, e.order_id, d.status, d.next_attempt_at, d.leased_until_at,
                   d.created_at, o.number as order_number`);
const joined = raw(`join events e on e.store_id = d.store_id and e.id = d.event_id
                    left join orders o on o.store_id = e.store_id and o.id = e.order_id`);

/**
 * The next deliveries of the log, newest first. A rare event may be far back: no more than `reach` deliveries are
 * examined, and `end` is the last of them; undefined when there are no more. Deliveries and end are one statement: with
 * two, a write in between moves the end, and the next page skips or repeats deliveries.
 */
export async function search(
  db: Queryable,
  place: Place,
  wanted: Wanted,
  { before, limit, reach }: { before: Key | undefined; limit: number; reach: number },
): Promise<{ rows: FoundDelivery[]; end: Key | undefined }> {
  const { type, orderIds } = wanted;
  const along = sql`select d.* from deliveries d where ${all(conditions(place, wanted, before))} order by ${newestFirst}`;
  if (!type || orderIds) {
    const some = orderIds ? ofOrders(place, wanted, before) : sql`${along} limit ${limit}`;
    const rows = await db.all<FoundDelivery>(
      sql`select ${shown} from (${some}) d ${joined} order by ${newestFirst} limit ${limit}`,
    );
    return { rows, end: undefined };
  }
  const rows = await db.all<FoundDelivery & { end_at: number | null; end_id: string | null }>(
    sql`with examined as (${along} limit ${reach}),
             found as (select ${shown} from examined d ${joined} where e.type = ${type}
                       order by ${newestFirst} limit ${limit}),
             reached as (select d.created_at as end_at, d.id as end_id from examined d
                         order by ${newestFirst} limit 1 offset ${reach - 1})
        select d.*, reached.end_at, reached.end_id
        from (select 1 as always) one left join reached on true left join found d on d.store_id = ${place.storeId}
        order by ${newestFirst}`,
  );
  const [first] = rows;
  const end: Key | undefined =
    first?.end_at != null && first.end_id !== null ? [first.end_at, first.end_id] : undefined;
  return { rows: rows.filter(({ id }) => id !== null), end };
}

export const findOne = (db: Queryable, { storeId, endpointId }: Place, id: string) =>
  db.one<FoundDelivery>(
    sql`select ${shown} from deliveries d ${joined}
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
