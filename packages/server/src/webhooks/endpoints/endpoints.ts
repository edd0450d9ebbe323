import { randomBytes } from 'node:crypto';
import { type EventType, eventTypes, isEventType, type Plan } from '@store-sales/contract';
import { type Actor, system } from '../../actor.ts';
import type { Queryable, Transaction, TransactionOptions } from '../../db/database.ts';
import { asUuid, uuid } from '../../db/uuid.ts';
import { type Action, type Details, recordHistory, updateHistory } from '../../history/history.ts';
import { iso } from '../../instant.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { checkUrl, type Resolve } from '../dispatch/guard.ts';
import { type LogFilter, matchingBlock, resolved } from '../log/search-log.ts';
import { insertDelivery, insertEvents } from '../outbox/outbox.queries.ts';
import { wake } from '../outbox/wake.ts';
import { BATCH_SIZE, batchOf } from './batches.ts';
import * as queries from './endpoints.queries.ts';
import { type ReplacedSecret, replacedSecrets } from './replaced-secrets.ts';
import { lockEndpoint } from './switch-off.queries.ts';
import { addNotice, type DisabledReason, disabledReasons, finishStoppingOne, switchOff } from './switch-off.ts';

/** For how long after a rotation the replaced secret signs beside the new one. */
const ROTATION_MS = 24 * 3_600_000;
/** Replaced secrets that sign at once: each adds a signature to every request. */
const MAX_REPLACED_SECRETS = 4;
/** Every event of a store makes a delivery for each of its endpoints. */
export const MAX_ENDPOINTS = 20;

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
  requireOptimal(await queries.planOf(services.db, storeId), storeId);
  const chosen = checkedEvents(events);
  await requireRoom(services.db, storeId);
  const address = await checkedUrl(services, url, resolve);
  const secret = newSecret();
  const id = uuid(services.now());
  const sealed = sealer(services.config.SECRET_KEY).seal(secret);
  const at = services.now();
  await services.db.transaction(async (tx) => {
    // Looking up the address takes a while: plan and limit are checked again, under the lock of the store.
    await requirePlan(tx, storeId);
    await requireRoom(tx, storeId);
    await queries.insert(tx, { storeId, id, url: address, events: chosen.join(' '), secret: sealed, at });
    await note(tx, { store_id: storeId, id, url: address }, 'created', actor, at, { events: chosen });
  });
  return { id, secret };
}

export const listEndpoints = async ({ db }: Services, storeId: string) => (await queries.listOf(db, storeId)).map(view);

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
  const { store_id: storeId, id: endpointId } = await existing(services.db, id);
  requireOptimal(await queries.planOf(services.db, storeId), storeId);
  const chosen = change.events && checkedEvents(change.events).join(' ');
  const address = change.url === undefined ? undefined : await checkedUrl(services, change.url, resolve);
  await services.db.transaction(async (tx) => {
    await requirePlan(tx, storeId);
    await lockEndpoint(tx, storeId, endpointId);
    const before = await existing(tx, endpointId);
    const { url, events } = { url: address ?? before.url, events: chosen ?? before.events };
    const details = {
      ...(url !== before.url && { url: [before.url, url] }),
      ...(events !== before.events && { events: [before.events.split(' '), events.split(' ')] }),
    };
    if (!Object.keys(details).length) return;
    await queries.update(tx, storeId, endpointId, url, events);
    await note(tx, { ...before, url }, 'changed', actor, services.now(), details);
  });
  return findEndpoint(services, id);
}

/**
 * Sends a test event to the endpoint, whatever events it chose. One that is off gets it too, once and without another
 * try: so its owner sees whether it answers before switching it on.
 */
export async function pingEndpoint(
  services: Services,
  id: string,
  actor: Actor = system,
): Promise<{ eventId: string; deliveryId: string }> {
  const at = services.now();
  const [eventId, deliveryId] = [uuid(at), uuid(at)];
  await onceStopped(services, id, async (tx, { store_id: storeId, id: endpointId, is_active }) => {
    tx.onCommit(wake);
    const event = { storeId, id: eventId, type: 'ping', orderId: null, externalId: '', details: '{}', actor, at };
    await insertEvents(tx, [event]);
    const attempts = is_active ? 0 : services.config.WEBHOOK_RETRY_DELAYS.length;
    await insertDelivery(tx, { storeId, id: deliveryId, endpointId, eventId, attempts, at });
  });
  return { eventId, deliveryId };
}

/**
 * Switches an endpoint on, its failures forgotten. With `sendMissed` what was stopped or skipped is sent now, in batches
 * after the switch; what a crash leaves unsent stays in the log as missed, and can be sent again.
 */
export async function enableEndpoint(
  services: Services,
  id: string,
  { sendMissed = false } = {},
  actor: Actor = system,
): Promise<EndpointView> {
  const { now } = services;
  const entryId = await onceStopped(services, id, async (tx, endpoint) => {
    const { store_id: storeId, id: endpointId } = endpoint;
    await queries.switchOn(tx, storeId, endpointId);
    if (endpoint.is_active) return undefined;
    await addNotice(tx, storeId, endpointId, 'enabled', 0, now());
    return note(tx, endpoint, 'enabled', actor, now());
  });
  if (sendMissed)
    await resendInBatches(services, id, [unsent('stopped'), unsent('skipped')], {
      actor,
      entryId,
      details: (count) => (entryId ? { missed: count } : { count }),
    });
  return findEndpoint(services, id);
}

export async function disableEndpoint(services: Services, id: string, actor: Actor = system): Promise<EndpointView> {
  const { store_id: storeId, id: endpointId } = await existing(services.db, id);
  const off = (tx: Transaction) => switchOff(tx, storeId, endpointId, 'owner', services.now(), actor);
  await batchOf(storeId, () => services.db.transaction(off, { isLong: true }));
  await finishStoppingOne(services.db, storeId, endpointId, services.now());
  return findEndpoint(services, id);
}

/**
 * A new secret; each replaced one signs for 24 hours more, so that a receiver can be changed over in that time. While
 * MAX_REPLACED_SECRETS sign, another rotation is refused: dropping one early would break a receiver that still uses it.
 */
export async function rotateSecret(
  services: Services,
  id: string,
  actor: Actor = system,
): Promise<{ id: string; secret: string }> {
  const secret = newSecret();
  const { seal, open } = sealer(services.config.SECRET_KEY);
  const found = await existing(services.db, id);
  await services.db.transaction(async (tx) => {
    const now = services.now();
    const secrets = await queries.lockSecrets(tx, found.store_id, found.id);
    const older = secrets ? stillReadable(() => replacedSecrets(secrets, now, open)) : [];
    const oldest = older[MAX_REPLACED_SECRETS - 1];
    if (oldest)
      throw new Refusal(
        'limit_reached',
        `${MAX_REPLACED_SECRETS} replaced secrets of this endpoint still sign; the secret can be replaced again at ${iso(oldest.until)}.`,
      );
    await queries.setSecret(tx, found.store_id, found.id, {
      secret: seal(secret),
      previousUntil: now + ROTATION_MS,
      older: older.length ? seal(JSON.stringify(older)) : null,
    });
    await note(tx, found, 'rotated', actor, now);
  });
  return { id: found.id, secret };
}

/** None where SECRET_KEY is another than they were sealed under: they cannot sign, and a rotation must work all the same. */
function stillReadable(read: () => ReplacedSecret[]): ReplacedSecret[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Starts one delivery over, whatever became of it, with all its attempts. */
export async function resendDelivery(
  services: Services,
  id: string,
  storeId: string | undefined,
  actor: Actor,
): Promise<{ id: string }> {
  const wanted = asUuid(id);
  const found = wanted && (await queries.findDelivery(services.db, wanted));
  if (!found || (storeId && found.store_id !== storeId)) throw notFound('delivery');
  await whileActive(services, found.endpoint_id, async (tx, endpoint) => {
    await queries.sendAgain(tx, endpoint.store_id, [found.id], services.now());
    await note(tx, endpoint, 'resent', actor, services.now(), { deliveryId: found.id, count: 1 });
  });
  return { id: found.id };
}

/** Starts over everything that failed for good since then, and tells how many deliveries that are. */
export async function resendFailed(
  services: Services,
  endpointId: string,
  since: number,
  actor: Actor,
): Promise<{ count: number }> {
  const details = (count: number) => ({ count });
  return { count: await resendInBatches(services, endpointId, [unsent('failed', since)], { actor, details }) };
}

/** Starts over all deliveries of the endpoint that match and are not waiting, however many, and tells how many. */
export async function resendMatching(
  services: Services,
  place: { storeId: string; endpointId: string },
  filter: LogFilter,
  actor: Actor,
): Promise<{ count: number }> {
  const wanted = await resolved(services.db, place.storeId, filter);
  const matching: NextBatch = async (tx, _endpoint, before) => {
    const { rows, end } = await matchingBlock(tx, place, wanted, { before, block: BATCH_SIZE });
    return { ids: rows.map(({ id }) => id), end };
  };
  const details = (count: number) => ({ count, ...filter });
  return { count: await resendInBatches(services, place.endpointId, [matching], { actor, details }) };
}

type Position = readonly [at: number, id: string];

/** Finds the next deliveries to send again behind a position, and where to go on; no end when these are the last. */
type NextBatch = (
  tx: Transaction,
  endpoint: queries.EndpointRow,
  position: Position | undefined,
) => Promise<{ ids: string[]; end: Position | undefined }>;

/** Deliveries with this status, oldest first; only those settled since then. */
const unsent =
  (status: 'failed' | 'stopped' | 'skipped', since = 0): NextBatch =>
  async (tx, { store_id: storeId, id }, after) => {
    const rows = await queries.unsentAfter(tx, { storeId, id, status }, after, BATCH_SIZE);
    const last = rows.at(-1);
    return {
      ids: rows.filter(({ settled_at }) => settled_at >= since).map((row) => row.id),
      end: last && rows.length === BATCH_SIZE ? [last.created_at, last.id] : undefined,
    };
  };

interface ResendEntry {
  actor: Actor;
  /** The entry of the history to write the count into; a new one when left out. */
  entryId?: string | undefined;
  details(count: number): Details;
}

/**
 * Sends deliveries again in batches, each in a transaction of its own so that other writes get in between, and returns
 * how many. Each transaction also writes the count so far into the history, so a crash leaves a true entry. What it
 * leaves unsent keeps its status and can be sent again. Ends early when the endpoint is switched off meanwhile.
 */
async function resendInBatches(
  services: Services,
  endpointId: string,
  sources: readonly NextBatch[],
  { actor, entryId: given, details }: ResendEntry,
): Promise<number> {
  const { store_id: storeId } = await existing(services.db, endpointId);
  let count = 0;
  let entryId = given;
  // Switched off again before anything was sent: an error, unless the endpoint was just switched on.
  let isRefused = given === undefined;
  for (const next of sources) {
    let position: Position | undefined;
    do {
      const sendNext = async (tx: Transaction, endpoint: queries.EndpointRow) => {
        const now = services.now();
        const { ids, end } = await next(tx, endpoint, position);
        if (!ids.length) return { sent: 0, end, entry: entryId };
        const sent = await queries.sendAgain(tx, storeId, ids, now);
        if (entryId) await updateHistory(tx, storeId, entryId, details(count + sent));
        const entry = entryId ?? (await note(tx, endpoint, 'resent', actor, now, details(sent)));
        return { sent, end, entry };
      };
      const sending = batchOf(storeId, () => whileActive(services, endpointId, sendNext, { isLong: true }));
      const batch = await sending.catch((error: unknown) => {
        if (isRefused || !(error instanceof SwitchedOff)) throw error;
      });
      if (!batch) return count;
      isRefused = false;
      count += batch.sent;
      entryId = batch.entry;
      position = batch.end;
    } while (position);
  }
  return count;
}

class SwitchedOff extends Refusal {
  constructor() {
    super('invalid_body', 'The endpoint is switched off; switch it on first.');
  }
}

/** Does something that makes deliveries wait at the endpoint, which must be on while it is done. */
function whileActive<Result>(
  { db }: Services,
  id: string,
  work: (tx: Transaction, endpoint: queries.EndpointRow) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const endpoint = await existing(tx, id);
    const locked = await lockEndpoint(tx, endpoint.store_id, endpoint.id);
    if (!locked?.is_active) throw new SwitchedOff();
    tx.onCommit(wake);
    return work(tx, endpoint);
  }, options);
}

/**
 * Changes an endpoint on plan Optimal once nothing is left to stop at it: a delivery from before the switch-off would
 * otherwise be sent after it, and a ping would be stopped with the rest.
 */
async function onceStopped<Result>(
  { db, now }: Services,
  id: string,
  work: (tx: Transaction, endpoint: queries.EndpointRow) => Promise<Result>,
): Promise<Result> {
  const { store_id: storeId, id: endpointId } = await existing(db, id);
  for (;;) {
    const done = await db.transaction(async (tx) => {
      await requirePlan(tx, storeId);
      const locked = await lockEndpoint(tx, storeId, endpointId);
      if (locked?.is_stopping) return undefined;
      return { result: await work(tx, await existing(tx, endpointId)) };
    });
    if (done) return done.result;
    await finishStoppingOne(db, storeId, endpointId, now());
  }
}

const note = (
  tx: Transaction,
  endpoint: Pick<queries.EndpointRow, 'store_id' | 'id' | 'url'>,
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

async function existing(db: Queryable, id: string, storeId?: string): Promise<queries.EndpointRow> {
  const wanted = asUuid(id);
  const found = wanted && (await queries.find(db, wanted));
  if (!found || (storeId && found.store_id !== storeId)) throw notFound('webhook endpoint');
  return found;
}

/** The plan stays Optimal until the transaction ends, so no endpoint is left on in a store that leaves the plan. */
const requirePlan = async (tx: Transaction, storeId: string) =>
  requireOptimal(await queries.lockPlan(tx, storeId), storeId);

function requireOptimal(plan: Plan | undefined, storeId: string) {
  if (!plan) throw new Refusal('not_found', `There is no store with the id ${storeId}.`);
  if (plan !== 'optimal')
    throw new Refusal('plan_required', `Webhooks need plan Optimal; this store is on plan ${plan}.`);
}

async function requireRoom(db: Queryable, storeId: string) {
  if ((await queries.countOf(db, storeId)) >= MAX_ENDPOINTS)
    throw new Refusal(
      'limit_reached',
      `A store can have at most ${MAX_ENDPOINTS} webhook endpoints. Change one that is no longer needed.`,
    );
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

const view = (row: queries.EndpointRow): EndpointView => ({
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
