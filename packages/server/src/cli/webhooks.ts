import { API_PREFIX, type EventQuery, type EventType, eventTypes, type Order } from '@store-sales/contract';
import {
  type AttemptError,
  type Delivery,
  type DeliveryAttempt,
  type DisabledReason,
  deliveryStatuses,
} from '@store-sales/contract/console';
import { findStore } from '../accounts/stores.ts';
import { system } from '../actor.ts';
import { DomainError } from '../domain-error.ts';
import { listOrders } from '../orders/read/list-orders.ts';
import { readOrder } from '../orders/read/read-order.ts';
import type { Services } from '../services.ts';
import { iso, parseInstant } from '../time/instant.ts';
import { forwardEvents, type ReadEvents } from '../webhooks/dispatch/forward.ts';
import { listen } from '../webhooks/dispatch/listen.ts';
import { sendTestEvent } from '../webhooks/dispatch/send-test-event.ts';
import { deleteEndpoint, finishDeleting } from '../webhooks/endpoints/delete-endpoint.ts';
import { addEndpoint } from '../webhooks/endpoints/edit-endpoints.ts';
import { type EndpointView, findEndpoint, listEndpoints } from '../webhooks/endpoints/find-endpoints.ts';
import { pingEndpoint } from '../webhooks/endpoints/ping-endpoint.ts';
import { resendDelivery, resendFailed } from '../webhooks/endpoints/resend.ts';
import { newSecret, rotateSecret } from '../webhooks/endpoints/rotate-secret.ts';
import { disableEndpoint, enableEndpoint } from '../webhooks/endpoints/switch-endpoint.ts';
import { listEvents } from '../webhooks/events/list-events.ts';
import { listDeliveries } from '../webhooks/log/delivery-log.ts';
import { known, print, UsageError } from './output.ts';
import { remoteService } from './remote-service.ts';
import { withServices } from './session.ts';

/** How long the receiver may take. */
const FORWARD_TIMEOUT_MS = 10_000;

type Json = { json?: boolean | undefined };

export const webhookAdd = ({ store, url, events, json }: Json & { store: string; url: string; events: string }) =>
  withServices(async (services) => {
    const types = events.split(',').map((type) => checkedEvent(type.trim()));
    const { id: storeId } = await findStore(services.db, store);
    print(await addEndpoint(services, storeId, { url, events: types }), json);
  });

const checkedEvent = (type: string) => known(type, Object.keys(eventTypes) as EventType[], 'event');

export const webhookList = ({ store, json }: Json & { store: string }) =>
  withServices(async (services) => {
    const { id: storeId } = await findStore(services.db, store);
    const endpoints = await listEndpoints(services, storeId);
    print(
      endpoints.map((endpoint) => view(endpoint, json)),
      json,
    );
  });

const disabledMessages: Record<DisabledReason, string> = {
  failures: 'too many failed attempts',
  owner: 'disabled manually',
  plan: 'the store left the Optimal plan',
};

const view = (
  { id, url, events, isActive, disabledReason, consecutiveFailures }: EndpointView,
  json: boolean | undefined,
) => ({
  id,
  url,
  events,
  isActive,
  disabledReason: json ? disabledReason : disabledReason && disabledMessages[disabledReason],
  consecutiveFailures,
});

export const webhookPing = (id: string, { json }: Json) =>
  withServices(async (services) => print(await pingEndpoint(services, id), json));

type TriggerOptions = Json & { event: string; order?: string };

export const webhookTrigger = (id: string, { event, order, json }: TriggerOptions) =>
  withServices(async (services) => {
    const type = checkedEvent(event);
    const { storeId } = await findEndpoint(services, id);
    const { error, ...sent } = await sendTestEvent(services, id, type, await orderFor(services, storeId, order));
    const message = messageOf({ error, responseStatus: sent.responseStatus });
    print({ ...sent, error: json ? error : message, ...(json && error && { message }) }, json);
    if (error) process.exitCode = 1;
  });

/** The order with this id, or the newest one of the store. */
async function orderFor(services: Services, storeId: string, id: string | undefined): Promise<Order> {
  const { db } = services;
  if (id !== undefined) return JSON.parse((await readOrder(db, storeId, id)).body.toString()).data;
  const [newest] = JSON.parse((await listOrders(db, services, storeId, { limit: 1 })).toString()).data;
  if (!newest) throw new DomainError('not_found', 'The store has no orders yet; create one first.');
  return newest;
}

export const webhookEnable = (id: string, { sendMissed, json }: Json & { sendMissed?: boolean }) =>
  withServices(async (services) =>
    print(view(await enableEndpoint(services, id, { sendMissed: !!sendMissed }), json), json),
  );

export const webhookDisable = (id: string, { json }: Json) =>
  withServices(async (services) => print(view(await disableEndpoint(services, id), json), json));

export const webhookDelete = (id: string, { json }: Json) =>
  withServices(async (services) => {
    const { id: endpointId, url } = await findEndpoint(services, id);
    await deleteEndpoint(services, endpointId);
    // A request leaves the rest of a long log to the dispatcher.
    await finishDeleting(services.db);
    print({ id: endpointId, url, isDeleted: true }, json);
  });

export const webhookRotate = (id: string, { json }: Json) =>
  withServices(async (services) => print(await rotateSecret(services, id), json));

interface ResendOptions extends Json {
  endpoint?: string;
  failedSince?: string;
}

export const webhookResend = (delivery: string | undefined, { endpoint, failedSince, json }: ResendOptions) =>
  withServices(async (services) => {
    if (delivery !== undefined && endpoint === undefined && failedSince === undefined)
      return print(await resendDelivery(services, delivery, undefined, system), json);
    if (delivery !== undefined || endpoint === undefined || failedSince === undefined)
      throw new UsageError('Pass a delivery id, or --endpoint and --failed-since.');
    const since = parseInstant(failedSince);
    if (since === undefined)
      throw new UsageError(`${failedSince} is not a date-time such as 2026-09-27T13:15:30+03:00.`);
    print(await resendFailed(services, endpoint, since, system), json);
  });

interface ListenOptions extends Json {
  port: string;
  secret?: string;
  store?: string;
  url?: string;
  forwardTo?: string;
}

/** Receives or forwards events on this machine, until it is stopped. */
export function webhookListen({ port, secret, store, url, forwardTo, json }: ListenOptions) {
  if (store === undefined && url === undefined && forwardTo === undefined) return receive({ port, secret, json });
  if (forwardTo === undefined || (store === undefined) === (url === undefined))
    throw new UsageError('To forward events, pass --forward-to, and --store or --url.');
  if (!/^https?:/i.test(forwardTo) || !URL.canParse(forwardTo))
    throw new UsageError(`${forwardTo} is not an http or https address.`);
  const options = { to: forwardTo, secret: secret ?? newSecret(), json };
  return url === undefined ? forwardHere(store as string, options) : forwardFrom(url, options);
}

async function receive({ port, secret, json }: Json & { port: string; secret: string | undefined }) {
  const portNumber = Number(port);
  if (!/^\d+$/.test(port) || portNumber > 65535) throw new UsageError(`${port} is not a port.`);
  const { url } = await listen({ port: portNumber, secret, now: Date.now, print: (line) => console.log(line) });
  if (json) print({ url }, json);
  else console.log(`listening at ${url}${secret === undefined ? ' (no --secret: signatures are not verified)' : ''}`);
}

interface Forwarding extends Json {
  to: string;
  secret: string;
}

/** Forwards the events of a store of this installation. */
const forwardHere = (store: string, forwarding: Forwarding) =>
  withServices(async (services) => {
    const { id, name } = await findStore(services.db, store);
    const read = async (query: EventQuery) => JSON.parse(String(await listEvents(services.db, services, id, query)));
    await forward(read, { id, name }, forwarding);
  });

/** Forwards the events of the store of a key, from a service elsewhere. */
async function forwardFrom(url: string, forwarding: Forwarding) {
  const request = remoteService(url);
  const { store } = JSON.parse(await request(`${API_PREFIX}/credentials`)).data;
  const read: ReadEvents = async (query) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return JSON.parse(await request(`${API_PREFIX}/events?${new URLSearchParams(parameters)}`));
  };
  await forward(read, store, forwarding);
}

async function forward(read: ReadEvents, store: { id: string; name: string }, { to: url, secret, json }: Forwarding) {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  await forwardEvents(read, {
    url,
    secret,
    timeoutMs: FORWARD_TIMEOUT_MS,
    signal: stopped.signal,
    onUnavailable: ({ message }) => console.error(`store-sales: ${message}; trying again`),
    onReady() {
      if (json) print({ storeId: store.id, url, secret }, json);
      else console.log(`forwarding the events of ${store.name} to ${url}, signed with ${secret}`);
    },
    onForwarded({ event: { id: eventId, type, data }, responseStatus, error, durationMs }) {
      const message = messageOf({ error, responseStatus }) ?? `response status ${responseStatus}`;
      if (json) print({ eventId, type, orderId: data.orderId, responseStatus, error, message, durationMs }, json);
      else {
        const parts = [iso(Date.now()), type, `event ${eventId}`, `order ${data.orderId}`, message, `${durationMs} ms`];
        console.log(parts.join('  '));
      }
    },
  });
}

const attemptMessages: Record<AttemptError, string> = {
  address_not_allowed: 'address not allowed',
  name_not_found: 'host name not found',
  dns_failed: 'DNS lookup failed',
  connection_refused: 'connection refused',
  host_unreachable: 'host unreachable',
  connection_closed: 'connection closed before the end of the response',
  certificate_expired: 'certificate expired',
  certificate_not_yet_valid: 'certificate not yet valid',
  certificate_wrong_host: 'certificate issued for another host',
  certificate_self_signed: 'certificate self-signed',
  certificate_unknown_authority: 'certificate from an unknown authority',
  certificate_invalid: 'certificate not valid',
  tls_failed: 'TLS connection failed',
  invalid_http: 'response is not valid HTTP',
  timeout: 'timed out',
  secret_unreadable: 'signing secret cannot be decrypted',
  http_status: 'response status',
  redirect: 'redirects are not followed: response status',
  failed: 'could not be sent',
};

function messageOf({ error, responseStatus }: Pick<DeliveryAttempt, 'error' | 'responseStatus'>): string | null {
  if (!error) return null;
  const hasStatus = error === 'http_status' || error === 'redirect';
  return hasStatus ? `${attemptMessages[error]} ${responseStatus}` : attemptMessages[error];
}

const PAGE_SIZE = 500;

export const webhookLog = (id: string, { status, limit, json }: Json & { status?: string; limit?: string }) =>
  withServices(async (services) => {
    const max = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
    if (Number.isNaN(max) || max < 1) throw new UsageError(`--limit must be a number of deliveries.`);
    const filter = { ...(status !== undefined && { status: known(status, deliveryStatuses, 'status', 'statuses') }) };
    const { id: endpointId, storeId } = await findEndpoint(services, id);
    const log: Delivery[] = [];
    for (let cursor: string | undefined; ; ) {
      const options = { cursor, limit: Math.min(PAGE_SIZE, max - log.length) };
      const { deliveries, nextCursor } = await listDeliveries(services, { storeId, endpointId }, filter, options);
      log.push(...deliveries);
      if (nextCursor === null || log.length >= max) break;
      cursor = nextCursor;
    }
    print(
      log.map(({ id, eventId, type: eventType, order, status, nextAttemptAt, attempts }) => {
        const views = attempts.map((attempt) => {
          const { at, responseStatus, durationMs, error } = attempt;
          return { at, responseStatus, durationMs, error, message: messageOf(attempt) };
        });
        const last = views.at(-1);
        const summary = `${views.length}${last ? `, last: ${last.message ?? last.responseStatus}` : ''}`;
        const orderId = order?.id ?? null;
        return { id, eventId, eventType, orderId, status, nextAttemptAt, attempts: json ? views : summary };
      }),
      json,
    );
  });
