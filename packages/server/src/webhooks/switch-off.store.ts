import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Holds an endpoint against everyone who would add deliveries to it: what they added before is visible from
 * here on, and what they add later they add knowing what we made of it.
 */
export const lockEndpoint = (tx: Transaction, storeId: string, id: string) =>
  tx.one<{ is_active: boolean; consecutive_failures: number; url: string }>(
    sql`select is_active, consecutive_failures, url from webhook_endpoints where store_id = ${storeId} and id = ${id}
        ${tx.dialect.forUpdate}`,
  );

export const activeEndpoints = (tx: Transaction, storeId: string) =>
  tx.all<{ id: string }>(sql`select id from webhook_endpoints where store_id = ${storeId} and is_active order by id`);

export async function switchOff(tx: Transaction, storeId: string, id: string, reason: string, now: number) {
  await tx.run(
    sql`update webhook_endpoints set is_active = ${false}, disabled_reason = ${reason}, disabled_at = ${now}
        where store_id = ${storeId} and id = ${id}`,
  );
  await tx.run(stopStatement(storeId, id, now));
}

/** The lease stays: an attempt under way ends as it may, and none begins beside it. */
export const stopStatement = (storeId: string, id: string, now: number) =>
  sql`update deliveries set status = 'stopped', next_attempt_at = null, settled_at = ${now}
      where status = 'pending'
            and endpoint_id = (select id from webhook_endpoints where store_id = ${storeId} and id = ${id})`;

export const insertNotices = (
  tx: Transaction,
  notices: readonly { store_id: string; endpoint_id: string; id: string; kind: string; failures: number; at: number }[],
) =>
  tx.run(
    sql`insert into endpoint_notices (store_id, endpoint_id, id, kind, failures, created_at)
        select x.store_id, x.endpoint_id, x.id, x.kind, x.failures, x.at
        from ${tx.dialect.records(
          'x',
          { store_id: 'uuid', endpoint_id: 'uuid', id: 'uuid', kind: 'text', failures: 'integer', at: 'instant' },
          notices,
        )}`,
  );
