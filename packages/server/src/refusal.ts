import type { ErrorCode, Fault, FaultCode } from '@store-sales/contract';
import type { ConsoleErrorCode, ConsoleFaultCode } from '@store-sales/contract/console';

/** A fault that the public API can name, or one that only a form of the console can have. */
export type AnyFault = Omit<Fault, 'code'> & { code: FaultCode | ConsoleFaultCode };

/**
 * A rule said no. Thrown by rules, without regard to who asks: the API answers with the code's status,
 * the console shows `detail`, the command line prints it.
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

/** Collects every fault of a request, so that a caller learns of all of them at once. */
export class Faults {
  readonly list: AnyFault[] = [];

  add(pointer: string, code: AnyFault['code'], message: string) {
    this.list.push({ pointer, code, message });
  }

  /** Ends the request if there was a fault. */
  throwIfAny() {
    if (this.list.length) throw new Refusal('invalid_body', summary(this.list), this.list);
  }
}

/** The first fault in words, and how many more there are. */
export function summary(faults: readonly AnyFault[]): string {
  const [first] = faults;
  if (!first) return '';
  const place = first.parameter ?? (first.pointer || 'the body');
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return `${place} ${first.message}${more}`;
}

export const notFound = (what: string) => new Refusal('not_found', `There is no such ${what} in this store.`);

/** One field of the body is wrong. */
export const invalidField = (pointer: string, code: AnyFault['code'], detail: string) =>
  new Refusal('invalid_body', detail, [{ pointer, code, message: detail }]);
