import { DomainError } from './domain-error.ts';
import { iso } from './instant.ts';

/** `ifMatch` is the `If-Match` header, if sent: the quoted `updatedAt` of the record as it was read. */
export function requireUnchanged(what: string, ifMatch: string | undefined, updatedAt: number) {
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== `"${iso(updatedAt)}"`)
    throw new DomainError('precondition_failed', `The ${what} has changed since it was read.`);
}
