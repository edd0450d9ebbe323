import type { Queryable } from '../db/database.ts';
import type { ApiHandlers } from '../http/bind.ts';
import { readPage } from '../http/read-page.ts';
import type { Services } from '../services.ts';
import { isSearch, listCustomers, readCustomer } from './customers.ts';

export function customerRoutes(services: Services): Pick<ApiHandlers, 'listCustomers' | 'readCustomer'> {
  const { db } = services;
  return {
    async listCustomers(call) {
      const { caller, query } = call;
      const read = (source: Queryable) => listCustomers(source, services, caller.store_id, query);
      return { body: await readPage(services, call, read, { isSearch: isSearch(query) }) };
    },
    readCustomer: async ({ caller, params }) => ({
      body: { data: await readCustomer(db, caller.store_id, params.id) },
    }),
  };
}
