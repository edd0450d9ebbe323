import type { Plan } from '@store-sales/contract';
import type { DisabledReason } from '@store-sales/contract/console';
import type { Queryable, Transaction } from '../../db/database.ts';
import { empty, sql } from '../../db/sql.ts';
import type { SealedSecrets } from './replaced-secrets.ts';
import type { NoticeKind } from './switch-off.ts';

export interface EndpointRow {
  store_id: string;
  id: string;
  url: string;
  events: string;
  is_active: boolean;
  disabled_reason: DisabledReason | null;
  disabled_at: number | null;
  consecutive_failures: number;
  failing_since_at: number | null;
  previous_secret_until_at: number | null;
  created_at: number;
}

const columns = sql`store_id, id, url, events, is_active, disabled_reason, disabled_at, consecutive_failures,
                    failing_since_at, previous_secret_until_at, created_at`;

export const planOf = async (db: Queryable, storeId: string) =>
  (await db.one<{ plan: Plan }>(sql`select plan from stores where id = ${storeId}`))?.plan;

/** Locks the store, so that the plan cannot change until the transaction ends. */
export const lockPlan = async (tx: Transaction, storeId: string) =>
  (await tx.one<{ plan: Plan }>(sql`select plan from stores where id = ${storeId} ${tx.dialect.forNoKeyUpdate}`))?.plan;

export const countOf = async (db: Queryable, storeId: string) =>
  (
    await db.one<{ count: number }>(sql`select count(*) as count from webhook_endpoints
        where store_id = ${storeId} and events <> ''`)
  )?.count ?? 0;

export const insert = (
  tx: Transaction,
  endpoint: {
    storeId: string;
    id: string;
    url: string;
    events: string;
    secret: string;
    subscribedSeq: number;
    at: number;
  },
) =>
  tx.run(
    sql`insert into webhook_endpoints (store_id, id, url, events, secret, subscribed_seq, created_at)
        values (${endpoint.storeId}, ${endpoint.id}, ${endpoint.url}, ${endpoint.events}, ${endpoint.secret},
                ${endpoint.subscribedSeq}, ${endpoint.at})`,
  );

export const listOf = (db: Queryable, storeId: string) =>
  db.all<EndpointRow>(
    sql`select ${columns} from webhook_endpoints where store_id = ${storeId} and events <> '' order by created_at, id`,
  );

/** One that is being deleted has no events, and is not found. */
export const find = (db: Queryable, id: string, storeId: string | undefined) =>
  db.one<EndpointRow>(
    sql`select ${columns} from webhook_endpoints
        where id = ${id} and events <> '' ${storeId ? sql`and store_id = ${storeId}` : empty}`,
  );

export const setUrl = (tx: Transaction, storeId: string, id: string, url: string) =>
  tx.run(sql`update webhook_endpoints set url = ${url} where store_id = ${storeId} and id = ${id}`);

/** Subscribes it to these events from the next change on. */
export const setEvents = (tx: Transaction, storeId: string, id: string, events: string, subscribedSeq: number) =>
  tx.run(
    sql`update webhook_endpoints set events = ${events}, subscribed_seq = ${subscribedSeq}
        where store_id = ${storeId} and id = ${id}`,
  );

/** Locks the endpoint and returns its encrypted replaced secrets. */
export const lockSecrets = (tx: Transaction, storeId: string, id: string) =>
  tx.one<SealedSecrets>(
    sql`select previous_secret, previous_secret_until_at, older_secrets from webhook_endpoints
        where store_id = ${storeId} and id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const setSecret = (
  tx: Transaction,
  storeId: string,
  id: string,
  { secret, previousUntil, older }: { secret: string; previousUntil: number; older: string | null },
) =>
  tx.run(
    sql`update webhook_endpoints
        set previous_secret = secret, previous_secret_until_at = ${previousUntil},
            older_secrets = ${older}, secret = ${secret}
        where store_id = ${storeId} and id = ${id}`,
  );

export const switchOn = (tx: Transaction, storeId: string, id: string) =>
  tx.run(
    sql`update webhook_endpoints
        set is_active = ${true}, disabled_reason = null, disabled_at = null, consecutive_failures = 0,
            failing_since_at = null
        where store_id = ${storeId} and id = ${id}`,
  );

export const noticesOf = (db: Queryable, storeId: string, id: string) =>
  db.all<{ kind: NoticeKind; failures: number; created_at: number }>(
    sql`select kind, failures, created_at from endpoint_notices
        where store_id = ${storeId} and endpoint_id = ${id} order by created_at desc, id desc`,
  );

/** The next deliveries of the endpoint with this status, oldest first. `status in (…)` makes the partial index usable. */
export const unsentAfter = (
  tx: Transaction,
  { storeId, id, status }: { storeId: string; id: string; status: 'failed' | 'stopped' | 'skipped' },
  after: readonly [at: number, id: string] | undefined,
  limit: number,
) =>
  tx.all<{ id: string; created_at: number; settled_at: number }>(
    sql`select id, created_at, settled_at from deliveries
        where store_id = ${storeId} and endpoint_id = ${id} and status in ('failed', 'stopped', 'skipped')
              and status = ${status} ${after ? sql`and (created_at, id) > (${after[0]}, ${after[1]})` : empty}
        order by created_at, id limit ${limit}`,
  );

/**
 * Restarts the retry schedule of deliveries. If an attempt may be in flight, the next one waits for the end of its
 * lease, because attempts of one delivery must not overlap.
 */
export const sendAgain = (tx: Transaction, storeId: string, ids: readonly string[], now: number) =>
  tx.run(
    sql`update deliveries
        set status = 'pending', attempt_count = 0, settled_at = null,
            next_attempt_at = ${tx.dialect.greatest(sql`${now}`, sql`coalesce(leased_until_at, 0)`)}
        where store_id = ${storeId} and id in
              (select x.id from ${tx.dialect.records(
                'x',
                { id: 'uuid' },
                ids.map((id) => ({ id })),
              )})`,
  );

/** Looks the id up in each store by primary key: an index on the id alone would slow down every insert. */
export const findDelivery = (db: Queryable, id: string) =>
  db.one<{ store_id: string; id: string; endpoint_id: string }>(
    sql`select d.store_id, d.id, d.endpoint_id from stores s cross join deliveries d
        where d.store_id = s.id and d.id = ${id}`,
  );
