import type { Customer } from '@store-sales/contract';
import type { CustomerPageQuery } from '@store-sales/contract/console';
import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { call } from './client.ts';
import { query } from './query.ts';

const LIST = 'GET /stores/{storeId}/customers';

export const customerPageQuery = (storeId: string, search: CustomerPageQuery) => ({
  ...query(LIST, { params: { storeId }, query: search }),
  placeholderData: keepPreviousData,
});

/** The customer, or the one that it was merged into. */
export const customerQuery = (storeId: string, customerId: string) => ({
  ...query('GET /stores/{storeId}/customers/{customerId}', { params: { storeId, customerId } }),
  async queryFn() {
    const read = (id: string) =>
      call('GET /stores/{storeId}/customers/{customerId}', { params: { storeId, customerId: id } });
    let customer = await read(customerId);
    while (customer.mergedIntoId) customer = await read(customer.mergedIntoId);
    return customer;
  },
});

export function updateCachedCustomer(queryClient: QueryClient, storeId: string, customer: Customer) {
  queryClient.setQueryData(customerQuery(storeId, customer.id).queryKey, customer);
  void queryClient.invalidateQueries({ queryKey: [{ storeId }, LIST] });
}
