import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';
import { bind, type Call, type Guard, type Route, whenClosed } from '../http/bind.ts';
import type { ApiCaller } from '../http/callers.ts';
import { innerRequest } from '../http/inner-request.ts';
import type { Result } from '../http/result.ts';
import { pendingLine } from '../requests/line.ts';
import type { RequestLog } from '../requests/request-log.ts';
import type { Services } from '../services.ts';
import {
  discovered,
  INVALID_PARAMS,
  initialized,
  isModern,
  isObject,
  listCaching,
  METHOD_NOT_FOUND,
  type Message,
  modernFields,
  type Params,
  RpcError,
  readMessage,
  shown,
} from './protocol.ts';
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

/** As for a request from outside (`maxHeaderSize`): what reads URLs and headers relies on it. */
const MAX_PARAMETERS_LENGTH = 16 * 1024;

type McpCall = ApiCaller & Pick<Call<'/mcp', McpRoute, ApiCaller>, 'request' | 'reply'>;

/** The fields of a result as JSON, without the braces. */
type Fields = Buffer;

const fieldsOf = (result: object): Fields => Buffer.from(JSON.stringify(result).slice(1, -1));

/**
 * The Model Context Protocol over HTTP, without sessions: each message is a request of its own, so it works on any
 * number of nodes. Key, rate limit and plan are checked before the message is read, as for the API.
 */
export function mcpRoutes(
  app: FastifyInstance,
  services: Services,
  guard: Guard<McpRoute, ApiCaller>,
  publicUrl: () => string,
  requestLog: RequestLog | undefined,
) {
  async function callTool({ name, arguments: args = {} }: Params, { caller, request, reply }: McpCall) {
    const tool = tools.get(name as string);
    if (!tool) throw new RpcError(INVALID_PARAMS, `Unknown tool ${shown(name)}; tools/list has the names.`);
    if (!isObject(args)) throw new RpcError(INVALID_PARAMS, 'arguments must be an object.');
    const inner = tool.requestFor(args);
    if (inner.url.length + Object.values(inner.headers).join('').length > MAX_PARAMETERS_LENGTH)
      throw new RpcError(INVALID_PARAMS, 'The id, the parameters and the headers together exceed 16 KiB.');
    return new Promise<Fields>((resolve, reject) => {
      const run = async () => {
        resolve(tool.resultOf(await innerRequest(app, request, inner)));
        // A result takes memory until it is sent. Another call of the store waits, which takes none.
        await new Promise<void>((close) => whenClosed(reply, close));
      };
      const isGone = () => request.raw.socket.destroyed;
      services.limit('toolCall', caller.store_id, run, { isGone }).catch(reject);
    });
  }

  async function listTools({ caller }: McpCall) {
    const admitted = [...tools.values()].filter(({ right }) => right === null || caller.rightSet.has(right));
    return fieldsOf({ tools: admitted.map(({ definition }) => definition), ...listCaching });
  }

  /** The methods of all revisions; those below are of some only. */
  const methods: Record<string, (params: Params, call: McpCall) => Promise<Fields>> = {
    'tools/call': callTool,
    'tools/list': (_, call) => listTools(call),
  };
  const modernMethods: typeof methods = { ...methods, 'server/discover': async () => fieldsOf(discovered) };
  const handshakeMethods: typeof methods = {
    ...methods,
    initialize: async (params) => fieldsOf(initialized(params)),
    ping: async () => fieldsOf({}),
  };

  async function resultOf(message: Message, call: McpCall): Promise<Buffer> {
    const { method = '', params = {} } = message;
    const modern = isModern(message, call.request.headers);
    const known = modern ? modernMethods : handshakeMethods;
    if (!Object.hasOwn(known, method))
      throw new RpcError(METHOD_NOT_FOUND, `Unknown method ${shown(method)}.`, modern ? 404 : 200);
    const fields = await (known[method] as (typeof methods)[string])(params, call);
    const parts = modern ? [fields, fieldsOf(modernFields)] : [fields];
    return Buffer.concat(parts.flatMap((part, index) => (index ? [Buffer.from(','), part] : [part])));
  }

  bind(app, services, {
    routes: [route],
    guard,
    handlers: {
      async mcp(call: McpCall): Promise<Result<never>> {
        checkOrigin(call.request, publicUrl());
        const message = readMessage(call.request.body);
        // Notifications, and responses to requests that this server never makes.
        if (message.method === undefined || message.id === undefined) return { status: 202, body: Buffer.alloc(0) };
        const beginning = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)}`;
        try {
          const result = await resultOf(message, call);
          return { body: Buffer.concat([Buffer.from(`${beginning},"result":{`), result, Buffer.from('}}')]) };
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          const { status, code, message: text, data } = error;
          const body = Buffer.from(`${beginning},"error":${JSON.stringify({ code, message: text, data })}}`);
          return { status, body };
        }
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

/** The protocol demands this: a page of another site must not reach a service on this machine. */
function checkOrigin({ headers: { origin } }: FastifyRequest, publicUrl: string) {
  if (origin !== undefined && origin !== new URL(publicUrl).origin)
    throw new DomainError('cross_site', 'Requests from the pages of other sites are not accepted.');
}
