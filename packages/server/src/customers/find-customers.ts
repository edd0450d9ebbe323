import type { SortOrder } from '@store-sales/contract';
import type { CustomerPage, CustomerPageQuery } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { rowsByIds } from '../db/in-list.ts';
import { listWindow, type Paging } from '../db/lists/list.ts';
import { findByTerms } from '../db/search/record-terms.ts';
import * as queries from './customers.queries.ts';
import { toCustomer } from './customers.ts';
import { contactQuery } from './search-terms.ts';

/** Maximum matches of a search. */
const MAX_MATCHES = 500;

/** A page of customers for the owner, newest first unless sorted otherwise. */
export async function findCustomers(
  db: Queryable,
  paging: Paging,
  storeId: string,
  { q, cursor }: CustomerPageQuery,
  order: SortOrder = 'createdAt:desc',
): Promise<CustomerPage> {
  const ids = q === undefined ? undefined : await findByTerms(db, 'customers', storeId, contactQuery(q), MAX_MATCHES);
  const source = ids ? { ...queries.source, rows: rowsByIds(db, queries.source.table, storeId, ids) } : queries.source;
  return queries.page(
    db,
    listWindow(paging, source, storeId, { order, ...(cursor && { cursor }) }, [queries.isListed]),
    toCustomer,
  );
}
