import type { Problem } from './contract.generated.ts';
import { StoreSalesError } from './errors.ts';
import { readRetryAfter } from './retry.ts';

export interface Attempt {
  fetch: typeof globalThis.fetch;
  url: string;
  init: { method: string; headers: Record<string, string>; body?: string };
  requestId: string;
  timeout: number;
  signal: AbortSignal | undefined;
}

export interface Arrived {
  response: Response;
  body: unknown;
}

/** One request and its whole answer, within the time limit. Fails with a StoreSalesError, or as `signal` says. */
export async function attempt({ fetch, url, init, requestId, timeout, signal }: Attempt): Promise<Arrived> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const stop = () => limit.abort();
  signal?.addEventListener('abort', stop);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, timeout);
  try {
    // A redirect is never followed: it would turn a POST into a GET, and means that the address is wrong.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limit.signal });
    return read(response, await response.text(), url, requestId);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof StoreSalesError) throw cause;
    const detail = late ? `no answer within ${timeout} ms` : `${new URL(url).origin} could not be reached`;
    throw new StoreSalesError({ status: 0, code: late ? 'timed_out' : 'no_answer', detail, requestId, cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function read(response: Response, text: string, url: string, sentId: string): Arrived {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? sentId;
  const isJson = /^application\/(problem\+)?json/.test(headers.get('content-type') ?? '');
  const body = isJson ? parse(text) : undefined;
  if (response.ok && isObject(body) && 'data' in body) return { response, body };
  const retryAfter = readRetryAfter(headers.get('retry-after'), Date.now());
  if (isObject(body) && typeof body.code === 'string' && !response.ok) {
    const { code, detail, errors } = body as unknown as Problem;
    throw new StoreSalesError({ status, code, detail, errors, requestId, retryAfter });
  }
  const location = headers.get('location');
  const detail = location
    ? `redirected to ${location}; is baseUrl right?`
    : `${new URL(url).origin} answered ${status} with something that is not the service's; is baseUrl right?`;
  throw new StoreSalesError({ status, code: 'unexpected_answer', detail, requestId, retryAfter });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
