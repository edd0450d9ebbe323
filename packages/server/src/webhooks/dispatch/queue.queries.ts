import { atStoreOf, byStore, forEachStore, ofAllStores, type PartialResult } from '../../db/cluster/by-store.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { empty, type Sql, sql } from '../../db/sql.ts';
import type { SealedSecrets } from '../endpoints/replaced-secrets.ts';

/** An endpoint with pending deliveries that are not scheduled for later. */
export interface WaitingEndpoint {
  store_id: string;
  id: string;
  consecutive_failures: number;
  /** When the first of its unleased deliveries is due; null if all are leased. */
  first_at: number | null;
}

export interface DueDelivery {
  store_id: string;
  id: string;
  event_id: string;
  type: string;
  order_id: string | null;
  external_id: string;
  event_at: number;
}

/**
 * A loose index scan: the cost depends on the number of endpoints with deliveries to send now, not on the number of
 * deliveries, nor on the retries that wait for their time: see `clearScheduled`. With 51,000 deliveries at 200 endpoints it takes 2 ms on SQLite and 3 to 5 ms on PostgreSQL, where
 * `select distinct` takes 16 to 35 ms. `cross join` fixes the join order on SQLite. Endpoints that are stopping are left
 * out; others that are disabled have only pings pending. Deliveries are selected by endpoint only, here and below: with a
 * condition on `store_id` too, the planner may read the whole log of the endpoint.
 */
export const waitingStatement = (now: number) =>
  sql`with recursive waiting (endpoint_id) as (
        select (select endpoint_id from deliveries
                where status = 'pending' and is_scheduled = ${false} order by endpoint_id limit 1)
        union all
        select (select d.endpoint_id from deliveries d
                where d.status = 'pending' and d.is_scheduled = ${false} and d.endpoint_id > w.endpoint_id
                order by d.endpoint_id limit 1)
        from waiting w where w.endpoint_id is not null
      )
      select p.store_id, p.id, p.consecutive_failures,
             (select d.next_attempt_at from deliveries d
              where d.status = 'pending' and d.is_scheduled = ${false} and d.endpoint_id = p.id and ${isUnleased(now)}
              order by d.next_attempt_at limit 1) as first_at
      from waiting w cross join webhook_endpoints p
      where p.id = w.endpoint_id and not p.is_stopping`;

/** Asks each shard for its endpoints, because a recursive statement cannot go over all of them. */
const waitingOnShards = (now: number, onlyIn: (column: string) => Sql) =>
  sql`select p.store_id, p.id, p.consecutive_failures,
             (select min(d.next_attempt_at) from deliveries d
              where d.store_id = p.store_id and d.endpoint_id = p.id and d.status = 'pending'
                    and d.is_scheduled = ${false} and ${isUnleased(now)} ${onlyIn('d.store_id')}) as first_at
      from webhook_endpoints p
      where not p.is_stopping
            and exists (select 1 from deliveries d
                        where d.store_id = p.store_id and d.endpoint_id = p.id and d.status = 'pending'
                              and d.is_scheduled = ${false} ${onlyIn('d.store_id')})
            ${onlyIn('p.store_id')}`;

export const waitingEndpoints = (db: Queryable, now: number): Promise<PartialResult<WaitingEndpoint>> =>
  ofAllStores(db, (onlyIn) => db.all(db.dialect.isDistributed ? waitingOnShards(now, onlyIn) : waitingStatement(now)), {
    table: 'deliveries',
    condition: "status = 'pending' and not is_scheduled",
  });

const scheduled = { table: 'deliveries', condition: 'is_scheduled' };

export const nextScheduledStatement = (onlyIn: (column: string) => Sql) =>
  sql`select next_attempt_at from deliveries where is_scheduled ${onlyIn('store_id')}
      order by next_attempt_at limit 1`;

/** When the first of the scheduled retries is due. */
export async function nextScheduled(db: Queryable): Promise<{ at: number | undefined; error?: unknown }> {
  const { results, error } = await ofAllStores(
    db,
    (onlyIn) => db.all<{ next_attempt_at: number }>(nextScheduledStatement(onlyIn)),
    scheduled,
  );
  return { at: results.length ? Math.min(...results.map((row) => row.next_attempt_at)) : undefined, error };
}

export const scheduledStatement = (
  dialect: Dialect,
  now: number,
  limit: number,
  onlyIn: (column: string) => Sql = () => empty,
) =>
  sql`select store_id, id from deliveries where is_scheduled and next_attempt_at <= ${now} ${onlyIn('store_id')}
      order by next_attempt_at limit ${limit} ${dialect.skipLockedAnywhere}`;

/**
 * Takes up to `limit` retries that are due from those that wait for their time, first those that have been due for longest:
 * from then on `waitingStatement` finds their endpoints.
 */
export async function clearScheduled(db: Queryable, now: number, limit: number): Promise<{ error?: unknown }> {
  const due = await ofAllStores(
    db,
    (onlyIn) => db.all<Ref>(scheduledStatement(db.dialect, now, limit, onlyIn)),
    scheduled,
  );
  const cleared = await forEachStore(byStore(db.dialect, due.results), async ({ rows, at }) => {
    await db.run(
      sql`update deliveries set is_scheduled = ${false}
          from ${db.dialect.records('x', { store_id: 'uuid', id: 'uuid' }, rows)}
          where deliveries.store_id = x.store_id and deliveries.id = x.id ${at('deliveries.store_id')}`,
    );
    return [];
  });
  return { error: due.error ?? cleared.error };
}

/** Condition on deliveries `d`: not leased, or the lease has expired. */
const isUnleased = (now: number) => sql`coalesce(d.leased_until_at, 0) <= ${now}`;

/** The due deliveries of one endpoint, oldest first, without those that another dispatcher is claiming. */
export const dueStatement = (dialect: Dialect, storeId: string, endpointId: string, now: number, limit: number) =>
  sql`with due as (
        select d.store_id, d.id, d.event_id, d.next_attempt_at from deliveries d
        where d.status = 'pending' and d.is_scheduled = ${false} ${dialect.atStore('d.store_id', storeId)}
              and d.endpoint_id = (select id from webhook_endpoints
                                   where store_id = ${storeId} and id = ${endpointId} and not is_stopping)
              and d.next_attempt_at <= ${now} and ${isUnleased(now)}
        order by d.next_attempt_at limit ${limit} ${dialect.skipLocked}
      )
      select due.store_id, due.id, due.event_id, e.type, e.order_id, e.external_id, e.created_at as event_at
      from due join events e on e.store_id = ${storeId} and e.id = due.event_id
      order by due.next_attempt_at`;

export const dueDeliveries = (tx: Transaction, storeId: string, endpointId: string, now: number, limit: number) =>
  tx.all<DueDelivery>(dueStatement(tx.dialect, storeId, endpointId, now, limit));

/**
 * Leases deliveries until `until`; after that, another dispatcher can claim those of a killed one. No indexed column
 * changes, so that PostgreSQL can do a HOT update.
 */
export const lease = (tx: Transaction, deliveries: readonly Ref[], until: number) =>
  tx.run(
    sql`update deliveries set leased_until_at = ${until}
        from ${tx.dialect.records('x', { store_id: 'uuid', id: 'uuid' }, deliveries)}
        where deliveries.store_id = x.store_id and deliveries.id = x.id
              ${atStoreOf(tx.dialect, 'deliveries.store_id', deliveries)}`,
  );

export interface EndpointSettings extends SealedSecrets {
  id: string;
  is_active: boolean;
  url: string;
  secret: string;
}

type Ref = { store_id: string; id: string };

export const endpointSettings = (db: Queryable, endpoints: readonly Ref[]) =>
  forEachStore(byStore(db.dialect, endpoints), ({ rows, at }) =>
    db.all<EndpointSettings>(
      sql`select id, is_active, url, secret, previous_secret, previous_secret_until_at, older_secrets from webhook_endpoints
          where (store_id, id) in
                (select x.store_id, x.id from ${db.dialect.records('x', { store_id: 'uuid', id: 'uuid' }, rows)})
                ${at('store_id')}`,
    ),
  );

/** Releases claims that were not sent, so that any dispatcher can claim them immediately. */
export const release = (tx: Transaction, deliveries: readonly (Ref & { lease: number })[]) =>
  tx.run(
    sql`update deliveries set leased_until_at = null
        from ${tx.dialect.records('x', { store_id: 'uuid', id: 'uuid', lease: 'instant' }, deliveries)}
        where deliveries.store_id = x.store_id and deliveries.id = x.id and deliveries.leased_until_at = x.lease
              and deliveries.status = 'pending' ${atStoreOf(tx.dialect, 'deliveries.store_id', deliveries)}`,
  );

/** Counting stops here, because SQLite would block the process for too long. */
export const MAX_QUEUE_DEPTH = 100_000;

/** Number of pending deliveries, including those in flight. */
export const queueDepth = async (db: Queryable) =>
  (
    await db.one<{ depth: number }>(
      sql`select count(*) as depth from (select 1 from deliveries where status = 'pending' limit ${MAX_QUEUE_DEPTH}) waiting`,
    )
  )?.depth ?? 0;
