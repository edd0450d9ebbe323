import type { Problem } from './contract.generated.ts';
import { errorOf } from './errors.ts';
import { readRetryAfter } from './retry.ts';

export interface Attempt {
  fetch: typeof globalThis.fetch;
  url: string;
  init: { method: string; headers: Record<string, string>; body?: string };
  requestId: string;
  timeout: number;
  signal: AbortSignal | undefined;
}

export interface ReceivedResponse {
  response: Response;
  text: string;
}

/** Sends one request and receives the whole response. Throws a StoreSalesError, or the reason of `signal`. */
export async function attempt({ fetch, url, init, requestId, timeout, signal }: Attempt): Promise<ReceivedResponse> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort);
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    abort();
  }, timeout);
  try {
    // Following a redirect would turn a POST into a GET; a redirect means that baseUrl is wrong.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: controller.signal });
    return { response, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const detail = isTimedOut ? `no response within ${timeout} ms` : `${new URL(url).origin} could not be reached`;
    throw errorOf({ status: 0, code: isTimedOut ? 'timed_out' : 'no_answer', detail, requestId, cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** The body of a successful response. Throws a StoreSalesError otherwise. */
export function read({ response, text }: ReceivedResponse, url: string, sentId: string, needsData: boolean): unknown {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? sentId;
  const isJson = /^application\/(problem\+)?json/.test(headers.get('content-type') ?? '');
  const body = isJson ? parse(text) : undefined;
  if (response.ok && (needsData ? isObject(body) && 'data' in body : body !== undefined || status === 204)) return body;
  const retryAfter = readRetryAfter(headers.get('retry-after'), Date.now());
  if (isObject(body) && typeof body.code === 'string' && !response.ok) {
    const { code, detail, errors } = body as unknown as Problem;
    throw errorOf({ status, code, detail, errors, requestId, retryAfter });
  }
  const location = headers.get('location');
  const detail = location
    ? `redirected to ${location}; check baseUrl`
    : `${new URL(url).origin} sent ${status} with a body that is not from Store Sales; check baseUrl`;
  throw errorOf({ status, code: 'unexpected_answer', detail, requestId, retryAfter });
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
