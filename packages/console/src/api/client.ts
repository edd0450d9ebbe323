import type { FieldError, PathParams, Problem } from '@store-sales/contract';
import type {
  ConsoleInput,
  ConsoleOutput,
  ConsoleRoute,
  LimitParams,
  OtherRecord,
} from '@store-sales/contract/console';

/** A failed request. `code` is the problem's; `offline` or `timeout` if there was no response. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly code: string,
    readonly status = 0,
    readonly fieldErrors: readonly (FieldError & { other?: OtherRecord })[] = [],
    readonly retryAfter = 0,
    /** Of `limit_reached`. */
    readonly params?: LimitParams,
  ) {
    super(code);
  }
}

/** Longest time to wait for a whole response. */
const TIMEOUT = 30_000;
/** Longest time to wait for an earlier request with the same `Idempotency-Key`; a crashed one blocks it for 20 s. */
const MAX_WAIT_SECONDS = 30;

/** No response, or an error of the server: the request may have been carried out, and can be tried again later. */
export const isUncertain = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.code === 'idempotency_in_progress');

type Part<Name extends string, Value> = unknown extends Value ? unknown : { [Key in Name]: Value };
export type Options<Route extends ConsoleRoute> = Part<'params', PathParams<Route>> &
  Part<'query', ConsoleInput<Route, 'query'>> &
  Part<'body', ConsoleInput<Route, 'body'>> & { headers?: Record<string, string> };
/** Options may be left out for a route without parameters. */
export type Rest<Route extends ConsoleRoute> =
  Record<never, never> extends Options<Route> ? [options?: Options<Route>] : [options: Options<Route>];

interface Request {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The header with which a change is refused if the record is another version than this one. */
export const ifMatch = (etag: string | undefined) => (etag ? { headers: { 'If-Match': etag } } : {});

/** The URL of a route; empty query parameters are left out. */
export function urlOf<Route extends ConsoleRoute>(route: Route, options: Omit<Options<Route>, 'body' | 'headers'>) {
  const { params = {}, query = {} } = options as Request;
  const path = route
    .slice(route.indexOf('/'))
    .replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return `/console/api${path}${given.length ? `?${new URLSearchParams(given)}` : ''}`;
}

/** Sends a request to the console's own API. */
export function call<Route extends ConsoleRoute>(
  route: Route,
  ...[options]: Rest<Route>
): Promise<ConsoleOutput<Route>> {
  const { body, headers = {} } = (options ?? {}) as Request;
  const url = urlOf(route, (options ?? {}) as Options<Route>);
  const init = {
    method: route.slice(0, route.indexOf(' ')),
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return withSession(() => afterEarlierRequest(() => exchange(url, init))) as Promise<ConsoleOutput<Route>>;
}

async function exchange(url: string, init: RequestInit): Promise<unknown> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT);
  try {
    const response = await fetch(url, { ...init, signal: abort.signal });
    if (response.ok) return response.status === 204 ? undefined : await response.json();
    const problem = (await response.json().catch(() => ({}))) as Partial<Problem> & { params?: LimitParams };
    throw new ApiError(
      problem.code ?? 'internal_error',
      response.status,
      problem.errors ?? [],
      Number(response.headers.get('Retry-After') ?? 0),
      problem.params,
    );
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(abort.signal.aborted ? 'timeout' : 'offline');
  } finally {
    clearTimeout(timer);
  }
}

async function afterEarlierRequest<Result>(request: () => Promise<Result>): Promise<Result> {
  for (let waited = 0; ; ) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'idempotency_in_progress' || waited >= MAX_WAIT_SECONDS)
        throw error;
      const seconds = Math.max(1, error.retryAfter);
      await new Promise((done) => setTimeout(done, seconds * 1000));
      waited += seconds;
    }
  }
}

const recoveries = new Map<unknown, () => Promise<boolean>>();

/** Sets what makes a refused request possible, for example signing in again; it resolves to whether it did. */
export function onRefusal(
  code: 'signed_out' | 'verification_required' | 'role_required',
  recovery: () => Promise<boolean>,
): () => void {
  recoveries.set(code, recovery);
  return () => {
    recoveries.delete(code);
  };
}

/** Runs a request; if the person has to sign in or to verify first, they do, and the request runs once more. */
export async function withSession<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    const recovery = error instanceof Error && 'code' in error && recoveries.get(error.code);
    if (!recovery || !(await recovery())) throw error;
    return request();
  }
}
