import { afterRepair } from '../db/after-repair.ts';
import type { Handlers } from '../http/bind.ts';
import type { Services } from '../services.ts';
import { listCustomers, readCustomer } from './customers.ts';

export const customerRoutes = ({ db, ...paging }: Services): Pick<Handlers, 'listCustomers' | 'readCustomer'> => ({
  listCustomers: async ({ caller, query }) => ({
    body: await listCustomers(db, paging, caller.store_id, afterRepair(paging.cursors, 'customers', caller, query)),
  }),
  readCustomer: async ({ caller, id }) => ({ body: { data: await readCustomer(db, caller.store_id, id) } }),
});
