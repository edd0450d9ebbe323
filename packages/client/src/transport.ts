import { attempt, isObject, read } from './attempt.ts';
import { API_PREFIX, routes, VERSION } from './contract.generated.ts';
import { StoreSalesError } from './errors.ts';
import type { Operations } from './operations.ts';
import { queryString } from './query.ts';
import { canRetry, type RetryOptions, retryDelay, retryPolicy } from './retry.ts';

/** One attempt of a request. */
export interface AttemptDetails {
  method: string;
  url: string;
  /** The same for all attempts of a call. */
  requestId: string;
  /** From 1. */
  attempt: number;
}

/** Functions that see every attempt, for logs, metrics and traces. A call waits for them, and fails if they throw. */
export interface Hooks {
  /** Before an attempt. Headers that it adds to `headers` are sent. The key is not among them. */
  onRequest?: ((request: AttemptDetails & { headers: Record<string, string> }) => unknown) | undefined;
  /** After a response of any status. */
  onResponse?:
    | ((response: AttemptDetails & { status: number; headers: Headers; durationMs: number }) => unknown)
    | undefined;
  /** After a failed attempt, before the delay of the next one. */
  onRetry?: ((retry: AttemptDetails & { error: StoreSalesError; delayMs: number }) => unknown) | undefined;
}

export interface StoreSalesOptions extends Hooks {
  /** URL of the service, for example `https://sales.example`. */
  baseUrl: string;
  /** The API key. It gives access to the store: keep it out of browsers and repositories. */
  apiKey: string;
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for one attempt, including the response. Default 30,000. */
  timeout?: number | undefined;
  /** Maximum retries of idempotent requests. Default 3; 0 disables retries. */
  retries?: number | RetryOptions | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, including the delays between attempts. */
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  retries?: number | RetryOptions | undefined;
  /** 1 to 128 visible ASCII characters, logged by the service. Default: random. */
  requestId?: string | undefined;
}

/** Options of a creation. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters: within 24 hours, creations with the same key and the same record create it once.
   * Set it to repeat a creation safely after a restart of your program; the retries of one call need none.
   */
  idempotencyKey?: string | undefined;
}

/** Options of `client.request`. */
export interface RequestOptions extends CreateOptions {
  /** As the API names them: `{ 'filter[status]': 'new' }`. */
  query?: Record<string, string | number | boolean | undefined> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string> | undefined;
  /** An ETag. The request is then retried, whatever its method. */
  ifMatch?: string | undefined;
}

/** Status and headers of a response. */
export interface ResponseDetails {
  status: number;
  requestId: string;
  /** The version of an order, for `ifMatch`. */
  etag: string | undefined;
  /** Whether an earlier request with the same `externalId` or `idempotencyKey` created the record. */
  replayed: boolean;
  headers: Headers;
}

export interface CallInput<Name extends keyof Operations> {
  id?: string;
  query?: Operations[Name]['query'] | undefined;
  body?: Operations[Name]['body'];
  ifMatch?: string | undefined;
  isIdentified?: boolean;
}

export type Call = <Name extends keyof Operations>(
  name: Name,
  input?: CallInput<Name>,
  options?: CreateOptions,
) => Promise<Operations[Name]['response']>;

const responses = new WeakMap<object, ResponseDetails>();

/** The response details of a record that `get`, `create`, `change` or `check` returned, or of a page of `list`. */
export function responseOf(result: object): ResponseDetails {
  const details = responses.get(result);
  if (!details) throw new TypeError('Not a record or page returned by this client; copies have no response details.');
  return details;
}

interface Outgoing extends RequestOptions {
  method: string;
  /** Relative to the API, with its query. */
  path: string;
  /** The body identifies the record, so a POST needs no `Idempotency-Key`. */
  isIdentified?: boolean;
  /** All operations have `data` in their responses. */
  needsData: boolean;
}

const USER_AGENT = `store-sales-client/${VERSION}`;

/** Sends requests, with retries. */
export function transport({ baseUrl, apiKey, onRequest, onResponse, onRetry, ...defaults }: StoreSalesOptions) {
  if (!apiKey) throw new TypeError('apiKey is missing; the store owner creates one in the console.');
  const base = baseOf(baseUrl);
  const fetch = defaults.fetch ?? globalThis.fetch.bind(globalThis);

  async function send({ method, path, body, ifMatch, isIdentified, needsData, signal, ...options }: Outgoing) {
    const requestId = options.requestId ?? crypto.randomUUID();
    const policy = retryPolicy(options.retries ?? defaults.retries);
    const needsKey = method === 'POST' && !isIdentified && policy.limit > 0;
    const idempotencyKey = options.idempotencyKey ?? (needsKey ? crypto.randomUUID() : undefined);
    const isIdempotent = Boolean(ifMatch) || ['GET', 'HEAD', 'POST'].includes(method);
    const url = base + path;
    const timeout = options.timeout ?? defaults.timeout ?? 30_000;
    for (let attempts = 1; ; attempts++) {
      const details = { method, url, requestId, attempt: attempts };
      try {
        const headers: Record<string, string> = {
          Accept: 'application/json',
          'User-Agent': USER_AGENT,
          'X-Request-Id': requestId,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(ifMatch && { 'If-Match': ifMatch }),
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
          ...options.headers,
        };
        await onRequest?.({ ...details, headers });
        const init = {
          method,
          headers: { ...headers, Authorization: `Bearer ${apiKey}` },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        };
        const startedAt = performance.now();
        const received = await attempt({ fetch, url, init, requestId, timeout, signal });
        const { response } = received;
        const durationMs = performance.now() - startedAt;
        await onResponse?.({ ...details, status: response.status, headers: response.headers, durationMs });
        return recordResponse(response, read(received, url, requestId, needsData));
      } catch (error) {
        if (!(error instanceof StoreSalesError)) throw error;
        const delayMs = retryDelay(attempts, policy, error.retryAfter, Math.random());
        if (delayMs === undefined || !canRetry(isIdempotent, error)) throw error;
        await onRetry?.({ ...details, error, delayMs });
        await sleep(delayMs, signal);
      }
    }
  }

  /** An operation by its name. */
  const call: Call = async (name, { id, query, ...input } = {}, options = {}) => {
    const [method, route] = routes[name].split(' ') as [string, string];
    const path = route.replace('{id}', () => encodeId(id)) + queryString(query ?? {});
    return send({ ...options, ...input, method, path, needsData: true }) as Promise<never>;
  };

  /** Any request. */
  async function request(method: string, path: string, { query = {}, ...options }: RequestOptions = {}) {
    if (!path.startsWith('/')) throw new TypeError(`path must begin with /, such as /orders, but is ${path}`);
    const given = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
    const search = given.length ? `?${new URLSearchParams(given)}` : '';
    return send({ ...options, method: method.toUpperCase(), path: withoutPrefix(path) + search, needsData: false });
  }

  return { call, request };
}

function baseOf(baseUrl: string): string {
  const [, found] = /^(https?:\/\/[^?#\s]+?)\/*$/i.exec(baseUrl ?? '') ?? [];
  if (!found)
    throw new TypeError(`baseUrl must be the URL of the service, such as https://sales.example, but is ${baseUrl}`);
  if (/\/console(\/|$)/.test(found))
    throw new TypeError(`baseUrl must be the URL of the service, not of its console, but is ${baseUrl}`);
  return found.endsWith(API_PREFIX) ? found : found + API_PREFIX;
}

/** A path as the reference shows it begins with the prefix that the base has already. */
const withoutPrefix = (path: string) => (path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path);

/** An id may contain any character, but `fetch` resolves `.` and `..` as path segments even if encoded. */
function encodeId(id: string | undefined): string {
  if (!id || id === '.' || id === '..') throw new TypeError(`"${id ?? ''}" is not a valid id.`);
  return encodeURIComponent(id);
}

function recordResponse({ status, headers }: Response, result: unknown): unknown {
  if (!isObject(result)) return result;
  const details = {
    status,
    requestId: headers.get('x-request-id') ?? '',
    etag: headers.get('etag') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    headers,
  };
  responses.set(result, details);
  if (isObject(result.data)) responses.set(result.data, details);
  return result;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
