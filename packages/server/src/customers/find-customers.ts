import type { CustomerPage, CustomerPageQuery } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { rowsByIds } from '../db/in-list.ts';
import { listWindow, type Paging } from '../db/list.ts';
import { nameKey } from '../names.ts';
import { emailKey } from './contact.ts';
import * as queries from './customers.queries.ts';
import { toCustomer } from './customers.ts';
import * as search from './search.queries.ts';
import { searchCustomers } from './search-customers.ts';

/** Maximum matches of each kind, independent of the size of the store. */
const MAX_MATCHES = 500;

/** A page of customers for the owner, newest first. */
export async function findCustomers(
  db: Queryable,
  paging: Paging,
  storeId: string,
  { q, cursor }: CustomerPageQuery,
): Promise<CustomerPage> {
  const ids = q === undefined ? undefined : await idsFor(db, storeId, q.trim());
  const source = ids ? { ...queries.source, rows: rowsByIds(db, queries.source.table, storeId, ids) } : queries.source;
  return queries.page(db, listWindow(paging, source, storeId, { ...(cursor && { cursor }) }), toCustomer);
}

/** Customers matching a text by part of the name, a prefix of the phone, or the exact e-mail or external id. */
async function idsFor(db: Queryable, storeId: string, text: string): Promise<string[]> {
  const others = [
    // Text without letters, such as a phone, skips the substring search over all names.
    ...(/\p{L}/u.test(text) ? await search.byPartOfName(db, storeId, nameKey(text), MAX_MATCHES) : []),
    ...(await search.byEmail(db, storeId, emailKey(text) ?? '', MAX_MATCHES)),
    ...(await search.byExternalId(db, storeId, text, MAX_MATCHES)),
  ];
  return [...new Set([...(await searchCustomers(db, storeId, text, MAX_MATCHES)), ...others.map(({ id }) => id)])];
}
