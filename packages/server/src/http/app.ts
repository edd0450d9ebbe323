import { isUtf8 } from 'node:buffer';
import { API_PREFIX, openapi } from '@store-sales/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { referencePages } from '../apidocs/pages.ts';
import { catalogRoutes } from '../catalog/routes.ts';
import { consoleRoutes } from '../console/routes.ts';
import { customerRoutes } from '../customers/routes.ts';
import { uuid } from '../db/uuid.ts';
import { keyRoutes } from '../keys/routes.ts';
import { moveOrders } from '../orders/move-orders.ts';
import { orderRoutes } from '../orders/routes.ts';
import { referenceRoutes } from '../references/routes.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { VERSION } from '../version.ts';
import { bind, type Handlers } from './bind.ts';
import { sendProblem } from './errors.ts';
import { healthRoutes } from './health.ts';
import { metrics } from './metrics.ts';

const MIB = 1024 * 1024;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,128}$/;

/**
 * The whole HTTP face: API, console, reference, health and metrics. While it is draining it still serves, but asks
 * every client, and the load balancer, to go elsewhere.
 */
export async function buildApp(services: Services, isDraining = () => false): Promise<FastifyInstance> {
  const { config, log, now } = services;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MIB,
    // An external id of 255 characters, each percent-encoded at its longest, and some room.
    routerOptions: { maxParamLength: 4000 },
    genReqId(request) {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && VISIBLE_ASCII.test(given) ? given : uuid(now());
    },
    // Slow clients: 10 s for the headers, 30 s for the whole request, 75 s idle between two (more than proxies keep).
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(publicUrl, error, request, reply),
  });

  const publicUrl = () => {
    if (config.PUBLIC_URL) return config.PUBLIC_URL;
    const address = app.server.address();
    const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
    return `http://${host}:${address && typeof address === 'object' ? address.port : config.PORT}`;
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson);
  app.setErrorHandler((error, request, reply) => sendProblem(publicUrl, error, request, reply));
  const nothingHere = routeMap(app);
  app.setNotFoundHandler((request, reply) => sendProblem(publicUrl, nothingHere(request, reply), request, reply));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    if (isDraining()) reply.header('Connection', 'close');
  });

  // A connection that a request in flight kept busy at the stop is closed as soon as it is idle.
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });

  const meter = metrics(services);
  app.addHook('onResponse', async (request, reply) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    const route = request.routeOptions.url ?? 'none';
    meter.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    // The route, not the address: parameters may hold personal data.
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.caller && { storeId: request.caller.store_id, keyId: request.caller.id }),
      },
      'request',
    );
  });

  const handlers: Handlers = {
    ...keyRoutes(),
    ...orderRoutes(services),
    ...catalogRoutes(services),
    ...customerRoutes(services),
    ...referenceRoutes(services, { moveOrders }),
  };
  bind(app, services, handlers);

  let document: Buffer | undefined;
  app.get(`${API_PREFIX}/openapi.json`, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(openapi(publicUrl(), VERSION)));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  healthRoutes(app, services, meter, isDraining);
  referencePages(app, publicUrl);
  await app.register((scope) => consoleRoutes(scope, services), { prefix: '/console' });
  app.get('/', (_request, reply) => reply.redirect('/console/'));
  return app;
}

function parseJson(_request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) {
  try {
    if (!isUtf8(body)) throw new Refusal('malformed_json', 'The body is not UTF-8.');
    const text = body.toString('utf8');
    done(null, text ? JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) : undefined);
  } catch (error) {
    done(error instanceof Refusal ? error : new Refusal('malformed_json', (error as Error).message));
  }
}

/** Knows which methods each path has, to answer 405 where there are some and 404 where there are none. */
function routeMap(app: FastifyInstance) {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`);
    const route = routes.get(url) ?? { pattern, methods: new Set() };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });

  return function nothingHere(request: FastifyRequest, reply: FastifyReply): Refusal {
    const path = request.url.split('?', 1)[0] as string;
    const methods = [...routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods]);
    if (!methods.length) return new Refusal('not_found', `There is nothing at ${path.slice(0, 200)}.`);
    const allowed = [...new Set(methods)].join(', ');
    reply.header('Allow', allowed);
    return new Refusal('method_not_allowed', `${request.method} is not allowed here; allowed: ${allowed}.`);
  };
}
