import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { EndpointName, endpoints, FieldError, PathParams } from '@store-sales/contract';
import type { ConsoleEndpoint, ConsoleRoute, consoleEndpoints, Stream } from '@store-sales/contract/console';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import type { Services } from '../services.ts';
import type { ApiCaller, ConsoleCaller } from './callers.ts';
import { acceptedEncoding, compress, compressNow, type Encoding, isCompressible } from './compression.ts';
import { keyErrors, keyOf, type Write, writeAlways, writeOnce } from './idempotency.ts';
import { IF_MATCH } from './if-match.ts';
import { isKnown, tagOf } from './if-none-match.ts';
import { LongResponse, LongWork, openResponses } from './long-work.ts';
import type { Result } from './result.ts';
import type { Kind } from './store-limit.ts';
import { bodyReader, queryReader } from './validate.ts';

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
  /** Throws if the caller may not call the row any more; for work that has waited, or in a transaction. */
  check(db?: Queryable): Promise<void>;
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
> &
  (ConsoleRow<Route> extends { upload: readonly string[] } | { response: Stream } ? { work: LongWork } : unknown);
type ConsoleResponse<Row extends ConsoleEndpoint> = Row['response'] extends infer Schema extends TSchema
  ? Promise<Result<Static<Schema>> | (Row extends { mayBeEmpty: true } ? undefined : never)>
  : Row['response'] extends Stream
    ? Promise<Result<LongResponse>>
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
  /** The types of the file that it receives. */
  upload?: readonly string[];
  /** Receives a file or responds with a stream. */
  isLong?: true;
  /** Large responses are compressed, and those to a GET have an `ETag`. */
  isCompressed?: true;
  /** Maximum streams of one tenant that are open at once. An upload has none: it is limited where it runs. */
  maxOpen?: number;
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
  /** Whether the caller may still call the row, for work that lasts longer; throws if not. Nothing else is changed. */
  check(request: FastifyRequest, row: Row, db: Queryable): Promise<void>;
}

export interface RouteTable<Row extends Route, Caller> {
  routes: readonly Row[];
  // biome-ignore lint/suspicious/noExplicitAny: each handler has the type of its own row.
  handlers: Record<string, (call: any) => Promise<unknown>>;
  guard: Guard<Row, Caller>;
  /** The store of a caller of a row that is repeatable. */
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

/** Registers the routes of a table. */
export function bind<Row extends Route, Caller extends object>(
  app: FastifyInstance,
  services: Services,
  table: RouteTable<Row, Caller>,
) {
  for (const row of table.routes) bindRow(app, services, table, row);
}

/** The steps of a request, in order: enter → enterAgain, once its body has arrived → readCall → run → encode → send. */
function bindRow<Row extends Route, Caller extends object>(
  app: FastifyInstance,
  services: Services,
  { handlers, guard, storeIdOf, limitOf, onResponse, cache }: RouteTable<Row, Caller>,
  row: Row,
) {
  const { db, now } = services;
  const handle = handlers[row.name] as (call: object) => Promise<Result<unknown> | undefined>;
  const readQuery = queryReader(row.query);
  const readBody = row.body && bodyReader(row.body);
  const write = writeAlways(db);
  const streams = row.maxOpen === undefined ? undefined : openResponses(row.maxOpen);
  const callerOf = (request: FastifyRequest) => request.caller as Caller;
  const checkAgain = (request: FastifyRequest, tx: Queryable = db) => guard.check(request, row, tx);

  /** Before the body is read: an unauthorized request is rejected whatever its body. */
  async function enter(request: FastifyRequest, reply: FastifyReply) {
    const caller = await guard.authenticate(request, reply, row);
    request.caller = caller;
    await guard.count(caller, request, reply);
    guard.authorize(caller, row);
    request.isBodyLate = !request.raw.complete;
  }

  /** A body may arrive long after its headers; the key may have been revoked or the session ended meanwhile. */
  async function enterAgain(request: FastifyRequest, reply: FastifyReply) {
    const caller = await guard.authenticate(request, reply, row);
    request.caller = caller;
    guard.authorize(caller, row);
  }

  function requireNoBody({ headers }: FastifyRequest) {
    if (row.method === 'GET' && hasBody(headers))
      throw new DomainError('malformed_request', 'A GET has no body; its parameters are in the URL.');
  }

  /** Validates the request and gives the handler what it needs. */
  function readCall(request: FastifyRequest, reply: FastifyReply) {
    const caller = callerOf(request);
    const query = readQuery(request.raw.url as string, row.isRepeatable ? keyErrors(request) : ifMatchErrors(request));
    const params = checkedParams(request.params as Record<string, string>);
    const body = readBody ? readBody(jsonBody(request.body)) : undefined;
    const key = row.isRepeatable && keyOf(request);
    const once = () => ({ storeId: storeIdOf(caller), path: row.path, key: key as string });
    const call = {
      params,
      query,
      body,
      ifMatch: request.headers['if-match'],
      now: now(),
      write: key === undefined ? write : writeOnce(services, once(), body, row.status),
      isGone: () => isGone(request),
      check: (tx?: Queryable) => checkAgain(request, tx),
      request,
      reply,
      // Last: an object that begins with a spread is ten times as slow to build (11 µs a request).
      ...caller,
    };
    if (row.upload && !(request.body instanceof Readable && row.upload.includes(typeOf(request))))
      throw new DomainError('unsupported_media_type', `Send the file as ${row.upload.join(', ')}.`);
    return row.isLong ? Object.assign(call, { work: longWork(request) }) : call;
  }

  function longWork(request: FastifyRequest) {
    const file = row.upload && (request.body as Readable);
    // The handler gets it from its work only.
    if (file) request.body = undefined;
    return new LongWork({
      db,
      check: (tx) => checkAgain(request, tx),
      isGone: () => isGone(request),
      limit: (piece) => withinLimit(request, piece, true),
      file,
    });
  }

  function withinLimit<Done>(request: FastifyRequest, work: () => Promise<Done>, isStreaming = false): Promise<Done> {
    const limited = limitOf(callerOf(request), row);
    if (!limited) return work();
    const options = { isGone: () => isGone(request), check: () => checkAgain(request), isStreaming };
    return services.limit(limited.kind, limited.tenantId, work, options);
  }

  function run(request: FastifyRequest, reply: FastifyReply, call: object) {
    if (streams) whenClosed(reply, streams.open(limitOf(callerOf(request), row)?.tenantId ?? ''));
    return withinLimit(request, () => handle(call));
  }

  /** Adds the version and the next page to the response of a compressed row, and compresses it unless the client has this version. */
  async function encode(request: FastifyRequest, result: Result<unknown>) {
    const tagged = withHeaders(row, request.raw.url as string, result);
    const encoding = acceptedEncoding(request);
    const isSent = !tagged.headers?.ETag || !isKnown(request, tagged.headers.ETag);
    if (!encoding || !isSent || !isCompressible(tagged.body)) return tagged;
    const storeId = storeIdOf(callerOf(request));
    return services.limit('compression', storeId, () => compressed(tagged, encoding), {
      isGone: () => isGone(request),
    });
  }

  function send(request: FastifyRequest, reply: FastifyReply, result: Result<unknown> | undefined) {
    if (!result) return reply.code(204).send();
    const { status = row.status, headers, body } = result;
    if (headers) reply.headers(headers);
    if (headers?.ETag && isKnown(request, headers.ETag)) return reply.code(304).send();
    reply.code(status).type(row.contentType);
    return reply.send(Buffer.isBuffer(body) || body instanceof LongResponse ? body : JSON.stringify(body));
  }

  app.route({
    method: row.method,
    url: row.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest(request, reply, done) {
      enter(request, reply).then(() => done(), done);
    },
    preHandler(request, reply, done) {
      if (row.upload || !request.isBodyLate) return done();
      enterAgain(request, reply).then(() => done(), done);
    },
    handler(request, reply) {
      requireNoBody(request);
      const caller = callerOf(request);
      const url = request.raw.url as string;
      const encoding = row.isCompressed && acceptedEncoding(request);
      const cacheKey = encoding ? `${encoding} ${url}` : url;
      const cached = row.method === 'GET' ? cache?.get(caller, cacheKey) : undefined;
      if (cached) return send(request, reply, cached);
      return run(request, reply, readCall(request, reply))
        .then((result) => (result && row.isCompressed ? encode(request, result) : result))
        .then((result) => {
          if (result?.cacheableBySeq) cache?.set(caller, cacheKey, result);
          return send(request, reply, result);
        });
    },
    onSend(request, reply, payload, done) {
      // 401: the key was revoked while the body arrived.
      if (onResponse && request.caller && reply.statusCode !== 401)
        onResponse(callerOf(request), row, request, reply, payload);
      done(null, row.isCompressed ? compressedProblem(request, reply, payload) : payload);
    },
  });
}

type Serialized = Result<unknown> & { body: Buffer };

/** The end of a page that is not the last. Quotation marks in texts are escaped, so that no record looks like it. */
const NEXT_CURSOR = /"page":\{"nextCursor":"([^"]+)"[^{}]*\}\}$/;
const MAX_PAGE_BYTES = 1000;

/** The address of the next page as a header (RFC 8288), for clients that follow it. */
function linkToNext(url: string, body: Buffer): string | undefined {
  const cursor = NEXT_CURSOR.exec(body.subarray(-MAX_PAGE_BYTES).toString('latin1'))?.[1];
  if (cursor === undefined) return undefined;
  const [path, query] = url.split('?');
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return `<${path}?${next}>; rel="next"`;
}

/** The serialized response; to a GET, with its version unless it has one, and with the address of the next page. */
function withHeaders({ method }: Route, url: string, result: Result<unknown>): Serialized {
  const body = Buffer.isBuffer(result.body) ? result.body : Buffer.from(JSON.stringify(result.body));
  const headers = { ...result.headers };
  if (method === 'GET') {
    headers.ETag ??= tagOf(body);
    const link = linkToNext(url, body);
    if (link) headers.Link = link;
  }
  if (isCompressible(body)) headers.Vary = 'Accept-Encoding';
  return { ...result, headers, body };
}

/** With the same tag: it is the version of what the body says, and nothing asks for ranges of its bytes. */
async function compressed(result: Serialized, encoding: Encoding): Promise<Serialized> {
  const headers = { ...result.headers, 'Content-Encoding': encoding };
  return { ...result, headers, body: await compress(result.body, encoding) };
}

/** Problem documents are short: what lists many errors is compressed at once. */
function compressedProblem(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (typeof payload !== 'string' || !isCompressible(payload)) return payload;
  reply.header('Vary', 'Accept-Encoding');
  const encoding = acceptedEncoding(request);
  if (!encoding) return payload;
  reply.header('Content-Encoding', encoding);
  return compressNow(payload, encoding);
}

/** The router matches empty parameters. Stored text never contains NUL, and PostgreSQL rejects it. */
function checkedParams(params: Record<string, string>) {
  for (const name in params)
    if (!params[name] || params[name].includes('\0')) throw new DomainError('not_found', 'There is no such record.');
  return params;
}

/** The content type without its parameters. */
export const typeOf = ({ headers }: FastifyRequest) =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isGone = ({ raw }: FastifyRequest) => raw.socket.destroyed;

/** When the response has been sent, or its client has gone. */
export function whenClosed({ raw }: FastifyReply, run: () => void) {
  if (raw.closed || raw.destroyed) run();
  else raw.once('close', run);
}

/** The errors of the header `If-Match`, which only changes heed. */
function ifMatchErrors({ method, headers: { 'if-match': ifMatch } }: FastifyRequest): FieldError[] {
  if (method === 'GET' || ifMatch === undefined || IF_MATCH.test(ifMatch)) return [];
  const message = 'must be *, or the ETag of a response with its quotation marks, such as "5227"';
  return [{ parameter: 'If-Match', code: 'invalid_format', message }];
}

/** Fastify does not read the body of a GET. */
export const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function jsonBody(body: unknown) {
  if (body === undefined) throw new DomainError('malformed_json', 'The body is empty.');
  if (body instanceof Readable) throw new DomainError('unsupported_media_type', 'Send the body as application/json.');
  return body;
}
