import type { Fault, Problem } from './contract.generated.ts';

/**
 * Codes of the service, and three that only a client can meet: no answer at all, none within the time limit, and
 * an answer that is not the service's (a proxy's error page, a redirect, another site).
 */
export type StoreSalesErrorCode = Problem['code'] | 'no_answer' | 'timed_out' | 'unexpected_answer';

export interface ErrorDetails {
  status: number;
  code: StoreSalesErrorCode;
  detail: string;
  errors?: readonly Fault[] | undefined;
  requestId: string;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Every failure of a request, whatever its cause. Decide by `code`; `message` is for a person. */
export class StoreSalesError extends Error {
  override readonly name = 'StoreSalesError';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: StoreSalesErrorCode;
  /** What happened, for a person to read. */
  readonly detail: string;
  /** Every fault of the request at once, each with a JSON `pointer` into the body or the name of a `parameter`. */
  readonly errors: readonly Fault[];
  /** Quote it when you report a fault; the service has it in its log. */
  readonly requestId: string;
  /** Seconds to wait before another attempt, where the service said so. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, detail, errors = [], requestId, retryAfter, cause }: ErrorDetails) {
    const faults = errors.map((fault) => `\n  ${fault.pointer ?? fault.parameter}: ${fault.message}`).join('');
    super(
      `${code}${status ? ` (${status})` : ''}: ${detail}${faults}\n  request id: ${requestId}`,
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
 * Whether a failure is one of these: `if (hasCode(error, 'not_found')) …`. Without codes, whether it is one of ours
 * at all. By name rather than by class, so that two copies of this package in one program understand each other.
 */
export function hasCode<Code extends StoreSalesErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is StoreSalesError & { readonly code: Code } {
  if (!(error instanceof Error) || error.name !== 'StoreSalesError') return false;
  return !codes.length || codes.includes((error as StoreSalesError).code as Code);
}
