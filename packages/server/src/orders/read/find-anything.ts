import type { SearchResults } from '@store-sales/contract/console';
import { findProducts } from '../../catalog/find-products.ts';
import { findCustomers } from '../../customers/find-customers.ts';
import type { Queryable } from '../../db/database.ts';
import type { Paging } from '../../db/lists/list.ts';
import { findFirst, type StoreZone } from './find-orders.ts';

const MAX_RESULTS = 5;

/** The first orders, products and customers that match a text, as in their lists; an order of this number comes first. */
export async function findAnything(
  db: Queryable,
  paging: Paging,
  store: StoreZone & { currency: string },
  q: string,
): Promise<SearchResults> {
  const [, number] = /^\s*(\d+)\s*$/.exec(q) ?? [];
  const exact = number ? await findFirst(db, paging, store, `#${number}`, 1) : [];
  const newest = await findFirst(db, paging, store, q, MAX_RESULTS);
  const orders = [...exact, ...newest.filter(({ id }) => id !== exact[0]?.id)];
  const products = await findProducts(db, paging, { storeId: store.id, currency: store.currency }, { q });
  const customers = await findCustomers(db, paging, store.id, { q });
  return {
    orders: orders.slice(0, MAX_RESULTS).map(({ id, number, totalAmount, currency, status, customer }) => {
      return { id, number, totalAmount, currency, status, customer: customer.name };
    }),
    products: products.data.slice(0, MAX_RESULTS).map(({ id, name, sku }) => ({ id, name, sku })),
    customers: customers.data.slice(0, MAX_RESULTS).map(({ id, name, phone, email }) => ({ id, name, phone, email })),
  };
}
