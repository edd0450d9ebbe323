import { type LimitName, type LimitParams, MAX_PICTURES } from '@store-sales/contract/console';
import { DomainError } from './domain-error.ts';

/** Revoked and expired keys of a store that stay listed; older ones are deleted. */
export const MAX_ENDED_KEYS = 1000;
export const MAX_CATEGORIES = 10_000;
/** Every event creates a delivery for each subscribed endpoint. */
export const MAX_ENDPOINTS = 20;
/** Disabled ones count: orders refer to them, so they are never deleted. */
const MAX_PROMO_CODES = 10_000;
/** Disabled records count. */
const MAX_REFERENCES = 200;

/** The console translates `params`; `detail` is for the API and the command line. */
export class LimitReached extends DomainError {
  constructor(
    readonly params: LimitParams,
    detail: string,
  ) {
    super('limit_reached', detail);
  }
}

const limits: Record<
  Exclude<LimitName, 'replaced_secrets' | 'file_megabytes'>,
  [max: number, subject: string, records: string]
> = {
  stores: [100, 'An owner', 'stores'],
  passkeys: [20, 'An account', 'passkeys. Remove one first'],
  members: [100, 'A store', 'members and open invitations'],
  delivery_types: [MAX_REFERENCES, 'An owner', 'delivery types'],
  payment_types: [MAX_REFERENCES, 'An owner', 'payment types'],
  order_statuses: [MAX_REFERENCES, 'A store', 'order statuses'],
  payment_statuses: [MAX_REFERENCES, 'A store', 'payment statuses'],
  warehouses: [MAX_REFERENCES, 'A store', 'warehouses'],
  order_views: [50, 'A store', 'saved views. Delete one first'],
  promo_codes: [MAX_PROMO_CODES, 'A store', 'promo codes'],
  categories: [MAX_CATEGORIES, 'A store', 'categories'],
  active_keys: [100, 'A store', 'active keys. Revoke one first'],
  pictures: [MAX_PICTURES, 'A product', 'pictures. Delete one first'],
  webhook_endpoints: [MAX_ENDPOINTS, 'A store', 'webhook endpoints. Delete one that is no longer needed'],
};

/** Count and insert under one lock, or concurrent requests can exceed the limit. */
export function requireBelowLimit(limit: keyof typeof limits, count: number) {
  const [max, subject, records] = limits[limit];
  if (count >= max)
    throw new LimitReached({ limit, max }, `${subject} can have at most ${max.toLocaleString('en')} ${records}.`);
}
