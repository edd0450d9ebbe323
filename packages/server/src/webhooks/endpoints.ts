import { randomBytes } from 'node:crypto';
import { type EventType, eventTypes, isEventType } from '@store-sales/contract';
import { system } from '../actor.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { notFound, Refusal } from '../refusal.ts';
import { sealer } from '../secrets.ts';
import type { Services } from '../services.ts';
import * as store from './endpoints.store.ts';
import { checkUrl, type Resolve } from './guard.ts';
import { insertDelivery, insertEvents } from './outbox.store.ts';
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
): Promise<{ id: string; secret: string }> {
  await requirePlan(services.db, storeId);
  const chosen = checkedEvents(events);
  const address = await checkedUrl(services, url, resolve);
  const secret = newSecret();
  const id = uuid(services.now());
  const sealed = sealer(services.config.SECRET_KEY).seal(secret);
  await services.db.transaction((tx) =>
    store.insert(tx, { storeId, id, url: address, events: chosen.join(' '), secret: sealed, at: services.now() }),
  );
  return { id, secret };
}

export const listEndpoints = async ({ db }: Services, storeId: string) => (await store.listOf(db, storeId)).map(view);

/** Of any store, for the operator; of the one given, for its owner. */
export async function findEndpoint({ db }: Services, id: string, storeId?: string): Promise<EndpointView> {
  return view(await existing(db, id, storeId));
}

/** A new address or other events; what already waits goes to the new address. */
export async function changeEndpoint(services: Services, id: string, change: Partial<NewEndpoint>, resolve?: Resolve) {
  const found = await existing(services.db, id);
  const events = change.events ? checkedEvents(change.events).join(' ') : found.events;
  const url = change.url === undefined ? found.url : await checkedUrl(services, change.url, resolve);
  await services.db.transaction((tx) => store.update(tx, found.store_id, found.id, url, events));
  return findEndpoint(services, id);
}

/** Sends a test event to the endpoint, whatever events it chose. */
export async function pingEndpoint(services: Services, id: string): Promise<{ eventId: string; deliveryId: string }> {
  const at = services.now();
  const [eventId, deliveryId] = [uuid(at), uuid(at)];
  await onEndpoint(services, id, async (tx, { store_id: storeId, id: endpointId }) => {
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
    await insertDelivery(tx, { storeId, id: deliveryId, endpointId, eventId, at });
  });
  return { eventId, deliveryId };
}

/** Switches an endpoint on, its failures forgotten. With `sendMissed` what was stopped or skipped is sent now. */
export async function enableEndpoint(
  services: Services,
  id: string,
  { sendMissed = false } = {},
): Promise<EndpointView> {
  const { db, now } = services;
  await db.transaction(async (tx) => {
    const { store_id: storeId, id: endpointId } = await existing(tx, id);
    await requirePlan(tx, storeId);
    const before = await lockEndpoint(tx, storeId, endpointId);
    await store.switchOn(tx, storeId, endpointId);
    if (!before?.is_active) await addNotice(tx, storeId, endpointId, 'enabled', 0, now());
    if (sendMissed && (await store.sendMissed(tx, storeId, endpointId, now()))) tx.onCommit(wake);
  });
  return findEndpoint(services, id);
}

export async function disableEndpoint(services: Services, id: string): Promise<EndpointView> {
  await services.db.transaction(async (tx) => {
    const { store_id: storeId, id: endpointId } = await existing(tx, id);
    await switchOff(tx, storeId, endpointId, 'owner', services.now());
  });
  return findEndpoint(services, id);
}

/** A new secret; for 24 hours the old one signs too, so that a receiver can be changed over at leisure. */
export async function rotateSecret(services: Services, id: string): Promise<{ id: string; secret: string }> {
  const secret = newSecret();
  const sealed = sealer(services.config.SECRET_KEY).seal(secret);
  const found = await existing(services.db, id);
  await services.db.transaction((tx) =>
    store.setSecret(tx, found.store_id, found.id, sealed, services.now() + ROTATION_MS),
  );
  return { id: found.id, secret };
}

/** Starts one delivery over, whatever became of it, with all its attempts. */
export async function resendDelivery(services: Services, id: string, storeId?: string): Promise<{ id: string }> {
  const wanted = asUuid(id);
  const found = wanted && (await store.findDelivery(services.db, wanted));
  if (!found || (storeId && found.store_id !== storeId)) throw notFound('delivery');
  await onEndpoint(services, found.endpoint_id, (tx, endpoint) =>
    store.sendAgain(tx, endpoint.store_id, found.id, services.now()),
  );
  return { id: found.id };
}

/** Starts over everything that failed for good since then, and tells how many deliveries that are. */
export async function resendFailed(services: Services, endpointId: string, since: number): Promise<{ count: number }> {
  const count = await onEndpoint(services, endpointId, (tx, endpoint) =>
    store.sendFailed(tx, endpoint.store_id, endpoint.id, since, services.now()),
  );
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
const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;

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
  createdAt: row.created_at,
});
