import { type Arrived, attempt } from './attempt.ts';
import { API_PREFIX, type Operations, operations } from './contract.generated.ts';
import { StoreSalesError } from './errors.ts';
import { searchOf } from './query.ts';
import { mayRepeat, type Repeat, type RetryOptions, retryPolicy, waitBefore } from './retry.ts';

export interface StoreSalesOptions {
  /** Where the service is, for example `https://sales.example`. */
  baseUrl: string;
  /** The key that the store owner made for you. It opens the store: keep it out of browsers and repositories. */
  apiKey: string;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for one attempt, answer included. Default 30,000. */
  timeout?: number | undefined;
  /** How often a failed request is repeated, where that is safe. Default 3; 0 for never. */
  retries?: number | RetryOptions | undefined;
}

/** What a single call can have otherwise than its client. */
export interface CallOptions {
  /** Gives up the call, waits between attempts included. */
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  retries?: number | RetryOptions | undefined;
  /** 1 to 128 visible ASCII characters that you will find in the log of the service. Made up when left out. */
  requestId?: string | undefined;
}

/** What came with a record, besides the record. */
export interface ResponseDetails {
  status: number;
  requestId: string;
  /** The version of an order, for `ifMatch`. */
  etag: string | undefined;
  /** Whether a creation found the order already made by an earlier request with the same `externalId`. */
  replayed: boolean;
  headers: Headers;
}

export interface Sending<Name extends keyof Operations> {
  id?: string;
  query?: Operations[Name]['query'] | undefined;
  body?: Operations[Name]['body'];
  ifMatch?: string | undefined;
  /** GET is always safe. */
  repeat?: Repeat;
}

export type Call = <Name extends keyof Operations>(
  name: Name,
  sending?: Sending<Name>,
  options?: CallOptions,
) => Promise<Operations[Name]['answer']>;

const responses = new WeakMap<object, ResponseDetails>();

/** What came with a record that `get`, `create`, `change` or `check` returned, or with a page of `list`. */
export function responseOf(answered: object): ResponseDetails {
  const details = responses.get(answered);
  if (!details) throw new TypeError('Not a record or page as this client returned it; a copy carries no response.');
  return details;
}

/** Sends operations of the table, and repeats them where that is safe. */
export function transport({ baseUrl, apiKey, ...defaults }: StoreSalesOptions): Call {
  if (!apiKey) throw new TypeError('apiKey is missing: the store owner makes one in the console.');
  const base = baseOf(baseUrl);
  const fetch = defaults.fetch ?? globalThis.fetch.bind(globalThis);

  return async (name, { id, query, body, ifMatch, repeat = 'unsafe' } = {}, options = {}) => {
    const [method, path] = operations[name].split(' ') as [string, string];
    const requestId = options.requestId ?? newRequestId();
    const request = {
      fetch,
      url: base + path.replace('{id}', () => encodeId(id)) + searchOf(query ?? {}),
      init: {
        method,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${apiKey}`,
          'X-Request-Id': requestId,
          ...(body && { 'Content-Type': 'application/json' }),
          ...(ifMatch && { 'If-Match': ifMatch }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      requestId,
      timeout: options.timeout ?? defaults.timeout ?? 30_000,
      signal: options.signal,
    };
    const policy = retryPolicy(options.retries ?? defaults.retries);
    for (let tried = 1; ; tried++) {
      try {
        return remember(await attempt(request));
      } catch (error) {
        if (!(error instanceof StoreSalesError)) throw error;
        const wait = waitBefore(tried, policy, error.retryAfter, Math.random());
        if (wait === undefined || !mayRepeat(method === 'GET' ? 'safe' : repeat, error.status)) throw error;
        await pause(wait, options.signal);
      }
    }
  };
}

function baseOf(baseUrl: string): string {
  const [, found] = /^(https?:\/\/[^?#\s]+?)\/*$/i.exec(baseUrl ?? '') ?? [];
  if (!found)
    throw new TypeError(`baseUrl must be the address of the service, such as https://sales.example, not ${baseUrl}`);
  return found.endsWith(API_PREFIX) ? found : found + API_PREFIX;
}

/** An id may hold any character. Two of them are steps in a path, which no encoding saves from `fetch`. */
function encodeId(id: string | undefined): string {
  if (!id || id === '.' || id === '..') throw new TypeError(`"${id ?? ''}" is not an id.`);
  return encodeURIComponent(id);
}

function remember<Answer extends { data: object }>({ response, body }: Arrived): Answer {
  const answer = body as Answer;
  const { status, headers } = response;
  const details = {
    status,
    requestId: headers.get('x-request-id') ?? '',
    etag: headers.get('etag') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    headers,
  };
  responses.set(answer, details).set(answer.data, details);
  return answer;
}

/** Not `crypto.randomUUID`, which browsers keep from pages without TLS. */
const newRequestId = () =>
  Array.from({ length: 3 }, () => Math.random().toString(36).slice(2, 10).padEnd(8, '0')).join('');

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
