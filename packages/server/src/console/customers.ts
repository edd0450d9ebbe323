import { CustomerOrdersQuery, CustomerPageQuery } from '@store-sales/contract/console';
import { readCustomer } from '../customers/customers.ts';
import { findCustomers } from '../customers/find-customers.ts';
import { ordersOfCustomer } from '../orders/find-orders.ts';
import type { Services } from '../services.ts';
import { type Route, route } from './api.ts';

const customers = '/stores/:storeId/customers';

/** Customers of a store and their orders. */
export const customerRoutes = ({ db, ...paging }: Services): Route[] => [
  route({
    method: 'GET',
    path: customers,
    who: 'store',
    query: CustomerPageQuery,
    handle: ({ store, query }) => findCustomers(db, paging, store.id, query),
  }),
  route({
    method: 'GET',
    path: `${customers}/:customerId`,
    who: 'store',
    handle: ({ store, params }) => readCustomer(db, store.id, params.customerId as string),
  }),
  route({
    method: 'GET',
    path: `${customers}/:customerId/orders`,
    who: 'store',
    query: CustomerOrdersQuery,
    async handle({ store, params, query }) {
      const { id } = await readCustomer(db, store.id, params.customerId as string);
      return ordersOfCustomer(db, paging, store.id, id, query.cursor);
    },
  }),
];
