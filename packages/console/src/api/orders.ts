import type { OrderChange } from '@store-sales/contract';
import type { BoardQuery, OrderDetails, OrderPageQuery } from '@store-sales/contract/console';
import type { StatusGroup } from '@store-sales/contract/values';
import type { QueryClient } from '@tanstack/react-query';
import { call, ifMatch } from './client.ts';
import { pagesQuery, query } from './query.ts';

export const findOrders = (storeId: string, search: OrderPageQuery) =>
  call('GET /stores/{storeId}/orders', { params: { storeId }, query: search });

/** The statuses and types that an order form offers. */
export const choicesQuery = (storeId: string) => query('GET /stores/{storeId}/orders/choices', { params: { storeId } });
export const orderQuery = (storeId: string, orderId: string) =>
  query('GET /stores/{storeId}/orders/{orderId}', { params: { storeId, orderId } });
export const boardQuery = (storeId: string, group: StatusGroup, filters: Omit<BoardQuery, 'group' | 'cursor'>) =>
  pagesQuery('GET /stores/{storeId}/orders/board', { params: { storeId }, query: { ...filters, group } });

export const changeOrder = (storeId: string, orderId: string, body: OrderChange, etag?: string) =>
  call('PATCH /stores/{storeId}/orders/{orderId}', { params: { storeId, orderId }, body, ...ifMatch(etag) });

/** Updates the cached order after a change, and reloads the lists that may show it. */
export function updateCachedOrder(queryClient: QueryClient, storeId: string, details: OrderDetails) {
  queryClient.setQueryData(orderQuery(storeId, details.order.id).queryKey, details);
  reloadLists(queryClient, storeId);
}

export function reloadLists(queryClient: QueryClient, storeId: string) {
  for (const list of ['', '/board', '/counts'] as const)
    void queryClient.invalidateQueries({ queryKey: [{ storeId }, `GET /stores/{storeId}/orders${list}`] });
}
