import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { EndpointName, endpoints, PathParams } from '@store-sales/contract';
import type { ConsoleEndpoint, ConsoleRoute, consoleEndpoints, Stream } from '@store-sales/contract/console';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { type AnyFieldError, DomainError, summary } from '../domain-error.ts';
import type { Services } from '../services.ts';
import type { Kind } from '../store-limit.ts';
import type { ApiCaller, ConsoleCaller } from './callers.ts';
import { keyErrors, keyOf, type Write, writeOnce } from './idempotency.ts';
import type { Result } from './result.ts';
import { bodyReader, MAX_FIELD_ERRORS, queryReader, readableQuery } from './validate.ts';

type Input<Row, Part extends 'query' | 'body'> = Row extends { [Key in Part]: infer Schema extends TObject }
  ? Static<Schema>
  : undefined;

/** A request that has passed authentication, authorization and validation. */
export type Call<Path extends string, Row, Caller> = Caller & {
  params: PathParams<Path>;
  query: Input<Row, 'query'>;
  body: Input<Row, 'body'>;
  ifMatch: string | undefined;
  now: number;
  /** A creation makes its changes in here; see `Write`. */
  write: Write;
  /** Whether the client has closed its connection. */
  isGone(): boolean;
  request: FastifyRequest;
  reply: FastifyReply;
};

type ApiRow<Name extends EndpointName> = (typeof endpoints)[Name];
export type ApiCall<Name extends EndpointName> = Call<ApiRow<Name>['path'], ApiRow<Name>, ApiCaller>;
/** A handler for each row of the API's table. */
export type ApiHandlers = {
  [Name in EndpointName]: (call: ApiCall<Name>) => Promise<Result<Static<ApiRow<Name>['response']>>>;
};

type ConsoleRow<Route extends ConsoleRoute> = (typeof consoleEndpoints)[Route];
export type ConsoleCall<Route extends ConsoleRoute> = Call<
  Route,
  ConsoleRow<Route>,
  ConsoleCaller<ConsoleRow<Route>['access']>
>;
type ConsoleResponse<Row extends ConsoleEndpoint> = Row['response'] extends infer Schema extends TSchema
  ? Promise<Result<Static<Schema>> | (Row extends { mayBeEmpty: true } ? undefined : never)>
  : Row['response'] extends Stream
    ? Promise<Result<Readable>>
    : Promise<void>;
/** A handler for each row of the console's table. */
export type ConsoleHandlers = {
  [Route in ConsoleRoute]: (call: ConsoleCall<Route>) => ConsoleResponse<ConsoleRow<Route>>;
};

/** The handlers of the console's rows at a path and below it. */
export type ConsoleHandlersAt<Path extends string> = Pick<
  ConsoleHandlers,
  Extract<ConsoleRoute, `${string} ${Path}` | `${string} ${Path}/${string}`>
>;

/** A short list, returned whole. */
export const onePage = <Record>(data: Record[]) => ({ body: { data, page: { nextCursor: null, hasMore: false } } });

/** A row of either table, with what the binder needs. */
export interface Route {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: TObject;
  body?: TObject;
  /** Accepts the header `Idempotency-Key`. Its path has no id other than the store's. */
  isRepeatable?: true;
  upload?: true;
  status: number;
  contentType: string;
}

/** Decides who may call a row. */
export interface Guard<Row extends Route, Caller> {
  /** Throws without a valid key or session. Runs again if the body arrives late. */
  authenticate(request: FastifyRequest, reply: FastifyReply, row: Row): Promise<Caller>;
  /** Runs once for each request; returns a promise if it has to wait. */
  count(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined;
  /** Throws if the caller may not call the row. */
  authorize(caller: Caller, row: Row): void;
}

/** A request that was rejected. `query` or `body` is as it was sent, and may be anything; the other one is empty. */
export interface RejectedRequest {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  /** Whether no error is known at these fields of the body. */
  isSound(...pointers: string[]): boolean;
}

/** For a row, the errors of a rejected request that only rules and records show, so that it is told all at once. */
export type MoreErrors = Record<string, (storeId: string, request: RejectedRequest) => Promise<AnyFieldError[]>>;

export interface Face<Row extends Route, Caller> {
  routes: readonly Row[];
  // biome-ignore lint/suspicious/noExplicitAny: each handler has the type of its own row.
  handlers: Record<string, (call: any) => Promise<unknown>>;
  guard: Guard<Row, Caller>;
  moreErrors?: MoreErrors;
  /** The store of a caller of a row that is repeatable or has more errors. */
  storeIdOf(caller: Caller): string;
  /** The concurrency limit that a call counts against, and whose it is; undefined for none. */
  limitOf(caller: Caller, row: Row): { kind: Kind; tenantId: string } | undefined;
  /** Called with the response of each request with a valid key or session. */
  onResponse?(caller: Caller, row: Row, request: FastifyRequest, reply: FastifyReply, body: unknown): void;
  cache?: {
    get(caller: Caller, url: string): Result<unknown> | undefined;
    set(caller: Caller, url: string, result: Result<unknown>): void;
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: unknown;
    /** The body was incomplete when the key or session was checked. */
    isBodyLate: boolean;
    /** Ids for the log line of the request. */
    logIds: { storeId?: string; keyId?: string } | undefined;
  }
}

/** Declares what `bind` stores in a request; once for the whole server. */
export function decorateRequests(app: FastifyInstance) {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('isBodyLate', false);
  app.decorateRequest('logIds', undefined);
}

/** Registers the routes of a table: authenticate → count → authorize → validate → handler → response. */
export function bind<Row extends Route, Caller extends object>(
  app: FastifyInstance,
  services: Services,
  { routes, handlers, guard, moreErrors, storeIdOf, limitOf, onResponse, cache }: Face<Row, Caller>,
) {
  const writeAlways: Write = (work) => work(services.db);
  for (const row of routes) {
    const handle = handlers[row.name] as (call: object) => Promise<Result<unknown> | undefined>;
    const readQuery = queryReader(row.query);
    const readBody = row.body && bodyReader(row.body);
    const findMoreErrors = moreErrors?.[row.name];

    const limited = <Done>(caller: Caller, request: FastifyRequest, work: () => Promise<Done>): Promise<Done> => {
      const limit = limitOf(caller, row);
      return limit ? services.limit(limit.kind, limit.tenantId, work, { isGone: () => isGone(request) }) : work();
    };

    async function withMoreErrors(error: unknown, request: FastifyRequest) {
      if (!findMoreErrors || !isAboutFields(error)) return error;
      const isBody = error.code === 'invalid_body';
      const rejected: RejectedRequest = {
        params: request.params as Record<string, string>,
        query: isBody ? {} : readableQuery(request.raw.url as string),
        body: isBody ? request.body : undefined,
        isSound: (...pointers) => isBody && !isAnyAt(error.fieldErrors as readonly AnyFieldError[], pointers),
      };
      const caller = request.caller as Caller;
      return merged(error, await limited(caller, request, () => findMoreErrors(storeIdOf(caller), rejected)));
    }

    app.route<{ Params: Record<string, string> }>({
      method: row.method,
      url: row.path.replace(/\{(\w+)\}/g, ':$1'),
      // Before the body is read: an unauthorized request is rejected whatever its body.
      onRequest(request, reply, done) {
        guard
          .authenticate(request, reply, row)
          .then((caller) => {
            request.caller = caller;
            return guard.count(caller, request, reply);
          })
          .then(() => {
            guard.authorize(request.caller as Caller, row);
            request.isBodyLate = !request.raw.complete;
          })
          .then(() => done(), done);
      },
      // A body may arrive long after its headers; the key may have been revoked or the session ended meanwhile.
      preHandler(request, reply, done) {
        if (row.upload || !request.isBodyLate) return done();
        guard
          .authenticate(request, reply, row)
          .then((caller) => {
            request.caller = caller;
            guard.authorize(caller, row);
          })
          .then(() => done(), done);
      },
      ...(onResponse && {
        onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: (error: null) => void) {
          // 401: the key was revoked while the body arrived.
          if (request.caller && reply.statusCode !== 401)
            onResponse(request.caller as Caller, row, request, reply, payload);
          done(null);
        },
      }),
      handler(request, reply) {
        const url = request.raw.url as string;
        const caller = request.caller as Caller;
        const send = (result: Result<unknown> | undefined) => {
          if (!result) return reply.code(204).send();
          const { status = row.status, headers, body } = result;
          reply.code(status).type(row.contentType);
          if (headers) reply.headers(headers);
          return reply.send(Buffer.isBuffer(body) || body instanceof Readable ? body : JSON.stringify(body));
        };
        if (row.method === 'GET' && hasBody(request.headers))
          throw new DomainError('malformed_request', 'A GET has no body; its parameters are in the URL.');
        const cached = row.method === 'GET' ? cache?.get(caller, url) : undefined;
        if (cached) return send(cached);
        const rejected = (error: unknown) =>
          withMoreErrors(error, request).then((complete) => {
            throw complete;
          });
        let query: object;
        let params: Record<string, string>;
        let body: unknown;
        try {
          query = readQuery(url, row.isRepeatable && keyErrors(request));
          params = checkedParams(request.params);
          body = readBody ? readBody(jsonBody(request.body)) : undefined;
        } catch (error) {
          return rejected(error);
        }
        const key = row.isRepeatable && keyOf(request);
        const call = {
          params,
          query,
          body,
          ifMatch: request.headers['if-match'],
          now: services.now(),
          write:
            key === undefined
              ? writeAlways
              : writeOnce(services, { storeId: storeIdOf(caller), path: row.path, key }, body, row.status),
          isGone: () => isGone(request),
          request,
          reply,
          // Last: an object that begins with a spread is ten times as slow to build (11 µs a request).
          ...caller,
        };
        if (row.upload && !(request.body instanceof Readable))
          throw new DomainError('unsupported_media_type', 'Send the file as text/csv.');
        return limited(caller, request, () => handle(call)).then((result) => {
          if (result?.cacheableBySeq) cache?.set(caller, url, result);
          return send(result);
        }, rejected);
      },
    });
  }
}

/** The router matches empty parameters. Stored text never contains NUL, and PostgreSQL rejects it. */
function checkedParams(params: Record<string, string>) {
  for (const name in params)
    if (!params[name] || params[name].includes('\0')) throw new DomainError('not_found', 'There is no such record.');
  return params;
}

const isGone = ({ raw }: FastifyRequest) => raw.socket.destroyed;

/** Fastify does not read the body of a GET. */
export const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function jsonBody(body: unknown) {
  if (body === undefined) throw new DomainError('malformed_json', 'The body is empty.');
  if (body instanceof Readable) throw new DomainError('unsupported_media_type', 'Send the body as application/json.');
  return body;
}

const isAboutFields = (error: unknown): error is DomainError =>
  error instanceof DomainError && ['invalid_body', 'invalid_parameter', 'unknown_parameter'].includes(error.code);

/** Whether an error is at the body as a whole, at one of these fields or below, or may be, because the list was cut. */
const isAnyAt = (fieldErrors: readonly AnyFieldError[], pointers: readonly string[]) =>
  fieldErrors.length >= MAX_FIELD_ERRORS ||
  fieldErrors.some(({ pointer }) => pointer === '' || pointers.some((field) => `${pointer}/`.startsWith(`${field}/`)));

/** The error with more field errors; a field that has one keeps it. */
function merged(error: DomainError, more: readonly AnyFieldError[]): DomainError {
  const known = error.fieldErrors as readonly AnyFieldError[];
  const placeOf = ({ pointer, parameter }: AnyFieldError) => pointer ?? parameter;
  const added = more.filter((each) => !known.some((other) => placeOf(other) === placeOf(each)));
  if (!added.length) return error;
  const all = [...known, ...added].slice(0, MAX_FIELD_ERRORS);
  return new DomainError(error.code === 'unknown_parameter' ? 'invalid_parameter' : error.code, summary(all), all);
}
