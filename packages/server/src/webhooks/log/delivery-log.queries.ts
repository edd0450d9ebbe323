import type { AttemptError, DeliveredType, DeliveryStatus } from '@store-sales/contract/console';
import type { Queryable } from '../../db/database.ts';
import { all, join, raw, type Sql, sql } from '../../db/sql.ts';

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

export interface DeliveryRow {
  store_id: string;
  id: string;
  event_id: string;
  type: DeliveredType;
  order_id: string | null;
  external_id: string;
  event_at: number;
  order_number: number | null;
  status: DeliveryStatus;
  next_attempt_at: number | null;
  leased_until_at: number | null;
  created_at: number;
}

const columns = raw(`d.store_id, d.id, d.event_id, e.type, e.order_id, e.external_id, e.created_at as event_at,
                     o.number as order_number, d.status,
                     d.next_attempt_at, d.leased_until_at, d.created_at`);
const joined = (storeId: string) =>
  sql`join events e on e.store_id = ${storeId} and e.id = d.event_id
      left join orders o on o.store_id = ${storeId} and o.id = e.order_id`;
const newestFirst = raw('d.created_at desc, d.id desc');

/** Statuses with a partial index, which is used only if the query repeats its condition. */
const unsent: readonly string[] = ['failed', 'stopped', 'skipped'];

function conditions({ storeId, endpointId }: EndpointRef, { status }: Criteria, before: Key | undefined): Sql[] {
  const found = [sql`d.store_id = ${storeId}`, sql`d.endpoint_id = ${endpointId}`];
  if (status) found.push(sql`d.status = ${status}`);
  if (status && unsent.includes(status)) found.push(sql`d.status in ('failed', 'stopped', 'skipped')`);
  if (before) found.push(sql`(d.created_at, d.id) < (${before[0]}, ${before[1]})`);
  return found;
}

/** The deliveries of some orders are few, so they are found through the events. */
function ofOrders(endpoint: EndpointRef, criteria: Criteria, before: Key | undefined): Sql {
  const { orderIds = [], type } = criteria;
  const ids = join(
    orderIds.map((id) => sql`${id}`),
    ', ',
  );
  const events = sql`select e.id from events e where e.store_id = ${endpoint.storeId} and e.order_id in (${ids})
                     ${type ? sql`and e.type = ${type}` : raw('')}`;
  return sql`select d.* from deliveries d where ${all(conditions(endpoint, criteria, before))} and d.event_id in (${events})`;
}

/**
 * The next deliveries of an endpoint, newest first. A search by event type examines at most `maxExamined` deliveries, and
 * `end` is the last examined one; undefined when there are no more. Both come from one statement: a write between two
 * statements could move the end, and the next page would skip or repeat deliveries.
 */
export async function search(
  db: Queryable,
  endpoint: EndpointRef,
  criteria: Criteria,
  { before, limit, maxExamined }: { before: Key | undefined; limit: number; maxExamined: number },
): Promise<{ rows: DeliveryRow[]; end: Key | undefined }> {
  const { type, orderIds } = criteria;
  const matching = sql`select d.* from deliveries d where ${all(conditions(endpoint, criteria, before))} order by ${newestFirst}`;
  if (!type || orderIds) {
    const selected = orderIds ? ofOrders(endpoint, criteria, before) : sql`${matching} limit ${limit}`;
    const rows = await db.all<DeliveryRow>(
      sql`select ${columns} from (${selected}) d ${joined(endpoint.storeId)} order by ${newestFirst} limit ${limit}`,
    );
    return { rows, end: undefined };
  }
  const rows = await db.all<DeliveryRow & { end_at: number | null; end_id: string | null }>(
    sql`with examined as (${matching} limit ${maxExamined}),
             found as (select ${columns} from examined d ${joined(endpoint.storeId)} where e.type = ${type}
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
  db.one<DeliveryRow>(
    sql`select ${columns} from deliveries d ${joined(storeId)}
        where d.store_id = ${storeId} and d.id = ${id} and d.endpoint_id = ${endpointId}`,
  );

/** Oldest first. `cross join` fixes the join order on SQLite, so that deliveries are read by the index on events. */
export const ofEvents = (db: Queryable, storeId: string, eventIds: readonly string[]) =>
  db.all<DeliveryRow & { url: string; is_active: boolean }>(
    sql`select ${columns}, p.url, p.is_active
        from ${db.dialect.records(
          'x',
          { event_id: 'uuid' },
          eventIds.map((event_id) => ({ event_id })),
        )}
        cross join deliveries d ${joined(storeId)}
        join webhook_endpoints p on p.store_id = ${storeId} and p.id = d.endpoint_id
        where d.store_id = ${storeId} and d.event_id = x.event_id
        order by d.created_at, d.id`,
  );

export interface AttemptRow {
  delivery_id: string;
  started_at: number;
  duration_ms: number;
  response_status: number | null;
  error: AttemptError | null;
  response_body: string;
}

/** Oldest first. */
export const attemptsOf = (db: Queryable, storeId: string, deliveryIds: readonly string[]) =>
  db.all<AttemptRow>(
    sql`select a.delivery_id, a.started_at, a.duration_ms, a.response_status, a.error, a.response_body
        from ${db.dialect.records(
          'x',
          { id: 'uuid' },
          deliveryIds.map((id) => ({ id })),
        )}
        join attempts a on a.store_id = ${storeId} and a.delivery_id = x.id
        order by a.started_at, a.id`,
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

/** Number of deliveries an endpoint missed while it was disabled; stops counting at `max`. */
export const countMissed = async (db: Queryable, { storeId, endpointId }: EndpointRef, max: number) =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from (
            select 1 as found from deliveries
            where store_id = ${storeId} and endpoint_id = ${endpointId} and status in ('failed', 'stopped', 'skipped')
                  and status in ('stopped', 'skipped') limit ${max}) part`,
    )
  )?.count ?? 0;
