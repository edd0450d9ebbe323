import { attempt, type ReceivedResponse } from './attempt.ts';
import { API_PREFIX, routes } from './contract.generated.ts';
import { StoreSalesError } from './errors.ts';
import type { Operations } from './operations.ts';
import { queryString } from './query.ts';
import { canRetry, type RetryOptions, retryDelay, retryPolicy } from './retry.ts';

export interface StoreSalesOptions {
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
  /** GET and POST always are. */
  isIdempotent?: boolean;
  /** The body identifies the record, so a POST needs no `Idempotency-Key`. */
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

/** Calls operations by name, with retries. */
export function transport({ baseUrl, apiKey, ...defaults }: StoreSalesOptions): Call {
  if (!apiKey) throw new TypeError('apiKey is missing; the store owner creates one in the console.');
  const base = baseOf(baseUrl);
  const fetch = defaults.fetch ?? globalThis.fetch.bind(globalThis);

  return async (name, { id, query, body, ifMatch, isIdempotent, isIdentified } = {}, options = {}) => {
    const [method, path] = routes[name].split(' ') as [string, string];
    const requestId = options.requestId ?? randomId();
    const policy = retryPolicy(options.retries ?? defaults.retries);
    const needsKey = method === 'POST' && !isIdentified && policy.limit > 0;
    const idempotencyKey = options.idempotencyKey ?? (needsKey ? randomId() : undefined);
    const request = {
      fetch,
      url: base + path.replace('{id}', () => encodeId(id)) + queryString(query ?? {}),
      init: {
        method,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${apiKey}`,
          'X-Request-Id': requestId,
          ...(body && { 'Content-Type': 'application/json' }),
          ...(ifMatch && { 'If-Match': ifMatch }),
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      requestId,
      timeout: options.timeout ?? defaults.timeout ?? 30_000,
      signal: options.signal,
    };
    for (let attempts = 1; ; attempts++) {
      try {
        return recordResponse(await attempt(request));
      } catch (error) {
        if (!(error instanceof StoreSalesError)) throw error;
        const delay = retryDelay(attempts, policy, error.retryAfter, Math.random());
        if (delay === undefined || !canRetry(isIdempotent || method !== 'PATCH', error)) throw error;
        await sleep(delay, options.signal);
      }
    }
  };
}

function baseOf(baseUrl: string): string {
  const [, found] = /^(https?:\/\/[^?#\s]+?)\/*$/i.exec(baseUrl ?? '') ?? [];
  if (!found)
    throw new TypeError(`baseUrl must be the URL of the service, such as https://sales.example, but is ${baseUrl}`);
  return found.endsWith(API_PREFIX) ? found : found + API_PREFIX;
}

/** An id may contain any character, but `fetch` resolves `.` and `..` as path segments even if encoded. */
function encodeId(id: string | undefined): string {
  if (!id || id === '.' || id === '..') throw new TypeError(`"${id ?? ''}" is not a valid id.`);
  return encodeURIComponent(id);
}

function recordResponse<Result extends { data: object }>({ response, body }: ReceivedResponse): Result {
  const result = body as Result;
  const { status, headers } = response;
  const details = {
    status,
    requestId: headers.get('x-request-id') ?? '',
    etag: headers.get('etag') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    headers,
  };
  responses.set(result, details).set(result.data, details);
  return result;
}

/** Browsers have no `crypto.randomUUID` on pages without TLS. */
const randomId = () => Array.from({ length: 3 }, () => Math.random().toString(36).slice(2, 10).padEnd(8, '0')).join('');

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
