import type { Plan } from '@store-sales/contract';
import { DomainError } from './domain-error.ts';

/** The API and webhooks are part of the Optimal plan. */
export function requireOptimalPlan({ plan }: { plan: Plan }) {
  if (plan !== 'optimal')
    throw new DomainError(
      'plan_required',
      `API keys and webhooks need the Optimal plan; this store is on the ${plan} plan.`,
    );
}
