import { afterRepair } from '../db/after-repair.ts';
import type { Handlers } from '../http/bind.ts';
import type { Services } from '../services.ts';
import { listCustomers, readCustomer } from './customers.ts';

export const customerRoutes = ({ db, cursors }: Services): Pick<Handlers, 'listCustomers' | 'readCustomer'> => ({
  listCustomers: async ({ caller, query }) => ({
    body: await listCustomers(db, cursors, caller.store_id, afterRepair(cursors, 'customers', caller, query)),
  }),
  readCustomer: async ({ caller, id }) => ({ body: { data: await readCustomer(db, caller.store_id, id) } }),
});
