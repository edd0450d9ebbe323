import type { Endpoint, EndpointDetails } from '@store-sales/contract/console';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import { requireOptimalPlan, requireVerified } from '../http/callers.ts';
import type { Services } from '../services.ts';
import type { StoreRow } from '../tenants.ts';
import { iso } from '../time/instant.ts';
import { deleteEndpoint } from './endpoints/delete-endpoint.ts';
import { addEndpoint, changeEndpoint } from './endpoints/edit-endpoints.ts';
import { type EndpointView, endpointNotices, findEndpoint, listEndpoints } from './endpoints/find-endpoints.ts';
import { type HealthByHour, healthOfStore } from './endpoints/hours.ts';
import { pingEndpoint } from './endpoints/ping-endpoint.ts';
import { resendDelivery, resendMatching } from './endpoints/resend.ts';
import { rotateSecret } from './endpoints/rotate-secret.ts';
import { disableEndpoint, enableEndpoint } from './endpoints/switch-endpoint.ts';
import { countMatching, countMissed, findDelivery, listDeliveries } from './log/delivery-log.ts';

/** Maximum notices shown; the rest are in the history. */
const MAX_NOTICES = 10;
type WebhookRoutes = ConsoleHandlersAt<'/stores/{storeId}/webhooks' | '/stores/{storeId}/orders/deliveries'>;

/** Settings → Integrations → Webhooks: the endpoints of a store and their delivery log. */
export function webhookConsoleRoutes(services: Services): WebhookRoutes {
  const { now } = services;

  /** The endpoint in the path, if it belongs to this store and the store's plan includes webhooks. */
  async function endpointOf({ store, params }: EndpointCall): Promise<EndpointView> {
    requireOptimalPlan(store);
    return findEndpoint(services, params.endpointId, store.id);
  }

  async function refOf(call: EndpointCall) {
    const { id } = await endpointOf(call);
    return { storeId: call.store.id, endpointId: id };
  }

  async function details(endpoint: EndpointView): Promise<EndpointDetails> {
    const { id: endpointId, storeId } = endpoint;
    const health = await healthOfStore(services, storeId);
    const [notices, missed] = await Promise.all([
      endpointNotices(services, endpointId, storeId),
      countMissed(services, { storeId, endpointId }),
    ]);
    return { ...view(endpoint, health(endpointId), now()), notices: notices.slice(0, MAX_NOTICES), missed };
  }

  return {
    async 'GET /stores/{storeId}/webhooks'({ store }) {
      requireOptimalPlan(store);
      const health = await healthOfStore(services, store.id);
      const endpoints = await listEndpoints(services, store.id);
      return { body: endpoints.map((endpoint) => view(endpoint, health(endpoint.id), now())) };
    },
    async 'POST /stores/{storeId}/webhooks'({ store, actor, body }) {
      requireOptimalPlan(store);
      return { body: await addEndpoint(services, store.id, body, undefined, actor) };
    },
    'GET /stores/{storeId}/webhooks/{endpointId}': async (call) => ({ body: await details(await endpointOf(call)) }),
    async 'PATCH /stores/{storeId}/webhooks/{endpointId}'(call) {
      const { id, url } = await endpointOf(call);
      // As for adding an endpoint: the new address gets what the old one got.
      if (call.body.url !== undefined && call.body.url !== url) requireVerified(call.session, now());
      return { body: await details(await changeEndpoint(services, id, call.body, undefined, call.actor)) };
    },
    async 'DELETE /stores/{storeId}/webhooks/{endpointId}'(call) {
      const { id } = await endpointOf(call);
      await deleteEndpoint(services, id, call.actor);
    },
    async 'POST /stores/{storeId}/webhooks/{endpointId}/ping'(call) {
      const { id } = await endpointOf(call);
      const { deliveryId } = await pingEndpoint(services, id, call.actor);
      return { body: { deliveryId } };
    },
    async 'POST /stores/{storeId}/webhooks/{endpointId}/enable'(call) {
      const { id } = await endpointOf(call);
      return { body: await details(await enableEndpoint(services, id, call.body, call.actor)) };
    },
    async 'POST /stores/{storeId}/webhooks/{endpointId}/disable'(call) {
      const { id } = await endpointOf(call);
      return { body: await details(await disableEndpoint(services, id, call.actor)) };
    },
    async 'POST /stores/{storeId}/webhooks/{endpointId}/rotate'(call) {
      const { id } = await endpointOf(call);
      return { body: await rotateSecret(services, id, call.actor) };
    },

    async 'GET /stores/{storeId}/webhooks/{endpointId}/deliveries'(call) {
      const { cursor, ...filter } = call.query;
      return { body: await listDeliveries(services, await refOf(call), filter, { cursor }) };
    },
    async 'GET /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}'(call) {
      return { body: await findDelivery(services, await refOf(call), call.params.deliveryId) };
    },
    async 'POST /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}/resend'(call) {
      const ref = await refOf(call);
      const { id } = await findDelivery(services, ref, call.params.deliveryId);
      await resendDelivery(services, id, call.store.id, call.actor);
      return { body: await findDelivery(services, ref, id) };
    },
    'GET /stores/{storeId}/webhooks/{endpointId}/resend': async (call) => ({
      body: await countMatching(services, await refOf(call), call.query),
    }),
    'POST /stores/{storeId}/webhooks/{endpointId}/resend': async (call) => ({
      body: await resendMatching(services, await refOf(call), call.body, call.actor),
    }),
    'POST /stores/{storeId}/orders/deliveries/{deliveryId}/resend': async ({ store, actor, params }) => ({
      body: await resendDelivery(services, params.deliveryId, store.id, actor),
    }),
  };
}

interface EndpointCall {
  store: StoreRow;
  params: { endpointId: string };
}

const time = (instant: number | null) => (instant === null ? null : iso(instant));

function view(endpoint: EndpointView, health: HealthByHour, now: number): Endpoint {
  const { previousSecretUntil: until } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    isActive: endpoint.isActive,
    disabledReason: endpoint.disabledReason,
    disabledAt: time(endpoint.disabledAt),
    failures: endpoint.consecutiveFailures,
    failingSince: time(endpoint.failingSince),
    previousSecretUntil: until !== null && until > now ? iso(until) : null,
    createdAt: iso(endpoint.createdAt),
    health: { ...health, hours: health.hours.map((hour) => ({ ...hour, at: iso(hour.at) })) },
  };
}
