import type { Plan } from '@store-sales/contract';
import type { Queryable, Transaction, TransactionOptions } from '../../db/database.ts';
import { DomainError } from '../../domain-error.ts';
import { requireOptimalPlan } from '../../http/callers.ts';
import type { Services } from '../../services.ts';
import { wake } from '../outbox/wake.ts';
import * as queries from './endpoints.queries.ts';
import { existingEndpoint } from './find-endpoints.ts';
import { lockEndpoint } from './switch-off.queries.ts';
import { finishStoppingOne } from './switch-off.ts';

export const requirePlan = async (db: Queryable, storeId: string) =>
  requireOptimal(await queries.planOf(db, storeId), storeId);

/** Also locks the plan until the transaction ends, so that no endpoint stays on in a store that leaves the plan. */
export const requireLockedPlan = async (tx: Transaction, storeId: string) =>
  requireOptimal(await queries.lockPlan(tx, storeId), storeId);

function requireOptimal(plan: Plan | undefined, storeId: string) {
  if (!plan) throw new DomainError('not_found', `There is no store with the id ${storeId}.`);
  requireOptimalPlan({ plan });
}

export class EndpointDisabled extends DomainError {
  constructor() {
    super('invalid_body', 'The endpoint is disabled; enable it first.');
  }
}

/** Runs work that creates pending deliveries, with the endpoint locked; fails if it is disabled. */
export function whileActive<Result>(
  { db }: Services,
  id: string,
  work: (tx: Transaction, endpoint: queries.EndpointRow) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const endpoint = await existingEndpoint(tx, id);
    const locked = await lockEndpoint(tx, endpoint.store_id, endpoint.id);
    if (!locked?.is_active) throw new EndpointDisabled();
    tx.onCommit(wake);
    return work(tx, endpoint);
  }, options);
}

/**
 * Changes an endpoint after an unfinished disabling has been completed: otherwise older deliveries could be sent after it, and
 * a ping would be stopped with them. Requires the Optimal plan.
 */
export async function onceStopped<Result>(
  { db, now }: Services,
  id: string,
  work: (tx: Transaction, endpoint: queries.EndpointRow) => Promise<Result>,
): Promise<Result> {
  const { store_id: storeId, id: endpointId } = await existingEndpoint(db, id);
  for (;;) {
    const done = await db.transaction(async (tx) => {
      await requireLockedPlan(tx, storeId);
      const locked = await lockEndpoint(tx, storeId, endpointId);
      if (locked?.is_stopping && locked.events) return undefined;
      return { result: await work(tx, await existingEndpoint(tx, endpointId, storeId)) };
    });
    if (done) return done.result;
    await finishStoppingOne(db, storeId, endpointId, now());
  }
}
