import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@store-sales/contract';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import type { Static, TObject, TSchema } from 'typebox';
import { admit, authenticator, type Caller } from '../keys/authenticate.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { Kind } from '../store-limit.ts';
import type { Admission } from './admission.ts';
import { rateLimiter } from './rate-limit.ts';
import { type CachedResponse, responseCache } from './response-cache.ts';
import { bodyReader, queryReader } from './validate.ts';

const MIB = 1024 * 1024;

type Read<Schema> = Schema extends TObject ? Static<Schema> : undefined;

/** A request that has passed authentication, authorization and validation. */
export interface Call<Row extends Endpoint> {
  caller: Caller;
  /** The path's parameter, decoded; '' where the path has none. */
  id: string;
  query: Row extends { query: infer Query } ? Read<Query> : undefined;
  body: Row extends { body: infer Body } ? Read<Body> : undefined;
  ifMatch: string | undefined;
  now: number;
  /** Whether the client has closed its connection. */
  isGone(): boolean;
}

export interface ApiResponse<Body> {
  status?: 200 | 201;
  headers?: Record<string, string>;
  /** The record, or the serialized response if the database produced it. */
  body: Body | Buffer;
  /** Depends only on the URL and the store's change number, so it is cacheable until that number changes. */
  cacheableBySeq?: boolean;
}

export type Handler<Row extends Endpoint> = (
  call: Call<Row>,
) => Promise<ApiResponse<Row extends { answer: infer Schema extends TSchema } ? Static<Schema> : never>>;

export type Handlers = { [Name in EndpointName]: Handler<(typeof endpoints)[Name]> };

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** The body was incomplete when the key or session was checked. */
    isBodyLate: boolean;
  }
}

/** The concurrency limit of an endpoint; undefined if it uses no connection of the pool or applies its own limit. */
function limitOf(name: EndpointName, { method }: Endpoint): Kind | undefined {
  if (name === 'createOrder' || name === 'changeOrder') return 'orderWrite';
  if (method !== 'GET') return 'referenceWrite';
  return name === 'checkKey' || name === 'listOrders' || name === 'readOrder' ? undefined : 'slowRead';
}

/** Registers the routes of the endpoint table: key → rate limit → plan → right → validation → handler → response. */
export function bind(app: FastifyInstance, services: Services, handlers: Handlers, identify: Admission['identify']) {
  const authenticate = authenticator(services.db, (error) =>
    services.log.warn({ err: error }, 'failed to update last_used_at'),
  );
  const count = rateLimiter(services.config.RATE_LIMIT_PER_MINUTE);
  const cache = responseCache(services.config.RESPONSE_CACHE_MB * MIB);
  const cacheHits = new Counter({
    name: 'store_sales_response_cache_hits_total',
    help: 'Responses served from the response cache.',
    registers: [services.registry],
  });
  app.decorateRequest('caller', undefined);
  app.decorateRequest('isBodyLate', false);

  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const handle = handlers[name] as Handler<Endpoint>;
    const kind = limitOf(name, endpoint);
    const readQuery = queryReader(endpoint.query);
    const readBody = endpoint.body && bodyReader(endpoint.body);

    app.route<{ Params: { id?: string } }>({
      method: endpoint.method,
      url: API_PREFIX + endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      // Before the body is read: an unauthorized request is refused whatever its body.
      onRequest(request, reply, done) {
        const now = services.now();
        const authorize = (caller: Caller) => {
          request.caller = caller;
          identify(request, caller.store_id);
          count(caller.id, reply, now);
          admit(caller, endpoint.right);
          request.isBodyLate = !request.raw.complete;
        };
        // The router matches an empty parameter.
        if (request.params.id === '') return done(new Refusal('not_found', 'The path is missing an id.'));
        authenticate(request.headers.authorization, now)
          .then(authorize)
          .then(() => done(), done);
      },
      // A body may arrive long after its headers; the key may have been revoked meanwhile.
      preHandler(request, _reply, done) {
        if (!request.isBodyLate) return done();
        authenticate(request.headers.authorization, services.now())
          .then((caller) => {
            request.caller = caller;
            admit(caller, endpoint.right);
          })
          .then(() => done(), done);
      },
      handler(request, reply) {
        const url = request.raw.url as string;
        const caller = request.caller as Caller;
        const send = ({ status = 200, headers, body }: ApiResponse<unknown>) => {
          reply.code(status).type('application/json; charset=utf-8');
          if (headers) reply.headers(headers);
          return reply.send(Buffer.isBuffer(body) ? body : JSON.stringify(body));
        };
        const cached = endpoint.method === 'GET' ? cache.get(caller, url) : undefined;
        if (cached) {
          cacheHits.inc();
          return send(cached);
        }
        const query = readQuery(url);
        if (readBody && request.body === undefined) throw new Refusal('malformed_json', 'The body is empty.');
        const call = {
          caller,
          id: request.params.id ?? '',
          query,
          body: readBody?.(request.body),
          ifMatch: request.headers['if-match'],
          now: services.now(),
          isGone: () => request.raw.socket.destroyed,
        } as unknown as Call<Endpoint>;
        const work = () => handle(call);
        return (kind ? services.limit(kind, caller.store_id, work, call) : work()).then((response) => {
          if (response.cacheableBySeq && Buffer.isBuffer(response.body))
            cache.set(caller, url, response as CachedResponse);
          return send(response);
        });
      },
    });
  }
}
