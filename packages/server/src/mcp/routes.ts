import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, summary } from '../domain-error.ts';
import type { Admission } from '../http/admission.ts';
import { bind, type Guard, type Route } from '../http/bind.ts';
import type { ApiCaller, KeyCaller } from '../http/callers.ts';
import { type InnerResponse, innerRequest } from '../http/inner-request.ts';
import type { Result } from '../http/result.ts';
import { VERSION } from '../paths.ts';
import { pendingLine } from '../requests/line.ts';
import type { RequestLog } from '../requests/request-log.ts';
import type { Services } from '../services.ts';
import { tools } from './tools.ts';

type McpRoute = Route & { right: null };

const route: McpRoute = {
  name: 'mcp',
  method: 'POST',
  path: '/mcp',
  right: null,
  status: 200,
  contentType: 'application/json; charset=utf-8',
};

/** Revisions of the protocol, newest first. Only the batches of 2025-03-26 are not supported. */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const INSTRUCTIONS =
  'The tools are the operations of the Store Sales API for one store. Amounts are integers in kopecks: 150000 means 1500.00. ' +
  'Lists come in pages: pass `page.nextCursor` as `cursor` until it is null. A failed call returns a problem document; ' +
  '`errors` names each wrong argument. Repeat a creation safely with the same `idempotencyKey`.';

/** Response headers of the API that a tool's result includes. */
const RESULT_HEADERS = ['ETag', 'Idempotent-Replayed', 'Retry-After'];

/** As for pages of orders. */
const LARGE_RESULT_BYTES = 256 * 1024;

/** As for a request from outside (`maxHeaderSize`): what reads URLs and headers relies on it. */
const MAX_PARAMETERS_LENGTH = 16 * 1024;

/** JSON-RPC error codes. */
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

type Params = Record<string, unknown>;

interface Message {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params?: Params;
}

/**
 * The Model Context Protocol over HTTP, without sessions: each message is a request of its own, so it works on any
 * number of nodes. Key, rate limit and plan are checked before the message is read, as for the API.
 */
export function mcpRoutes(
  app: FastifyInstance,
  services: Services,
  guard: Guard<McpRoute, ApiCaller>,
  produced: Admission['produced'],
  publicUrl: () => string,
  requestLog: RequestLog | undefined,
) {
  async function callTool({ name, arguments: args = {} }: Params, caller: KeyCaller, request: FastifyRequest) {
    const tool = tools.get(name as string);
    if (!tool) return rejection(INVALID_PARAMS, `Unknown tool ${shown(name)}; tools/list has the names.`);
    if (!isObject(args)) return rejection(INVALID_PARAMS, 'arguments must be an object.');
    const inner = tool.requestFor(args);
    if (inner.url.length + Object.values(inner.headers).join('').length > MAX_PARAMETERS_LENGTH)
      return rejection(INVALID_PARAMS, 'The id, the parameters and the headers together exceed 16 KiB.');
    // The request of the tool is counted instead.
    produced(request);
    const response = await innerRequest(app, request, inner);
    // As reading it does: a large result blocks the event loop for a while, also if it comes from the response cache. The
    // call has been carried out, so this waits without a timeout.
    const kind = response.body.length < LARGE_RESULT_BYTES ? 'itemsRead' : 'largeRead';
    const format = async () => success(resultOf(response));
    return services.limit(kind, caller.store_id, format, { isStreaming: true });
  }

  async function handle({ method, params = {} }: Message, caller: KeyCaller, request: FastifyRequest) {
    if (method === 'tools/call') return callTool(params, caller, request);
    if (method === 'ping') return success(jsonOf({}));
    if (method === 'initialize') return success(jsonOf(initialized(params)));
    if (method !== 'tools/list') return rejection(METHOD_NOT_FOUND, `Unknown method ${shown(method)}.`);
    const admitted = [...tools.values()].filter(({ right }) => right === null || caller.rightSet.has(right));
    return success(jsonOf({ tools: admitted.map(({ definition }) => definition) }));
  }

  bind(app, services, {
    routes: [route],
    guard,
    handlers: {
      async mcp({ caller, request }: ApiCaller & { request: FastifyRequest }): Promise<Result<never>> {
        checkHeaders(request, publicUrl());
        const message = readMessage(request.body);
        // Notifications, and responses to requests that this server never makes.
        if (message.method === undefined || message.id === undefined) return { status: 202, body: Buffer.alloc(0) };
        const { result, error } = await handle(message, caller, request);
        const beginning = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"${error ? 'error' : 'result'}":`;
        return { body: Buffer.concat([Buffer.from(beginning), error ?? result, Buffer.from('}')]) };
      },
    },
    storeIdOf: ({ caller }) => caller.store_id,
    limitOf: () => undefined,
    // Of those that are accepted, the request of the tool leaves a line.
    ...(requestLog && {
      onResponse(
        { caller }: ApiCaller,
        { path }: McpRoute,
        request: FastifyRequest,
        reply: FastifyReply,
        body: unknown,
      ) {
        if (reply.statusCode >= 400)
          requestLog.add(caller.store_id, () => pendingLine(caller, path, request, reply, body, services.now()));
      },
    }),
  });
}

/**
 * Built from bytes: decoding, parsing and serializing a page of orders takes longer than reading it. As Latin-1 each byte
 * is a character, and those above ASCII need no escape.
 */
function resultOf({ status, header, body }: InnerResponse): Buffer {
  const headers = RESULT_HEADERS.filter((name) => header(name) !== undefined);
  const others = headers.map((name) => `,${JSON.stringify({ type: 'text', text: `${name}: ${header(name)}` })}`);
  const json = body.toString('latin1');
  const content = `[{"type":"text","text":${JSON.stringify(json)}}${others.join('')}]`;
  return Buffer.from(`{"content":${content},"structuredContent":${json},"isError":${status >= 400}}`, 'latin1');
}

const jsonOf = (value: object) => Buffer.from(JSON.stringify(value));
/** The result as JSON. */
const success = (result: Buffer) => ({ result, error: undefined });
const rejection = (code: number, message: string) => ({ result: undefined, error: jsonOf({ code, message }) });
const shown = (name: unknown) => JSON.stringify(name)?.slice(0, 100);

const initialized = ({ protocolVersion }: Params) => ({
  protocolVersion: PROTOCOL_VERSIONS.find((version) => version === protocolVersion) ?? PROTOCOL_VERSIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name: 'store-sales', title: 'Store Sales', version: VERSION },
  instructions: INSTRUCTIONS,
});

/** The protocol demands the check of the origin: a page of another site must not reach a service on this machine. */
function checkHeaders({ headers: { origin, 'mcp-protocol-version': version } }: FastifyRequest, publicUrl: string) {
  if (origin !== undefined && origin !== new URL(publicUrl).origin)
    throw new DomainError('cross_site', 'Requests from the pages of other sites are not accepted.');
  if (version === undefined || PROTOCOL_VERSIONS.includes(String(version))) return;
  const message = `must be one of ${PROTOCOL_VERSIONS.join(', ')}`;
  const fieldErrors = [{ parameter: 'MCP-Protocol-Version', code: 'not_allowed' as const, message }];
  throw new DomainError('invalid_parameter', summary(fieldErrors), fieldErrors);
}

function readMessage(body: unknown): Message {
  const isMessage =
    isObject(body) &&
    body.jsonrpc === '2.0' &&
    ['undefined', 'string', 'number'].includes(typeof body.id) &&
    ['undefined', 'string'].includes(typeof body.method) &&
    (body.params === undefined || isObject(body.params));
  if (isMessage) return body as unknown as Message;
  const message = 'must be one JSON-RPC 2.0 message; batches are not supported';
  const fieldErrors = [{ pointer: '', code: 'wrong_type' as const, message }];
  throw new DomainError('invalid_body', summary(fieldErrors), fieldErrors);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
