import { type EventType, eventTypes, isEventType } from '@store-sales/contract';
import { type Actor, system } from '../../actor.ts';
import { lockClock } from '../../db/clock/store-clock.ts';
import { uuid } from '../../db/uuid.ts';
import { DomainError } from '../../domain-error.ts';
import { requireBelowLimit } from '../../limits.ts';
import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { checkUrl, type Resolve } from '../address-guard/guard.ts';
import { recordEndpointHistory } from './endpoint-history.ts';
import * as queries from './endpoints.queries.ts';
import { type EndpointView, existingEndpoint, findEndpoint } from './find-endpoints.ts';
import { requireLockedPlan, requirePlan } from './locks.ts';
import { newSecret } from './rotate-secret.ts';
import { lockEndpoint } from './switch-off.queries.ts';

export interface NewEndpoint {
  url: string;
  events: readonly string[];
}

/** Creates an endpoint and returns its signing secret, which is shown only once. */
export async function addEndpoint(
  services: Services,
  storeId: string,
  { url, events }: NewEndpoint,
  resolve?: Resolve,
  actor: Actor = system,
): Promise<{ id: string; secret: string }> {
  await requirePlan(services.db, storeId);
  const chosen = checkedEvents(events);
  requireBelowLimit('webhook_endpoints', await queries.countOf(services.db, storeId));
  const address = await checkedUrl(services, url, resolve);
  const secret = newSecret();
  const id = uuid(services.now());
  const sealed = sealer(services.config.SECRET_KEY).seal(secret);
  const at = services.now();
  await services.db.transaction(async (tx) => {
    // Plan and limit may have changed during the DNS lookup: check them again, with the store locked.
    await requireLockedPlan(tx, storeId);
    requireBelowLimit('webhook_endpoints', await queries.countOf(tx, storeId));
    const { seq: subscribedSeq } = await lockClock(tx, storeId);
    const endpoint = { storeId, id, url: address, events: chosen.join(' '), secret: sealed, subscribedSeq, at };
    await queries.insert(tx, endpoint);
    await recordEndpointHistory(tx, { store_id: storeId, id, url: address }, 'created', actor, at, { events: chosen });
  });
  return { id, secret };
}

/** Changes URL or events; pending deliveries are sent to the new URL. */
export async function changeEndpoint(
  services: Services,
  id: string,
  change: Partial<NewEndpoint>,
  resolve?: Resolve,
  actor: Actor = system,
): Promise<EndpointView> {
  const { store_id: storeId, id: endpointId } = await existingEndpoint(services.db, id);
  await requirePlan(services.db, storeId);
  const chosen = change.events && checkedEvents(change.events).join(' ');
  const address = change.url === undefined ? undefined : await checkedUrl(services, change.url, resolve);
  await services.db.transaction(async (tx) => {
    await requireLockedPlan(tx, storeId);
    const { seq: subscribedSeq } = await lockClock(tx, storeId);
    await lockEndpoint(tx, storeId, endpointId);
    const before = await existingEndpoint(tx, endpointId, storeId);
    const { url, events } = { url: address ?? before.url, events: chosen ?? before.events };
    const details = {
      ...(url !== before.url && { url: [before.url, url] }),
      ...(events !== before.events && { events: [before.events.split(' '), events.split(' ')] }),
    };
    if (!Object.keys(details).length) return;
    if (url !== before.url) await queries.setUrl(tx, storeId, endpointId, url);
    if (events !== before.events) await queries.setEvents(tx, storeId, endpointId, events, subscribedSeq);
    await recordEndpointHistory(tx, { ...before, url }, 'changed', actor, services.now(), details);
  });
  return findEndpoint(services, id);
}

async function checkedUrl({ config }: Services, url: string, resolve?: Resolve): Promise<string> {
  const options = { allowInternal: config.WEBHOOK_ALLOW_INTERNAL, ...(resolve && { resolve }) };
  return (await checkUrl(url, options)).href;
}

function checkedEvents(types: readonly string[]): EventType[] {
  const list = [...new Set(types.map((type) => type.trim()).filter(Boolean))];
  const known = Object.keys(eventTypes).join(', ');
  if (!list.length) throw new DomainError('invalid_body', `Choose at least one event; valid events: ${known}.`);
  for (const type of list)
    if (!isEventType(type)) throw new DomainError('invalid_body', `Unknown event ${type}; valid events: ${known}.`);
  return list as EventType[];
}
