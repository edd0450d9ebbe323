import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { system } from '../actor.ts';
import { readCustomer } from '../customers/customers.ts';
import { findPerson, storeOfCustomer } from '../customers/erase.ts';
import { eraseCustomer } from '../personal-data/erase-customer.ts';
import { exportCustomer } from '../personal-data/export-customer.ts';
import { isClosed, print } from './output.ts';
import { withDatabase } from './session.ts';

/** Prints all that is kept about a customer, as JSON in any case. */
export const customerExport = (given: string) =>
  withDatabase(async ({ db, now }) => {
    const storeId = await storeOfCustomer(db, given);
    const { id } = await findPerson(db, storeId, given);
    try {
      await pipeline(Readable.from(exportCustomer(db, { storeId, id, now })), process.stdout, { end: false });
    } catch (error) {
      // The reader has closed the pipe, as `head` does.
      if (!isClosed(error)) throw error;
    }
  });

export const customerErase = (given: string, { json }: { json?: boolean }) =>
  withDatabase(async ({ db, now }) => {
    const storeId = await storeOfCustomer(db, given);
    const { id, orders } = await eraseCustomer(db, { storeId, id: given, actor: system, now });
    const { erasedAt } = await readCustomer(db, storeId, id);
    print({ id, storeId, erasedAt, orders }, json);
  });
