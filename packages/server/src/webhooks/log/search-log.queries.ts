import type { Queryable } from '../../db/database.ts';
import { all, join, raw, type Sql, sql } from '../../db/sql.ts';
import type { DeliveryStatus } from '../dispatch/outcome.ts';
import type { DeliveryRow } from './log.queries.ts';

export interface EndpointRef {
  storeId: string;
  endpointId: string;
}

export interface Criteria {
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
  /** Only deliveries of these orders. */
  orderIds?: readonly string[] | undefined;
}

/** The sort key of a delivery in the log. */
export type Key = readonly [at: number, id: string];

export type FoundRow = DeliveryRow & { order_number: number | null };

const list = (values: readonly string[]) =>
  join(
    values.map((value) => sql`${value}`),
    ', ',
  );

/** Statuses with a partial index, which is used only if the query repeats its condition. */
const unsent: readonly string[] = ['failed', 'stopped', 'skipped'];

function conditions({ storeId, endpointId }: EndpointRef, { status }: Criteria, before: Key | undefined): Sql[] {
  const found = [sql`d.store_id = ${storeId}`, sql`d.endpoint_id = ${endpointId}`];
  if (status) found.push(sql`d.status = ${status}`);
  if (status && unsent.includes(status)) found.push(sql`d.status in ('failed', 'stopped', 'skipped')`);
  if (before) found.push(sql`(d.created_at, d.id) < (${before[0]}, ${before[1]})`);
  return found;
}

const newestFirst = raw('d.created_at desc, d.id desc');

/** The deliveries of some orders are few, so they are found through the events. */
function ofOrders(endpoint: EndpointRef, criteria: Criteria, before: Key | undefined): Sql {
  const { orderIds = [], type } = criteria;
  const events = sql`select e.id from events e where e.store_id = ${endpoint.storeId} and e.order_id in (${list(orderIds)})
                     ${type ? sql`and e.type = ${type}` : raw('')}`;
  return sql`select d.* from deliveries d where ${all(conditions(endpoint, criteria, before))} and d.event_id in (${events})`;
}

const shown = raw(`d.store_id, d.id, d.event_id, e.type, e.order_id, d.status, d.next_attempt_at, d.leased_until_at,
                   d.created_at, o.number as order_number`);
const joined = raw(`join events e on e.store_id = d.store_id and e.id = d.event_id
                    left join orders o on o.store_id = e.store_id and o.id = e.order_id`);

/**
 * The next deliveries of the log, newest first. A search by event type examines at most `maxExamined` deliveries, and
 * `end` is the last examined one; undefined when there are no more. Both come from one statement: a write between two
 * statements could move the end, and the next page would skip or repeat deliveries.
 */
export async function search(
  db: Queryable,
  endpoint: EndpointRef,
  criteria: Criteria,
  { before, limit, maxExamined }: { before: Key | undefined; limit: number; maxExamined: number },
): Promise<{ rows: FoundRow[]; end: Key | undefined }> {
  const { type, orderIds } = criteria;
  const matching = sql`select d.* from deliveries d where ${all(conditions(endpoint, criteria, before))} order by ${newestFirst}`;
  if (!type || orderIds) {
    const selected = orderIds ? ofOrders(endpoint, criteria, before) : sql`${matching} limit ${limit}`;
    const rows = await db.all<FoundRow>(
      sql`select ${shown} from (${selected}) d ${joined} order by ${newestFirst} limit ${limit}`,
    );
    return { rows, end: undefined };
  }
  const rows = await db.all<FoundRow & { end_at: number | null; end_id: string | null }>(
    sql`with examined as (${matching} limit ${maxExamined}),
             found as (select ${shown} from examined d ${joined} where e.type = ${type}
                       order by ${newestFirst} limit ${limit}),
             reached as (select d.created_at as end_at, d.id as end_id from examined d
                         order by ${newestFirst} limit 1 offset ${maxExamined - 1})
        select d.*, reached.end_at, reached.end_id
        from (select 1 as always) one left join reached on true left join found d on d.store_id = ${endpoint.storeId}
        order by ${newestFirst}`,
  );
  const [first] = rows;
  const end: Key | undefined =
    first?.end_at != null && first.end_id !== null ? [first.end_at, first.end_id] : undefined;
  return { rows: rows.filter(({ id }) => id !== null), end };
}

export const findOne = (db: Queryable, { storeId, endpointId }: EndpointRef, id: string) =>
  db.one<FoundRow>(
    sql`select ${shown} from deliveries d ${joined}
        where d.store_id = ${storeId} and d.id = ${id} and d.endpoint_id = ${endpointId}`,
  );

/** Ids of the orders with this number, id or external id. */
export async function ordersNamed(
  db: Queryable,
  storeId: string,
  { id, number, externalId }: { id: string | undefined; number: number | undefined; externalId: string },
): Promise<string[]> {
  const selects = [sql`select id from orders where store_id = ${storeId} and external_id = ${externalId}`];
  if (id) selects.push(sql`select id from orders where store_id = ${storeId} and id = ${id}`);
  if (number !== undefined) selects.push(sql`select id from orders where store_id = ${storeId} and number = ${number}`);
  const rows = await db.all<{ id: string }>(join(selects, ' union '));
  return rows.map((row) => row.id);
}

/** Number of deliveries an endpoint missed while it was off; stops counting at `max`. */
export const countMissed = async (db: Queryable, { storeId, endpointId }: EndpointRef, max: number) =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from (
            select 1 as found from deliveries
            where store_id = ${storeId} and endpoint_id = ${endpointId} and status in ('failed', 'stopped', 'skipped')
                  and status in ('stopped', 'skipped') limit ${max}) part`,
    )
  )?.count ?? 0;
