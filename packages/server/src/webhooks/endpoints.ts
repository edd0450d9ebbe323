import { randomBytes } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type EventType, eventTypes, isEventType } from '@store-sales/contract';
import { type Actor, system } from '../actor.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { type Action, type Details, recordHistory } from '../history/history.ts';
import { notFound, Refusal } from '../refusal.ts';
import { sealer } from '../secrets.ts';
import type { Services } from '../services.ts';
import * as store from './endpoints.store.ts';
import { checkUrl, type Resolve } from './guard.ts';
import { insertDelivery, insertEvents } from './outbox.store.ts';
import { sendTheseAgain } from './search-log.store.ts';
import { type LogFilter, matching, resolved } from './search-log.ts';
import { lockEndpoint } from './switch-off.store.ts';
import { addNotice, type DisabledReason, disabledReasons, switchOff } from './switch-off.ts';
import { wake } from './wake.ts';

/** For how long after a rotation the old secret signs beside the new one. */
const ROTATION_MS = 24 * 3_600_000;

/** An endpoint as its owner sees it: never the secret. */
export interface EndpointView {
  id: string;
  storeId: string;
  url: string;
  events: EventType[];
  isActive: boolean;
  /** In words; `disabledBy` is the same for programs. */
  disabledReason: string | null;
  disabledBy: DisabledReason | null;
  disabledAt: number | null;
  consecutiveFailures: number;
  failingSince: number | null;
  /** Until when the secret before the present one signs too. */
  previousSecretUntil: number | null;
  createdAt: number;
}

export interface NewEndpoint {
  url: string;
  events: readonly string[];
}

/** Sets up an endpoint and returns its signing secret, the only time it is ever seen. */
export async function addEndpoint(
  services: Services,
  storeId: string,
  { url, events }: NewEndpoint,
  resolve?: Resolve,
  actor: Actor = system,
): Promise<{ id: string; secret: string }> {
  await requirePlan(services.db, storeId);
  const chosen = checkedEvents(events);
  const address = await checkedUrl(services, url, resolve);
  const secret = newSecret();
  const id = uuid(services.now());
  const sealed = sealer(services.config.SECRET_KEY).seal(secret);
  const at = services.now();
  await services.db.transaction(async (tx) => {
    await store.insert(tx, { storeId, id, url: address, events: chosen.join(' '), secret: sealed, at });
    await note(tx, { store_id: storeId, id, url: address }, 'created', actor, at, { events: chosen });
  });
  return { id, secret };
}

export const listEndpoints = async ({ db }: Services, storeId: string) => (await store.listOf(db, storeId)).map(view);

/** Of any store, for the operator; of the one given, for its owner. */
export async function findEndpoint({ db }: Services, id: string, storeId?: string): Promise<EndpointView> {
  return view(await existing(db, id, storeId));
}

/** A new address or other events; what already waits goes to the new address. */
export async function changeEndpoint(
  services: Services,
  id: string,
  change: Partial<NewEndpoint>,
  resolve?: Resolve,
  actor: Actor = system,
) {
  const found = await existing(services.db, id);
  const events = change.events ? checkedEvents(change.events).join(' ') : found.events;
  const url = change.url === undefined ? found.url : await checkedUrl(services, change.url, resolve);
  const details = {
    ...(url !== found.url && { url: [found.url, url] }),
    ...(events !== found.events && { events: [found.events.split(' '), events.split(' ')] }),
  };
  if (Object.keys(details).length)
    await services.db.transaction(async (tx) => {
      await store.update(tx, found.store_id, found.id, url, events);
      await note(tx, { ...found, url }, 'changed', actor, services.now(), details);
    });
  return findEndpoint(services, id);
}

/**
 * Sends a test event to the endpoint, whatever events it chose. One that is off gets it too, once and without another
 * try: so its owner sees whether it answers before switching it on.
 */
export async function pingEndpoint(services: Services, id: string): Promise<{ eventId: string; deliveryId: string }> {
  const at = services.now();
  const [eventId, deliveryId] = [uuid(at), uuid(at)];
  await services.db.transaction(async (tx) => {
    const { store_id: storeId, id: endpointId } = await existing(tx, id);
    await requirePlan(tx, storeId);
    const locked = await lockEndpoint(tx, storeId, endpointId);
    tx.onCommit(wake);
    const event = {
      storeId,
      id: eventId,
      type: 'ping',
      orderId: null,
      externalId: '',
      details: '{}',
      actor: system,
      at,
    };
    await insertEvents(tx, [event]);
    const attempts = locked?.is_active ? 0 : services.config.WEBHOOK_RETRY_DELAYS.length;
    await insertDelivery(tx, { storeId, id: deliveryId, endpointId, eventId, attempts, at });
  });
  return { eventId, deliveryId };
}

/** Switches an endpoint on, its failures forgotten. With `sendMissed` what was stopped or skipped is sent now. */
export async function enableEndpoint(
  services: Services,
  id: string,
  { sendMissed = false } = {},
  actor: Actor = system,
): Promise<EndpointView> {
  const { db, now } = services;
  await db.transaction(async (tx) => {
    const endpoint = await existing(tx, id);
    const { store_id: storeId, id: endpointId } = endpoint;
    await requirePlan(tx, storeId);
    const before = await lockEndpoint(tx, storeId, endpointId);
    await store.switchOn(tx, storeId, endpointId);
    const missed = sendMissed ? await store.sendMissed(tx, storeId, endpointId, now()) : 0;
    if (missed) tx.onCommit(wake);
    if (!before?.is_active) {
      await addNotice(tx, storeId, endpointId, 'enabled', 0, now());
      await note(tx, endpoint, 'enabled', actor, now(), missed ? { missed } : {});
    } else if (missed) await note(tx, endpoint, 'resent', actor, now(), { count: missed });
  });
  return findEndpoint(services, id);
}

export async function disableEndpoint(services: Services, id: string, actor: Actor = system): Promise<EndpointView> {
  await services.db.transaction(async (tx) => {
    const { store_id: storeId, id: endpointId } = await existing(tx, id);
    await switchOff(tx, storeId, endpointId, 'owner', services.now(), actor);
  });
  return findEndpoint(services, id);
}

/** A new secret; for 24 hours the old one signs too, so that a receiver can be changed over at leisure. */
export async function rotateSecret(
  services: Services,
  id: string,
  actor: Actor = system,
): Promise<{ id: string; secret: string }> {
  const secret = newSecret();
  const sealed = sealer(services.config.SECRET_KEY).seal(secret);
  const found = await existing(services.db, id);
  await services.db.transaction(async (tx) => {
    await store.setSecret(tx, found.store_id, found.id, sealed, services.now() + ROTATION_MS);
    await note(tx, found, 'rotated', actor, services.now());
  });
  return { id: found.id, secret };
}

/** Starts one delivery over, whatever became of it, with all its attempts. */
export async function resendDelivery(
  services: Services,
  id: string,
  storeId?: string,
  actor: Actor = system,
): Promise<{ id: string }> {
  const wanted = asUuid(id);
  const found = wanted && (await store.findDelivery(services.db, wanted));
  if (!found || (storeId && found.store_id !== storeId)) throw notFound('delivery');
  await onEndpoint(services, found.endpoint_id, async (tx, endpoint) => {
    await store.sendAgain(tx, endpoint.store_id, found.id, services.now());
    await note(tx, endpoint, 'resent', actor, services.now(), { deliveryId: found.id, count: 1 });
  });
  return { id: found.id };
}

/** Starts over everything that failed for good since then, and tells how many deliveries that are. */
export async function resendFailed(
  services: Services,
  endpointId: string,
  since: number,
  actor: Actor = system,
): Promise<{ count: number }> {
  const count = await onEndpoint(services, endpointId, async (tx, endpoint) => {
    const sent = await store.sendFailed(tx, endpoint.store_id, endpoint.id, since, services.now());
    if (sent) await note(tx, endpoint, 'resent', actor, services.now(), { count: sent });
    return sent;
  });
  return { count };
}

/** Starts over all deliveries of the endpoint that match and are not waiting, however many, and tells how many. */
export async function resendMatching(
  services: Services,
  place: { storeId: string; endpointId: string },
  filter: LogFilter,
  actor: Actor,
): Promise<{ count: number }> {
  const wanted = await resolved(services.db, place.storeId, filter);
  const count = await onEndpoint(services, place.endpointId, async (tx, endpoint) => {
    let sent = 0;
    for await (const rows of matching(tx, place, wanted)) {
      sent += await sendTheseAgain(
        tx,
        place.storeId,
        rows.map(({ id }) => id),
        services.now(),
      );
      await othersFirst();
    }
    if (sent) await note(tx, endpoint, 'resent', actor, services.now(), { count: sent, ...filter });
    return sent;
  });
  return { count };
}

/** Does something that makes deliveries wait at the endpoint, which must be on while it is done. */
function onEndpoint<Result>(
  { db }: Services,
  id: string,
  work: (tx: Transaction, endpoint: store.EndpointRow) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const endpoint = await existing(tx, id);
    const locked = await lockEndpoint(tx, endpoint.store_id, endpoint.id);
    if (!locked?.is_active) throw new Refusal('invalid_body', 'The endpoint is switched off; switch it on first.');
    tx.onCommit(wake);
    return work(tx, endpoint);
  });
}

const note = (
  tx: Transaction,
  endpoint: Pick<store.EndpointRow, 'store_id' | 'id' | 'url'>,
  action: Action,
  actor: Actor,
  at: number,
  details: Details = {},
) =>
  recordHistory(tx, {
    scopeId: endpoint.store_id,
    actor,
    action,
    subject: { kind: 'endpoint', id: endpoint.id, name: endpoint.url },
    details,
    at,
  });

async function existing(db: Queryable, id: string, storeId?: string): Promise<store.EndpointRow> {
  const wanted = asUuid(id);
  const found = wanted && (await store.find(db, wanted));
  if (!found || (storeId && found.store_id !== storeId)) throw notFound('webhook endpoint');
  return found;
}

async function requirePlan(db: Queryable, storeId: string) {
  const plan = await store.planOf(db, storeId);
  if (!plan) throw new Refusal('not_found', `There is no store with the id ${storeId}.`);
  if (plan !== 'optimal')
    throw new Refusal('plan_required', `Webhooks need plan Optimal; this store is on plan ${plan}.`);
}

async function checkedUrl({ config }: Services, url: string, resolve?: Resolve): Promise<string> {
  const options = { allowInternal: config.WEBHOOK_ALLOW_INTERNAL, ...(resolve && { resolve }) };
  return (await checkUrl(url, options)).href;
}

function checkedEvents(wanted: readonly string[]): EventType[] {
  const list = [...new Set(wanted.map((type) => type.trim()).filter(Boolean))];
  const known = Object.keys(eventTypes).join(', ');
  if (!list.length) throw new Refusal('invalid_body', `Choose at least one event of ${known}.`);
  for (const type of list)
    if (!isEventType(type)) throw new Refusal('invalid_body', `There is no event ${type}; there are ${known}.`);
  return list as EventType[];
}

/** A prefix that scanners can find and 256 bits of chance. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;

const view = (row: store.EndpointRow): EndpointView => ({
  id: row.id,
  storeId: row.store_id,
  url: row.url,
  events: row.events.split(' ') as EventType[],
  isActive: row.is_active,
  disabledReason: row.disabled_reason === null ? null : disabledReasons[row.disabled_reason],
  disabledBy: row.disabled_reason,
  disabledAt: row.disabled_at,
  consecutiveFailures: row.consecutive_failures,
  failingSince: row.failing_since_at,
  previousSecretUntil: row.previous_secret_until_at,
  createdAt: row.created_at,
});
