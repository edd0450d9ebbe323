import type { CustomerPage, CustomerPageQuery } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { rowsAmong } from '../db/in-list.ts';
import { listWindow, type Paging } from '../db/list.ts';
import { nameKey } from '../names.ts';
import { emailKey } from './contact.ts';
import * as queries from './customers.queries.ts';
import { shown } from './customers.ts';
import * as search from './search.queries.ts';
import { searchCustomers } from './search-customers.ts';

/** What a search takes into account of each kind, whatever the store holds. */
const MOST = 500;

/** A page of the customers that the owner asked for, newest first. */
export async function findCustomers(
  db: Queryable,
  paging: Paging,
  storeId: string,
  { q, cursor }: CustomerPageQuery,
): Promise<CustomerPage> {
  const ids = q === undefined ? undefined : await idsFor(db, storeId, q.trim());
  const source = ids ? { ...queries.source, rows: rowsAmong(db, queries.source.table, storeId, ids) } : queries.source;
  return queries.page(db, listWindow(paging, source, storeId, { ...(cursor && { cursor }) }), shown);
}

/** Those a text may mean: by a part of the name, the beginning of a phone, or the whole of an e-mail or external id. */
async function idsFor(db: Queryable, storeId: string, text: string): Promise<string[]> {
  const others = [
    // Only what has a letter in it is a part of a name: a phone does not cost a look at all of them.
    ...(/\p{L}/u.test(text) ? await search.byPartOfName(db, storeId, nameKey(text), MOST) : []),
    ...(await search.byEmail(db, storeId, emailKey(text) ?? '', MOST)),
    ...(await search.byExternalId(db, storeId, text, MOST)),
  ];
  return [...new Set([...(await searchCustomers(db, storeId, text, MOST)), ...others.map(({ id }) => id)])];
}
