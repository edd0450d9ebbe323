import type { EventType } from '@store-sales/contract';
import type { DisabledReason, EndpointNotice } from '@store-sales/contract/console';
import type { Queryable } from '../../db/database.ts';
import { asUuid } from '../../db/uuid.ts';
import { notFound } from '../../domain-error.ts';
import type { Services } from '../../services.ts';
import { iso } from '../../time/instant.ts';
import * as queries from './endpoints.queries.ts';

/** An endpoint as shown to its owner, without the secret. */
export interface EndpointView {
  id: string;
  storeId: string;
  url: string;
  events: EventType[];
  isActive: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: number | null;
  consecutiveFailures: number;
  failingSince: number | null;
  /** Until when the previous secret is also used for signing. */
  previousSecretUntil: number | null;
  createdAt: number;
}

export const listEndpoints = async ({ db }: Services, storeId: string) => (await queries.listOf(db, storeId)).map(view);

/** With `storeId`, only an endpoint of that store is found; without, of any (for the operator). */
export async function findEndpoint({ db }: Services, id: string, storeId?: string): Promise<EndpointView> {
  return view(await existingEndpoint(db, id, storeId));
}

/** Notices of an endpoint: warnings, disabled, enabled, newest first. */
export async function endpointNotices({ db }: Services, id: string, storeId?: string): Promise<EndpointNotice[]> {
  const endpoint = await existingEndpoint(db, id, storeId);
  const rows = await queries.noticesOf(db, endpoint.store_id, endpoint.id);
  return rows.map(({ kind, failures, created_at }) => ({ kind, failures, at: iso(created_at) }));
}

/** The row of an endpoint; fails if there is none, or not in this store. */
export async function existingEndpoint(db: Queryable, id: string, storeId?: string): Promise<queries.EndpointRow> {
  const uuid = asUuid(id);
  const found = uuid && (await queries.find(db, uuid, storeId));
  if (!found) throw notFound('webhook endpoint');
  return found;
}

const view = (row: queries.EndpointRow): EndpointView => ({
  id: row.id,
  storeId: row.store_id,
  url: row.url,
  events: row.events.split(' ') as EventType[],
  isActive: row.is_active,
  disabledReason: row.disabled_reason,
  disabledAt: row.disabled_at,
  consecutiveFailures: row.consecutive_failures,
  failingSince: row.failing_since_at,
  previousSecretUntil: row.previous_secret_until_at,
  createdAt: row.created_at,
});
