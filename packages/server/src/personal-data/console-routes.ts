import { readCustomer } from '../customers/customers.ts';
import { findPerson } from '../customers/erase.ts';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import { LongResponse } from '../http/long-work.ts';
import type { Services } from '../services.ts';
import { eraseCustomer } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';

export function personalDataConsoleRoutes({
  db,
}: Services): ConsoleHandlersAt<'/stores/{storeId}/customers/{customerId}/personal-data'> {
  return {
    async 'GET /stores/{storeId}/customers/{customerId}/personal-data'({ store, params, now, work }) {
      const { id } = await findPerson(db, store.id, params.customerId);
      return {
        body: new LongResponse(work, exportCustomer(db, { storeId: store.id, id, now })),
        headers: { 'Content-Disposition': 'attachment; filename="customer.json"' },
      };
    },
    async 'DELETE /stores/{storeId}/customers/{customerId}/personal-data'({ store, actor, params, now }) {
      const { id } = await eraseCustomer(db, { storeId: store.id, id: params.customerId, actor, now });
      return { body: await readCustomer(db, store.id, id) };
    },
  };
}
