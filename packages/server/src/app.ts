import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { API_PREFIX, openapi } from '@store-sales/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { bindApi } from './api.ts';
import { referencePages } from './apidocs/pages.ts';
import { bindConsole } from './console.ts';
import { DomainError } from './domain-error.ts';
import { fileRoutes } from './files/routes.ts';
import { admission } from './http/admission.ts';
import { decorateRequests, hasBody } from './http/bind.ts';
import { trustedProxies } from './http/client-address.ts';
import { StaticText } from './http/compression.ts';
import { refuseConnection, sendProblem } from './http/errors.ts';
import { EventStream } from './http/event-stream.ts';
import { healthRoutes } from './http/health.ts';
import { isInner } from './http/inner-request.ts';
import { readJson } from './http/json.ts';
import { metrics } from './http/metrics.ts';
import { oneAtATime } from './http/pipelining.ts';
import { keyGuard } from './keys/guard.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { VERSION } from './paths.ts';
import { type RequestLog, requestLog } from './requests/request-log.ts';
import type { Services } from './services.ts';
import { robotsRoute } from './shop/robots.ts';
import { shopRoutes } from './shop/routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** undefined if it is turned off. */
    requestLog: RequestLog | undefined;
  }
}

const MIB = 1024 * 1024;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,128}$/;

/** Routes read and write with http/validate.ts and the database's JSON, so Fastify need not load its schema compilers. */
function noSchemas(): never {
  throw new Error('a route must not have a Fastify schema');
}

/**
 * The HTTP server: API, agents, console, API reference, health and metrics. While draining it still serves, but closes
 * connections after each response and reports not ready.
 */
export async function buildApp(services: Services, isDraining = () => false): Promise<FastifyInstance> {
  const { config, log } = services;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // No child logger per request: a request has one log line, which includes its id.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MIB,
    trustProxy: trustedProxies(config.TRUST_PROXY),
    // Fits an external id of 255 percent-encoded characters.
    routerOptions: { maxParamLength: 4000 },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId(request) {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && VISIBLE_ASCII.test(given) ? given : randomUUID();
    },
    ...clientTimeouts(config.REQUEST_TIMEOUT),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(publicUrl, error, request, reply),
    clientErrorHandler: (error, socket) => refuseConnection(publicUrl, error, socket, randomUUID()),
  });

  const publicUrl = () => {
    if (config.PUBLIC_URL) return config.PUBLIC_URL;
    const address = app.server.address();
    const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
    return `http://${host}:${address && typeof address === 'object' ? address.port : config.PORT}`;
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    readJson(body),
  );
  app.setErrorHandler((error, request, reply) => sendProblem(publicUrl, error, request, reply));
  const noRouteError = routeMap(app);
  const { enter, identify, produced } = admission(app.server, services);
  const runInOrder = oneAtATime();
  app.decorateRequest('slot', undefined);
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('X-Request-Id', request.id);
    if (isDraining()) reply.header('Connection', 'close');
    // In a hook, so that an unknown path or method gets 404 or 405 before the key and the body are checked.
    const proceed = () => next(headerError(request) ?? (request.is404 ? noRouteError(request, reply) : undefined));
    runInOrder(reply, () => {
      try {
        const delay = isUncounted(request) ? undefined : enter(request, reply);
        if (delay) void delay.then(proceed);
        else proceed();
      } catch (error) {
        next(error as Error);
      }
    });
  });
  app.addHook('onSend', (request, _reply, payload, next) => {
    // A stream is produced while it is read, except one of events.
    if (!(payload instanceof Readable) || payload instanceof EventStream) produced(request);
    next(null, payload);
  });

  // A client that asks first (`Expect: 100-continue`, as curl does before a large file) sends its body only after its
  // key or session was accepted.
  for (const event of ['checkContinue', 'checkExpectation'] as const)
    app.server.on(event, (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', (request, reply, payload, next) => {
    const { expect, 'content-encoding': encoding = 'identity' } = request.headers;
    // A body of a GET is not read, and refused as such.
    if (request.method !== 'GET' && hasBody(request.headers) && encoding.toLowerCase() !== 'identity')
      return next(new DomainError('unsupported_media_type', 'Send the body without Content-Encoding.'));
    if (expect) reply.raw.writeContinue();
    next(null, payload);
  });

  // On shutdown, busy connections are closed as soon as they are idle. Node does not count a connection without any
  // request (browsers preconnect) as idle and would wait for it.
  let closing = false;
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of sockets) if (!socket.bytesRead) socket.destroy();
  });

  const meter = metrics(services, () => sockets.size);
  app.addHook('onResponse', (request, reply, next) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    const route = request.routeOptions.url ?? 'none';
    meter.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    // The route, not the URL: parameters may contain personal data.
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...request.logIds,
      },
      'request',
    );
    next();
  });

  decorateRequests(app);
  const counter = config.REDIS_URL
    ? (await import('./http/redis-counter.ts')).redisCounter(config.REDIS_URL, services)
    : undefined;
  app.addHook('onClose', async () => counter?.close());
  app.decorate('requestLog', config.REQUEST_LOG_DAYS ? requestLog(services) : undefined);
  app.addHook('onClose', async () => app.requestLog?.stop());
  const guard = keyGuard(services, identify, counter);
  bindApi(app, services, guard, app.requestLog, publicUrl);
  mcpRoutes(app, services, guard, publicUrl, app.requestLog);

  let document: StaticText | undefined;
  app.get(`${API_PREFIX}/openapi.json`, (request, reply) => {
    document ??= new StaticText(JSON.stringify(openapi(publicUrl(), VERSION)));
    return document.send(request, reply.type('application/json; charset=utf-8'));
  });
  healthRoutes(app, services, meter, isDraining);
  fileRoutes(app, services);
  referencePages(app, publicUrl);
  await app.register((scope) => bindConsole(scope, services, identify, publicUrl), { prefix: '/console' });
  await app.register((scope) => shopRoutes(scope, services, publicUrl), { prefix: '/shop' });
  robotsRoute(app, services, publicUrl);
  app.get('/', (_request, reply) => reply.redirect('/console/'));
  return app;
}

/** The request that makes an inner one counts until its own response is produced. */
const isUncounted = (request: FastifyRequest) => request.routeOptions.config.isAlwaysAdmitted || isInner(request);

/** What Node would refuse with an empty response. */
function headerError({ headers, raw }: FastifyRequest): DomainError | undefined {
  if (headers.host === undefined && raw.httpVersion === '1.1')
    return new DomainError('malformed_request', 'The header Host is missing.');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new DomainError('malformed_request', 'The header Expect must be 100-continue.');
  return undefined;
}

/**
 * Timeouts for slow clients. The socket timeout, three times the request timeout, covers clients that do not read their
 * response.
 */
const clientTimeouts = (requestTimeout: number) => ({
  requestTimeout,
  connectionTimeout: requestTimeout * 3,
  // Longer than the idle timeout of common proxies, so that the proxy closes first.
  keepAliveTimeout: 75_000,
  http: {
    // Refused by `headerError`.
    requireHostHeader: false,
    headersTimeout: Math.ceil(requestTimeout / 3),
    maxHeaderSize: 16 * 1024,
    connectionsCheckingInterval: Math.ceil(requestTimeout / 6),
  },
});

/** Records the methods of each path, to respond with 405 instead of 404 for a known path. */
function routeMap(app: FastifyInstance) {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`);
    const route = routes.get(url) ?? { pattern, methods: new Set() };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });

  return function noRouteError(request: FastifyRequest, reply: FastifyReply): DomainError {
    const path = request.url.split('?', 1)[0] as string;
    const methods = [...routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods]);
    if (!methods.length) return new DomainError('not_found', `There is nothing at ${path.slice(0, 200)}.`);
    const allowed = [...new Set(methods)].join(', ');
    reply.header('Allow', allowed);
    return new DomainError('method_not_allowed', `${request.method} is not allowed here; allowed: ${allowed}.`);
  };
}
