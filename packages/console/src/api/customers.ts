import type { Customer } from '@store-sales/contract';
import type { ChangeCustomer, CreateCustomer, CustomerPageQuery } from '@store-sales/contract/console';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const customerPageQuery = (storeId: string, query: CustomerPageQuery) =>
  queryOptions({
    queryKey: ['stores', storeId, 'customers', 'page', query],
    queryFn: () => call('GET /stores/{storeId}/customers', { params: { storeId }, query }),
    placeholderData: keepPreviousData,
  });

export const customerQuery = (storeId: string, customerId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'customers', 'one', customerId],
    queryFn: () => call('GET /stores/{storeId}/customers/{customerId}', { params: { storeId, customerId } }),
  });

export const customerOrdersQuery = (storeId: string, customerId: string) =>
  infiniteQueryOptions({
    queryKey: ['stores', storeId, 'customers', 'orders', customerId],
    queryFn: ({ pageParam: cursor }) =>
      call('GET /stores/{storeId}/customers/{customerId}/orders', {
        params: { storeId, customerId },
        query: { cursor },
      }),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor,
  });

export const customerSalesQuery = (storeId: string, customerId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'customers', 'sales', customerId],
    queryFn: () => call('GET /stores/{storeId}/customers/{customerId}/sales', { params: { storeId, customerId } }),
  });

export const createCustomer = (storeId: string, body: CreateCustomer) =>
  call('POST /stores/{storeId}/customers', { params: { storeId }, body });

/** Fails if the customer has changed since `base` was read. */
export const changeCustomer = (storeId: string, base: Customer, body: ChangeCustomer) =>
  call('PATCH /stores/{storeId}/customers/{customerId}', {
    params: { storeId, customerId: base.id },
    body,
    headers: { 'If-Match': `"${base.updatedAt}"` },
  });

export const mergeCustomer = (storeId: string, customerId: string, otherId: string) =>
  call('POST /stores/{storeId}/customers/{customerId}/merge', { params: { storeId, customerId }, body: { otherId } });

export function updateCachedCustomer(queryClient: QueryClient, storeId: string, customer: Customer) {
  queryClient.setQueryData(customerQuery(storeId, customer.id).queryKey, customer);
  void queryClient.invalidateQueries({ queryKey: ['stores', storeId, 'customers', 'page'] });
}
