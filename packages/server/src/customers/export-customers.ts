import type { Customer } from '@store-sales/contract';
import type { CustomerPageQuery } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import type { Paging } from '../db/lists/list.ts';
import { type ExportColumns, pagesOf } from '../imports/console-export.ts';
import { phoneCell, textCell } from '../imports/csv-cells.ts';
import { findCustomers } from './find-customers.ts';

/** The columns of the import. */
export const exportColumns: ExportColumns<Customer> = [
  ['externalId', ({ externalId }) => textCell(externalId)],
  ['name', ({ name }) => textCell(name)],
  ['phone', ({ phone }) => phoneCell(phone)],
  ['email', ({ email }) => textCell(email)],
];

/** Oldest first, as an import matches customers who share a phone. */
export const exportedCustomers = (
  db: Queryable,
  paging: Paging,
  storeId: string,
  query: Pick<CustomerPageQuery, 'q'>,
) => pagesOf((cursor) => findCustomers(db, paging, storeId, { ...query, ...(cursor && { cursor }) }, 'createdAt:asc'));
