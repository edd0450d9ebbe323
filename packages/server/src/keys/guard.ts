import type { Endpoint } from '@store-sales/contract';
import { DomainError } from '../domain-error.ts';
import type { Admission } from '../http/admission.ts';
import type { Guard, Route } from '../http/bind.ts';
import type { ApiCaller } from '../http/callers.ts';
import { requireOptimalPlan } from '../http/callers.ts';
import { isInner } from '../http/inner-request.ts';
import { rateLimiter, type SharedCounter } from '../http/rate-limit.ts';
import type { Services } from '../services.ts';
import { authenticator } from './authenticate.ts';

/** Guards the API: a valid key, its rate limit, then store, plan and right in the order that the contract defines. */
export function keyGuard(
  { db, log, config, now }: Services,
  identify: Admission['identify'],
  counter: SharedCounter | undefined,
): Guard<Route & Pick<Endpoint, 'right'>, ApiCaller> {
  const authenticate = authenticator(db, (err) => log.warn({ err }, 'failed to update last_used_at'));
  const count = rateLimiter(config.RATE_LIMIT_PER_MINUTE, counter);
  return {
    async authenticate(request) {
      // A path without its id is an unknown path, which needs no key.
      if (Object.values(request.params as object).includes(''))
        throw new DomainError('not_found', 'The path is missing an id.');
      const caller = await authenticate(request.headers.authorization, now());
      return { caller, actor: { kind: 'key', id: caller.id } };
    },
    count({ caller }, request, reply) {
      request.logIds = { storeId: caller.store_id, keyId: caller.id };
      identify(request, caller.store_id);
      return isInner(request) ? undefined : count(caller.id, reply, now());
    },
    authorize({ caller }, { right }) {
      if (!caller.is_active) throw new DomainError('store_inactive', 'The store of this key is deactivated.');
      requireOptimalPlan(caller);
      if (right && !caller.rightSet.has(right))
        throw new DomainError('insufficient_rights', `The key lacks the right ${right}.`);
    },
    async check(request, row) {
      const caller = await authenticate(request.headers.authorization, now());
      this.authorize({ caller, actor: { kind: 'key', id: caller.id } }, row);
    },
  };
}
