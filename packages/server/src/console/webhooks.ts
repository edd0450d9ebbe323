import {
  ChangeEndpoint,
  CreateEndpoint,
  type Delivery,
  DeliveryFilter,
  type DeliveryPage,
  DeliveryQuery,
  EnableEndpoint,
  type Endpoint,
  type EndpointDetails,
  type EndpointSecret,
  type Resendable,
} from '@store-sales/contract/console';
import type { StoreRow } from '../accounts/stores.ts';
import { iso } from '../instant.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import {
  addEndpoint,
  changeEndpoint,
  disableEndpoint,
  type EndpointView,
  enableEndpoint,
  findEndpoint,
  listEndpoints,
  pingEndpoint,
  resendDelivery,
  resendMatching,
  rotateSecret,
} from '../webhooks/endpoints/endpoints.ts';
import { type HealthByHour, healthOfStore } from '../webhooks/endpoints/hours.ts';
import { endpointNotices } from '../webhooks/log/log.ts';
import {
  countMatching,
  countMissed,
  type Found,
  findDelivery,
  type LogFilter,
  searchLog,
} from '../webhooks/log/search-log.ts';
import { actorOf, type Route, route } from './api.ts';

/** Maximum notices shown; the rest are in the history. */
const MAX_NOTICES = 10;
const LIST = '/stores/:storeId/webhooks';
const ONE = `${LIST}/:endpointId`;

/** Settings → Integrations → Webhooks: the endpoints of a store and their delivery log. */
export function webhookRoutes(services: Services): Route[] {
  const { now } = services;

  /** The endpoint in the path, if it belongs to this store and the store's plan includes webhooks. */
  async function endpointOf(store: StoreRow, params: Record<string, string>): Promise<EndpointView> {
    requirePlan(store);
    return findEndpoint(services, params.endpointId as string, store.id);
  }

  async function placeOf(store: StoreRow, params: Record<string, string>) {
    const { id } = await endpointOf(store, params);
    return { storeId: store.id, endpointId: id };
  }

  async function details(endpoint: EndpointView): Promise<EndpointDetails> {
    const { id: endpointId, storeId } = endpoint;
    const health = await healthOfStore(services, storeId);
    const [notices, missed] = await Promise.all([
      endpointNotices(services, endpointId),
      countMissed(services, { storeId, endpointId }),
    ]);
    return { ...view(endpoint, health(endpointId), now()), notices: notices.slice(0, MAX_NOTICES), missed };
  }

  return [
    route({
      method: 'GET',
      path: LIST,
      who: 'store',
      async handle({ store }): Promise<Endpoint[]> {
        requirePlan(store);
        const health = await healthOfStore(services, store.id);
        const endpoints = await listEndpoints(services, store.id);
        return endpoints.map((endpoint) => view(endpoint, health(endpoint.id), now()));
      },
    }),
    route({
      method: 'POST',
      path: LIST,
      who: 'store',
      body: CreateEndpoint,
      async handle({ session, store, body, reply }): Promise<EndpointSecret> {
        requirePlan(store);
        const made = await addEndpoint(services, store.id, body, undefined, actorOf(session));
        reply.code(201);
        return made;
      },
    }),
    route({
      method: 'GET',
      path: ONE,
      who: 'store',
      handle: async ({ store, params }) => details(await endpointOf(store, params)),
    }),
    route({
      method: 'PATCH',
      path: ONE,
      who: 'store',
      body: ChangeEndpoint,
      async handle({ session, store, params, body }) {
        const { id } = await endpointOf(store, params);
        return details(await changeEndpoint(services, id, body, undefined, actorOf(session)));
      },
    }),
    route({
      method: 'POST',
      path: `${ONE}/ping`,
      who: 'store',
      async handle({ session, store, params, reply }) {
        const { id } = await endpointOf(store, params);
        const { deliveryId } = await pingEndpoint(services, id, actorOf(session));
        reply.code(201);
        return { deliveryId };
      },
    }),
    route({
      method: 'POST',
      path: `${ONE}/enable`,
      who: 'store',
      body: EnableEndpoint,
      async handle({ session, store, params, body }) {
        const { id } = await endpointOf(store, params);
        return details(await enableEndpoint(services, id, body, actorOf(session)));
      },
    }),
    route({
      method: 'POST',
      path: `${ONE}/disable`,
      who: 'store',
      async handle({ session, store, params }) {
        const { id } = await endpointOf(store, params);
        return details(await disableEndpoint(services, id, actorOf(session)));
      },
    }),
    route({
      method: 'POST',
      path: `${ONE}/rotate`,
      who: 'store',
      async handle({ session, store, params }): Promise<EndpointSecret> {
        const { id } = await endpointOf(store, params);
        return rotateSecret(services, id, actorOf(session));
      },
    }),
    route({
      method: 'GET',
      path: `${ONE}/deliveries`,
      who: 'store',
      query: DeliveryQuery,
      async handle({ store, params, query }): Promise<DeliveryPage> {
        const place = await placeOf(store, params);
        const { cursor, ...filter } = query;
        const { found, nextCursor } = await searchLog(services, place, filter as LogFilter, { cursor });
        return { deliveries: found.map(delivery), nextCursor };
      },
    }),
    route({
      method: 'GET',
      path: `${ONE}/deliveries/:deliveryId`,
      who: 'store',
      async handle({ store, params }): Promise<Delivery> {
        return delivery(await findDelivery(services, await placeOf(store, params), params.deliveryId as string));
      },
    }),
    route({
      method: 'POST',
      path: `${ONE}/deliveries/:deliveryId/resend`,
      who: 'store',
      async handle({ session, store, params }): Promise<Delivery> {
        const place = await placeOf(store, params);
        const { id } = await findDelivery(services, place, params.deliveryId as string);
        await resendDelivery(services, id, store.id, actorOf(session));
        return delivery(await findDelivery(services, place, id));
      },
    }),
    // The number of matching deliveries, for the confirmation dialog.
    route({
      method: 'GET',
      path: `${ONE}/resend`,
      who: 'store',
      query: DeliveryFilter,
      async handle({ store, params, query }): Promise<Resendable> {
        return countMatching(services, await placeOf(store, params), query as LogFilter);
      },
    }),
    route({
      method: 'POST',
      path: `${ONE}/resend`,
      who: 'store',
      body: DeliveryFilter,
      async handle({ session, store, params, body }): Promise<{ count: number }> {
        return resendMatching(services, await placeOf(store, params), body as LogFilter, actorOf(session));
      },
    }),
  ];
}

function requirePlan(store: StoreRow) {
  if (store.plan !== 'optimal')
    throw new Refusal('plan_required', `Webhooks are part of plan Optimal; this store is on plan ${store.plan}.`);
}

const time = (instant: number | null) => (instant === null ? null : iso(instant));

function view(endpoint: EndpointView, health: HealthByHour, now: number): Endpoint {
  const { previousSecretUntil: until } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    isActive: endpoint.isActive,
    disabledBy: endpoint.disabledBy,
    disabledAt: time(endpoint.disabledAt),
    failures: endpoint.consecutiveFailures,
    failingSince: time(endpoint.failingSince),
    previousSecretUntil: until !== null && until > now ? iso(until) : null,
    createdAt: iso(endpoint.createdAt),
    health: { ...health, hours: health.hours.map((hour) => ({ ...hour, at: iso(hour.at) })) },
  };
}

const delivery = ({ nextAttemptAt, createdAt, attempts, type, ...rest }: Found): Delivery => ({
  ...rest,
  type: type as Delivery['type'],
  nextAttemptAt: time(nextAttemptAt),
  createdAt: iso(createdAt),
  attempts: attempts.map(({ startedAt, ...attempt }) => ({ at: iso(startedAt), ...attempt })),
});
