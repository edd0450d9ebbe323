import { afterRepair } from '../db/after-repair.ts';
import type { ApiHandlers } from '../http/bind.ts';
import { pageLimits } from '../http/page-limits.ts';
import type { Services } from '../services.ts';
import { listCustomers, readCustomer } from './customers.ts';

export function customerRoutes(services: Services): Pick<ApiHandlers, 'listCustomers' | 'readCustomer'> {
  const { db, cursors } = services;
  const readWithinLimits = pageLimits(services);
  return {
    async listCustomers(call) {
      const storeId = call.caller.store_id;
      const query = afterRepair(cursors, 'customers', call.caller, call.query);
      return { body: await readWithinLimits(call, (source) => listCustomers(source, services, storeId, query)) };
    },
    readCustomer: async ({ caller, params }) => ({
      body: { data: await readCustomer(db, caller.store_id, params.id) },
    }),
  };
}
