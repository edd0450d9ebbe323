import type { Fault, Problem } from '@store-sales/contract';

/** An answer that was not what was asked for. `code` is the problem's; `offline` when there was no answer. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly code: string,
    readonly status = 0,
    readonly faults: readonly Fault[] = [],
    readonly retryAfter = 0,
    /** The server's sentence, in English. */
    readonly detail = '',
  ) {
    super(code);
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request to the console's own API; cookies travel by themselves. */
export async function call<Answer>(
  method: Method,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/console/api${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError('offline');
  }
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Answer;
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  throw new ApiError(
    problem.code ?? 'internal_error',
    response.status,
    problem.errors ?? [],
    Number(response.headers.get('Retry-After') ?? 0),
    problem.detail,
  );
}
