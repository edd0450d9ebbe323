import type { ErrorCode, FieldError, FieldErrorCode } from '@store-sales/contract';
import type { ConsoleErrorCode, ConsoleFieldErrorCode, FileError, OtherRecord } from '@store-sales/contract/console';

/** A validation error of the public API or of the console. */
export type AnyFieldError = Omit<FieldError, 'code'> & {
  code: FieldErrorCode | ConsoleFieldErrorCode;
  other?: OtherRecord;
};

/**
 * An expected error with a code. The API responds with the code's status, the console shows `detail`, the command line
 * prints it.
 */
export class DomainError extends Error {
  override name = 'DomainError';
  constructor(
    readonly code: ErrorCode | ConsoleErrorCode,
    readonly detail: string,
    /** Validation errors, or the error of an imported file. */
    readonly fieldErrors: readonly (AnyFieldError | (FileError & { message: string }))[] = [],
    /** Seconds to wait before the next attempt. */
    readonly retryAfter?: number,
  ) {
    super(detail);
  }
}

/** The configuration is wrong, or does not fit the database: one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Collects all validation errors of a request, to report them together. */
export class FieldErrors {
  readonly list: AnyFieldError[] = [];

  add(pointer: string, code: AnyFieldError['code'], message: string, other?: OtherRecord) {
    this.list.push({ pointer, code, message, ...(other && { other }) });
  }

  throwIfAny() {
    if (this.list.length) throw new DomainError('invalid_body', summary(this.list), this.list);
  }
}

/** The message of the first error, and the number of further ones. */
export function summary(fieldErrors: readonly AnyFieldError[]): string {
  const [first] = fieldErrors;
  if (!first) return '';
  const location = first.parameter ?? (first.pointer || 'the body');
  const more = fieldErrors.length > 1 ? ` (and ${fieldErrors.length - 1} more)` : '';
  return `${location} ${first.message}${more}`;
}

export const notFound = (what: string) => new DomainError('not_found', `There is no such ${what} in this store.`);

export const invalidField = (pointer: string, code: AnyFieldError['code'], detail: string) =>
  new DomainError('invalid_body', detail, [{ pointer, code, message: detail }]);
