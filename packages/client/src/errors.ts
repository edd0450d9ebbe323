// biome-ignore-all lint/complexity/noThisInStatic: `this` is the class on the right of `instanceof`.
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

/** The name of the error's class, the same in all copies of this package that a program may contain. */
const FAMILY = Symbol.for('@store-sales/client/error');

const familyOf = (error: unknown) =>
  typeof error === 'object' && error !== null ? (error as { [FAMILY]?: string })[FAMILY] : undefined;

/** Any failure of a request. Branch on `code`; `message` is for people. */
export class StoreSalesError extends Error {
  /** @internal */
  static readonly family: string = 'StoreSalesError';

  static override [Symbol.hasInstance](error: unknown): boolean {
    // A class that a program derives from one of these.
    if (!Object.hasOwn(this, 'family')) return Function.prototype[Symbol.hasInstance].call(this, error);
    const family = familyOf(error);
    return family !== undefined && (this === StoreSalesError || this.family === family);
  }

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
    Object.defineProperty(this, 'name', { value: new.target.family });
    Object.defineProperty(this, FAMILY, { value: new.target.family });
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** No response: the service could not be reached, or not in time. */
export class ConnectionError extends StoreSalesError {
  static override readonly family = 'ConnectionError';
  declare readonly status: 0;
}

/** The key is missing, unknown, revoked or expired. */
export class AuthenticationError extends StoreSalesError {
  static override readonly family = 'AuthenticationError';
  declare readonly status: 401;
}

/** The key lacks the right, or its store the plan. */
export class PermissionError extends StoreSalesError {
  static override readonly family = 'PermissionError';
  declare readonly status: 403;
}

/** The store has no such record. */
export class NotFoundError extends StoreSalesError {
  static override readonly family = 'NotFoundError';
  declare readonly status: 404;
}

/** The request contradicts the state of the store: a taken name, a changed order, a limit. */
export class ConflictError extends StoreSalesError {
  static override readonly family = 'ConflictError';
  declare readonly status: 409 | 412;
}

/** The request is wrong; `errors` lists each wrong field or parameter. */
export class ValidationError extends StoreSalesError {
  static override readonly family = 'ValidationError';
  declare readonly status: 400 | 413 | 415 | 422;
}

/** Too many requests; `retryAfter` has the seconds to wait. */
export class RateLimitError extends StoreSalesError {
  static override readonly family = 'RateLimitError';
  declare readonly status: 429;
}

/** The service failed, or the response is not from the service. */
export class ServiceError extends StoreSalesError {
  static override readonly family = 'ServiceError';
}

const classes: Record<number, typeof StoreSalesError> = {
  0: ConnectionError,
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitError,
};

/** The 404 of another site does not mean that a record is missing. */
export const errorOf = (details: ErrorDetails): StoreSalesError =>
  new ((details.code !== 'unexpected_answer' && classes[details.status]) || ServiceError)(details);

/**
 * Whether an error is a StoreSalesError with one of these codes: `if (hasCode(error, 'not_found')) …`. Without codes,
 * whether it is a StoreSalesError.
 */
export function hasCode<Code extends StoreSalesErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is StoreSalesError & { readonly code: Code } {
  if (familyOf(error) === undefined) return false;
  return !codes.length || codes.includes((error as StoreSalesError).code as Code);
}
