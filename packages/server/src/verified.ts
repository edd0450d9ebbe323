import { DomainError } from './domain-error.ts';
import { MINUTE } from './time/duration.ts';

/** How long a sign-in or verification counts. */
const VERIFIED_FOR = 15 * MINUTE;

export function requireVerified({ verifiedAt }: { verifiedAt: number }, now: number) {
  if (now - verifiedAt > VERIFIED_FOR)
    throw new DomainError('verification_required', 'Confirm that it is you, then repeat the request.');
}
