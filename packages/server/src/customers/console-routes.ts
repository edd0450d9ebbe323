import { orSuggest } from '../db/search/suggest.ts';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import { csvResponse } from '../imports/console-export.ts';
import { fileImport, type ImportSlots } from '../imports/console-import.ts';
import type { Services } from '../services.ts';
import { readCustomer } from './customers.ts';
import { changeCustomer, createCustomer } from './edit-customers.ts';
import { exportColumns, exportedCustomers } from './export-customers.ts';
import { findCustomers } from './find-customers.ts';
import { customerTable, importCustomers } from './import-customers.ts';

type CustomerRoutes = Omit<
  ConsoleHandlersAt<'/stores/{storeId}/customers'>,
  // In orders/ and personal-data/, which this folder does not import.
  | 'GET /stores/{storeId}/customers/{customerId}/orders'
  | 'GET /stores/{storeId}/customers/{customerId}/sales'
  | 'POST /stores/{storeId}/customers/{customerId}/merge'
  | 'GET /stores/{storeId}/customers/{customerId}/personal-data'
  | 'DELETE /stores/{storeId}/customers/{customerId}/personal-data'
>;

export function customerConsoleRoutes(services: Services, slots: ImportSlots): CustomerRoutes {
  const { db } = services;
  return {
    'GET /stores/{storeId}/customers': async ({ store, query }) => ({
      body: await orSuggest(db, 'customers', store.id, query.cursor ? undefined : query.q, (q) =>
        findCustomers(db, services, store.id, { ...query, ...(q && { q }) }),
      ),
    }),
    'GET /stores/{storeId}/customers/export': async ({ store, query: { decimal, ...query }, work }) =>
      csvResponse(work, 'customers', exportColumns, exportedCustomers(db, services, store.id, query), decimal),
    'GET /stores/{storeId}/customers/{customerId}': async ({ store, params }) => ({
      body: await readCustomer(db, store.id, params.customerId),
    }),
    async 'POST /stores/{storeId}/customers'({ store, actor, body, now }) {
      const id = await createCustomer(db, body, { storeId: store.id, actor, now });
      return { body: await readCustomer(db, store.id, id) };
    },
    async 'PATCH /stores/{storeId}/customers/{customerId}'({ store, actor, params, body, ifMatch, now }) {
      await changeCustomer(db, params.customerId, body, { storeId: store.id, actor, now, ifMatch });
      return { body: await readCustomer(db, store.id, params.customerId) };
    },
    'POST /stores/{storeId}/customers/import': fileImport(services, slots, 'customers', customerTable, importCustomers),
  };
}
