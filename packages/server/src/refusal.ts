import type { ErrorCode, Fault, FaultCode } from '@store-sales/contract';
import type { ConsoleErrorCode, ConsoleFaultCode } from '@store-sales/contract/console';

/** A validation error of the public API or of the console. */
export type AnyFault = Omit<Fault, 'code'> & { code: FaultCode | ConsoleFaultCode };

/**
 * An expected error with a code. The API responds with the code's status, the console shows `detail`, the command line
 * prints it.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  constructor(
    readonly code: ErrorCode | ConsoleErrorCode,
    readonly detail: string,
    readonly faults: readonly AnyFault[] = [],
  ) {
    super(detail);
  }
}

/** Collects all validation errors of a request, to report them together. */
export class Faults {
  readonly list: AnyFault[] = [];

  add(pointer: string, code: AnyFault['code'], message: string) {
    this.list.push({ pointer, code, message });
  }

  throwIfAny() {
    if (this.list.length) throw new Refusal('invalid_body', summary(this.list), this.list);
  }
}

/** The message of the first error, and the number of further ones. */
export function summary(faults: readonly AnyFault[]): string {
  const [first] = faults;
  if (!first) return '';
  const location = first.parameter ?? (first.pointer || 'the body');
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return `${location} ${first.message}${more}`;
}

export const notFound = (what: string) => new Refusal('not_found', `There is no such ${what} in this store.`);

export const invalidField = (pointer: string, code: AnyFault['code'], detail: string) =>
  new Refusal('invalid_body', detail, [{ pointer, code, message: detail }]);
