import { findStore } from '../accounts/stores.ts';
import { system } from '../actor.ts';
import { parseInstant } from '../instant.ts';
import { Refusal } from '../refusal.ts';
import { listen } from '../webhooks/dispatch/listen.ts';
import {
  addEndpoint,
  disableEndpoint,
  type EndpointView,
  enableEndpoint,
  listEndpoints,
  pingEndpoint,
  resendDelivery,
  resendFailed,
  rotateSecret,
} from '../webhooks/endpoints/endpoints.ts';
import { deliveryLog, type LoggedDelivery } from '../webhooks/log/log.ts';
import { print } from './output.ts';
import { withServices } from './session.ts';

type Json = { json?: boolean };

export const webhookAdd = ({ store, url, events, json }: Json & { store: string; url: string; events: string }) =>
  withServices(async (services) => {
    const { id: storeId } = await findStore(services.db, store);
    print(await addEndpoint(services, storeId, { url, events: events.split(',') }), json);
  });

export const webhookList = ({ store, json }: Json & { store: string }) =>
  withServices(async (services) => {
    const { id: storeId } = await findStore(services.db, store);
    print((await listEndpoints(services, storeId)).map(shown), json);
  });

const shown = ({ id, url, events, isActive, disabledReason, consecutiveFailures }: EndpointView) => ({
  id,
  url,
  events,
  isActive,
  disabledReason,
  consecutiveFailures,
});

export const webhookPing = (id: string, { json }: Json) =>
  withServices(async (services) => print(await pingEndpoint(services, id), json));

export const webhookEnable = (id: string, { sendMissed, json }: Json & { sendMissed?: boolean }) =>
  withServices(async (services) =>
    print(shown(await enableEndpoint(services, id, { sendMissed: !!sendMissed })), json),
  );

export const webhookDisable = (id: string, { json }: Json) =>
  withServices(async (services) => print(shown(await disableEndpoint(services, id)), json));

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
      throw new Refusal('invalid_body', 'Name one delivery, or --endpoint and --failed-since.');
    const since = parseInstant(failedSince);
    if (since === undefined)
      throw new Refusal('invalid_body', `${failedSince} is not a date-time such as 2026-09-27T13:15:30+03:00.`);
    print(await resendFailed(services, endpoint, since, system), json);
  });

/** A receiver on this machine, until it is stopped. */
export async function webhookListen({ port, secret, json }: Json & { port: string; secret?: string }) {
  const wanted = Number(port);
  if (!/^\d+$/.test(port) || wanted > 65535) throw new Refusal('invalid_body', `${port} is not a port.`);
  const { url } = await listen({ port: wanted, secret, now: Date.now, print: (line) => console.log(line) });
  if (json) print({ url }, json);
  else console.log(`listening at ${url}${secret === undefined ? ' (no --secret: signatures are not verified)' : ''}`);
}

const PAGE = 500;

export const webhookLog = (id: string, { status, limit, json }: Json & { status?: string; limit?: string }) =>
  withServices(async (services) => {
    const most = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
    if (Number.isNaN(most) || most < 1) throw new Refusal('invalid_body', `--limit must be a number of deliveries.`);
    const log: LoggedDelivery[] = [];
    for (let more = true; more && log.length < most; ) {
      const before = log.at(-1);
      const take = Math.min(PAGE, most - log.length);
      const page = await deliveryLog(services, id, { status, limit: take, ...(before && { before }) });
      log.push(...page);
      more = page.length === take;
    }
    print(
      log.map(({ id, eventId, eventType, orderId, status, nextAttemptAt, attempts }) => {
        const made = attempts.map(({ at, responseStatus, durationMs, error }) => ({
          at,
          responseStatus,
          durationMs,
          error,
        }));
        const last = attempts.at(-1);
        const told = json ? made : `${made.length}${last ? `, last: ${last.error ?? last.responseStatus}` : ''}`;
        return { id, eventId, eventType, orderId, status, nextAttemptAt, attempts: told };
      }),
      json,
    );
  });
