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
import { type LogFilter, matchingBatch, resolveFilter } from '../log/search-log.ts';
import { insertDelivery, insertEvents } from '../outbox/outbox.queries.ts';
import { wake } from '../outbox/wake.ts';
import { BATCH_SIZE, batchOf } from './batches.ts';
import * as queries from './endpoints.queries.ts';
import { type ReplacedSecret, replacedSecrets } from './replaced-secrets.ts';
import { lockEndpoint } from './switch-off.queries.ts';
import { addNotice, type DisabledReason, disabledReasons, finishStoppingOne, switchOff } from './switch-off.ts';

/** How long a replaced secret is used for signing in addition to the new one. */
const ROTATION_MS = 24 * 3_600_000;
/** Each replaced secret adds a signature to every request. */
const MAX_REPLACED_SECRETS = 4;
/** Per store: every event creates a delivery for each subscribed endpoint. */
export const MAX_ENDPOINTS = 20;

/** An endpoint as shown to its owner, without the secret. */
export interface EndpointView {
  id: string;
  storeId: string;
  url: string;
  events: EventType[];
  isActive: boolean;
  /** The text for `disabledBy`. */
  disabledReason: string | null;
  disabledBy: DisabledReason | null;
  disabledAt: number | null;
  consecutiveFailures: number;
  failingSince: number | null;
  /** Until when the previous secret is also used for signing. */
  previousSecretUntil: number | null;
  createdAt: number;
}

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
  requireOptimal(await queries.planOf(services.db, storeId), storeId);
  const chosen = checkedEvents(events);
  await requireFreeEndpoint(services.db, storeId);
  const address = await checkedUrl(services, url, resolve);
  const secret = newSecret();
  const id = uuid(services.now());
  const sealed = sealer(services.config.SECRET_KEY).seal(secret);
  const at = services.now();
  await services.db.transaction(async (tx) => {
    // Plan and limit may have changed during the DNS lookup: check them again, with the store locked.
    await requirePlan(tx, storeId);
    await requireFreeEndpoint(tx, storeId);
    await queries.insert(tx, { storeId, id, url: address, events: chosen.join(' '), secret: sealed, at });
    await note(tx, { store_id: storeId, id, url: address }, 'created', actor, at, { events: chosen });
  });
  return { id, secret };
}

export const listEndpoints = async ({ db }: Services, storeId: string) => (await queries.listOf(db, storeId)).map(view);

/** With `storeId`, only an endpoint of that store is found; without, of any (for the operator). */
export async function findEndpoint({ db }: Services, id: string, storeId?: string): Promise<EndpointView> {
  return view(await existing(db, id, storeId));
}

/** Changes URL or events; pending deliveries are sent to the new URL. */
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
 * Sends a test event to the endpoint, regardless of its subscriptions. An endpoint that is off gets it too, without
 * retries, so that its owner can check it before switching it on.
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
 * Switches an endpoint on and resets its failures. With `sendMissed`, stopped and skipped deliveries are then sent in
 * batches; those left over after a crash keep their status and can be resent.
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
 * Creates a new secret; a replaced one is used for signing for another 24 hours, so that receivers can be updated. With
 * MAX_REPLACED_SECRETS in use a rotation is refused: dropping one early would break a receiver that still uses it.
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
    const older = secrets ? readableSecrets(() => replacedSecrets(secrets, now, open)) : [];
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

/** Returns none if they were encrypted with another SECRET_KEY: a rotation must work even then. */
function readableSecrets(read: () => ReplacedSecret[]): ReplacedSecret[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Restarts the retry schedule of one delivery, whatever its status. */
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

/** Resends all deliveries that failed permanently since a time; returns their number. */
export async function resendFailed(
  services: Services,
  endpointId: string,
  since: number,
  actor: Actor,
): Promise<{ count: number }> {
  const details = (count: number) => ({ count });
  return { count: await resendInBatches(services, endpointId, [unsent('failed', since)], { actor, details }) };
}

/** Resends all matching deliveries that are not pending; returns their number. */
export async function resendMatching(
  services: Services,
  endpoint: { storeId: string; endpointId: string },
  filter: LogFilter,
  actor: Actor,
): Promise<{ count: number }> {
  const criteria = await resolveFilter(services.db, endpoint.storeId, filter);
  const matching: NextBatch = async (tx, _endpoint, before) => {
    const { rows, end } = await matchingBatch(tx, endpoint, criteria, { before, batchSize: BATCH_SIZE });
    return { ids: rows.map(({ id }) => id), end };
  };
  const details = (count: number) => ({ count, ...filter });
  return { count: await resendInBatches(services, endpoint.endpointId, [matching], { actor, details }) };
}

type Position = readonly [at: number, id: string];

/** Finds the next deliveries to resend after a position; `end` is the next position, undefined after the last batch. */
type NextBatch = (
  tx: Transaction,
  endpoint: queries.EndpointRow,
  position: Position | undefined,
) => Promise<{ ids: string[]; end: Position | undefined }>;

/** Deliveries with this status, oldest first; only those finished since a time. */
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
  /** The history entry to update with the count; a new one is created by default. */
  entryId?: string | undefined;
  details(count: number): Details;
}

/**
 * Resends deliveries in batches and returns their number. Each batch is its own transaction, so that other writes are not
 * blocked, and updates the count in the history, so that the entry is correct after a crash. Deliveries that were not
 * reached keep their status and can be resent. Ends early if the endpoint is switched off meanwhile.
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
  // Fail if the endpoint is off at the first batch, unless it was just switched on.
  let failsIfOff = given === undefined;
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
        if (failsIfOff || !(error instanceof SwitchedOff)) throw error;
      });
      if (!batch) return count;
      failsIfOff = false;
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

/** Runs work that creates pending deliveries, with the endpoint locked; fails if it is off. */
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
 * Changes an endpoint after a switch-off in progress has finished: otherwise older deliveries could be sent after it, and
 * a ping would be stopped with them. Requires the Optimal plan.
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

/** Locks the plan until the transaction ends, so that no endpoint stays on in a store that leaves the plan. */
const requirePlan = async (tx: Transaction, storeId: string) =>
  requireOptimal(await queries.lockPlan(tx, storeId), storeId);

function requireOptimal(plan: Plan | undefined, storeId: string) {
  if (!plan) throw new Refusal('not_found', `There is no store with the id ${storeId}.`);
  if (plan !== 'optimal')
    throw new Refusal('plan_required', `Webhooks need plan Optimal; this store is on plan ${plan}.`);
}

async function requireFreeEndpoint(db: Queryable, storeId: string) {
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

/** A prefix for secret scanners and 256 random bits. */
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
