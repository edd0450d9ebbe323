import type { FieldError, Problem } from './contract.generated.ts';

/**
 * Codes of the service, and three of the client: the service could not be reached, no response within the timeout, and
 * a response that is not from the service (a proxy's error page, a redirect, another site).
 */
export type StoreSalesErrorCode = Problem['code'] | 'no_answer' | 'timed_out' | 'unexpected_answer';

export interface ErrorDetails {
  status: number;
  code: StoreSalesErrorCode;
  detail: string;
  errors?: readonly FieldError[] | undefined;
  requestId: string;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Any failure of a request. Branch on `code`; `message` is for people. */
export class StoreSalesError extends Error {
  override readonly name = 'StoreSalesError';
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: StoreSalesErrorCode;
  /** What happened, for people. */
  readonly detail: string;
  /** All validation errors, each with a JSON `pointer` into the body or the name of a `parameter`. */
  readonly errors: readonly FieldError[];
  /** Include it in bug reports; it is in the service's log. */
  readonly requestId: string;
  /** Seconds to wait before a retry, if the service sent `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, detail, errors = [], requestId, retryAfter, cause }: ErrorDetails) {
    const list = errors.map((error) => `\n  ${error.pointer ?? error.parameter}: ${error.message}`).join('');
    super(
      `${code}${status ? ` (${status})` : ''}: ${detail}${list}\n  request id: ${requestId}`,
      cause === undefined ? undefined : { cause },
    );
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/**
 * Whether an error is a StoreSalesError with one of these codes: `if (hasCode(error, 'not_found')) …`. Without codes,
 * whether it is a StoreSalesError. Compares the name, not the class: a program may contain two copies of this package.
 */
export function hasCode<Code extends StoreSalesErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is StoreSalesError & { readonly code: Code } {
  if (!(error instanceof Error) || error.name !== 'StoreSalesError') return false;
  return !codes.length || codes.includes((error as StoreSalesError).code as Code);
}
