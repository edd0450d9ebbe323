import { API_PREFIX, type Endpoint, endpoints } from '@store-sales/contract';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { catalogRoutes } from './catalog/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import { type ApiHandlers, bind, type Guard, type Route } from './http/bind.ts';
import type { ApiCaller } from './http/callers.ts';
import { type CachedResponse, responseCache } from './http/response-cache.ts';
import type { Kind } from './http/store-limit.ts';
import { keyRoutes } from './keys/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { statusRoutes } from './orders/statuses/routes.ts';
import { referenceRoutes } from './references/routes.ts';
import { pendingLine } from './requests/line.ts';
import type { RequestLog } from './requests/request-log.ts';
import type { Services } from './services.ts';
import { eventRoutes } from './webhooks/events/routes.ts';

const MIB = 1024 * 1024;

type ApiRoute = Route & Pick<Endpoint, 'right'>;

const routes = Object.entries(endpoints).map(
  ([name, { method, path, right, statuses, ...schemas }]: [string, Endpoint]): ApiRoute => ({
    name,
    method,
    path: API_PREFIX + path,
    right,
    status: statuses[0],
    contentType: 'application/json; charset=utf-8',
    isCompressed: true,
    ...(method === 'POST' && { isRepeatable: true }),
    ...schemas,
  }),
);

/** The public API: the features' handlers, guarded by API keys. */
export function bindApi(
  app: FastifyInstance,
  services: Services,
  guard: Guard<ApiRoute, ApiCaller>,
  requestLog: RequestLog | undefined,
  publicUrl: () => string,
) {
  const handlers: ApiHandlers = {
    ...keyRoutes(),
    ...orderRoutes(services, publicUrl),
    ...statusRoutes(services),
    ...catalogRoutes(services),
    ...customerRoutes(services),
    ...referenceRoutes(services),
    ...eventRoutes(services),
  };
  bind<ApiRoute, ApiCaller>(app, services, {
    routes,
    handlers,
    guard,
    storeIdOf: ({ caller }) => caller.store_id,
    limitOf({ caller }, row) {
      const kind = limitKind(row);
      return kind && { kind, tenantId: caller.store_id };
    },
    ...(requestLog && {
      onResponse: ({ caller }, { path }, request, reply, body) =>
        requestLog.add(caller.store_id, () => pendingLine(caller, path, request, reply, body, services.now())),
    }),
    cache: apiCache(services),
  });
}

/** Reads that take no connection of the pool, or have limits of their own. */
const limitedElsewhere = new Set<string>(['checkKey', 'readOrder', 'listOrders', 'listProducts', 'listCustomers']);

/** undefined if the endpoint uses no connection of the pool or applies its own limit. */
function limitKind({ name, method }: ApiRoute): Kind | undefined {
  if (name === 'createOrder' || name === 'changeOrder') return 'orderWrite';
  if (method !== 'GET') return 'referenceWrite';
  return limitedElsewhere.has(name) ? undefined : 'slowRead';
}

function apiCache({ config, registry }: Services) {
  const cache = responseCache(config.RESPONSE_CACHE_MB * MIB);
  const hits = new Counter({
    name: 'store_sales_response_cache_hits_total',
    help: 'Responses served from the response cache.',
    registers: [registry],
  });
  return {
    get({ caller }: ApiCaller, url: string) {
      const found = cache.get(caller, url);
      if (found) hits.inc();
      return found;
    },
    set({ caller }: ApiCaller, url: string, response: object) {
      cache.set(caller, url, response as CachedResponse);
    },
  };
}
