import type { Customer } from '@store-sales/contract';
import type { CustomerPage, CustomerPageQuery, OrderPage } from '@store-sales/contract/console';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const path = (storeId: string) => `/stores/${storeId}/customers`;
const parameters = (query: object) => `${new URLSearchParams(query as Record<string, string>)}`;

export const customerPageQuery = (storeId: string, query: CustomerPageQuery) =>
  queryOptions({
    queryKey: ['stores', storeId, 'customers', 'page', query],
    queryFn: () => call<CustomerPage>('GET', `${path(storeId)}?${parameters(query)}`),
    placeholderData: keepPreviousData,
  });

export const customerQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'customers', 'one', id],
    queryFn: () => call<Customer>('GET', `${path(storeId)}/${id}`),
  });

export const customerOrdersQuery = (storeId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ['stores', storeId, 'customers', 'orders', id],
    queryFn: ({ pageParam }) =>
      call<OrderPage>('GET', `${path(storeId)}/${id}/orders?${parameters(pageParam ? { cursor: pageParam } : {})}`),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor,
  });
