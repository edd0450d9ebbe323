import { type Actor, system } from '../actor.ts';
import type { Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { recordHistory } from '../history/history.ts';
import * as store from './switch-off.store.ts';

/** Why an endpoint is off, as it is stored, and in words for its owner. */
export const disabledReasons = {
  failures: 'It failed too often for too long.',
  owner: 'It was switched off by hand.',
  plan: 'The store left plan Optimal.',
} as const;
export type DisabledReason = keyof typeof disabledReasons;

/** What the owner is told about an endpoint: `warning` on the way to switch-off, and the switching itself. */
export type NoticeKind = 'warning' | 'disabled' | 'enabled';

/** Switches an endpoint off: what waits is stopped, and what comes is kept as skipped. */
export async function switchOff(
  tx: Transaction,
  storeId: string,
  id: string,
  reason: DisabledReason,
  now: number,
  actor: Actor = system,
) {
  const endpoint = await store.lockEndpoint(tx, storeId, id);
  if (!endpoint?.is_active) return;
  await store.switchOff(tx, storeId, id, reason, now);
  await addNotice(tx, storeId, id, 'disabled', endpoint.consecutive_failures, now);
  const subject = { kind: 'endpoint', id, name: endpoint.url } as const;
  await recordHistory(tx, { scopeId: storeId, actor, action: 'disabled', subject, details: { reason }, at: now });
}

/** The endpoints of a store that leaves plan Optimal, in the transaction that changes the plan. */
export async function stopForPlan(tx: Transaction, storeId: string, now: number) {
  for (const { id } of await store.activeEndpoints(tx, storeId)) await switchOff(tx, storeId, id, 'plan', now);
}

export const addNotice = (
  tx: Transaction,
  storeId: string,
  endpointId: string,
  kind: NoticeKind,
  failures: number,
  at: number,
) => store.insertNotices(tx, [{ store_id: storeId, endpoint_id: endpointId, id: uuid(at), kind, failures, at }]);
