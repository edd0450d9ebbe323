import { afterRepair } from '../db/after-repair.ts';
import type { ApiHandlers } from '../http/bind.ts';
import type { Services } from '../services.ts';
import { listCustomers, readCustomer } from './customers.ts';

export const customerRoutes = ({ db, ...paging }: Services): Pick<ApiHandlers, 'listCustomers' | 'readCustomer'> => ({
  listCustomers: async ({ caller, query }) => ({
    body: await listCustomers(db, paging, caller.store_id, afterRepair(paging.cursors, 'customers', caller, query)),
  }),
  readCustomer: async ({ caller, params }) => ({ body: { data: await readCustomer(db, caller.store_id, params.id) } }),
});
