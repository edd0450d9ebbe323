import type { OrderChange, OrderCreate, StatusGroup } from '@store-sales/contract';
import type {
  BoardQuery,
  BulkChange,
  OrderCountsQuery,
  OrderDetails,
  OrderExportQuery,
  OrderPageQuery,
  SaveOrderView,
} from '@store-sales/contract/console';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call, urlOf } from './client.ts';

const key = (storeId: string, ...rest: unknown[]) => ['stores', storeId, 'orders', ...rest] as const;

export const findOrders = (storeId: string, query: OrderPageQuery) =>
  call('GET /stores/{storeId}/orders', { params: { storeId }, query });

export const ordersQuery = (storeId: string, query: OrderPageQuery) =>
  queryOptions({
    queryKey: key(storeId, 'table', query),
    queryFn: () => findOrders(storeId, query),
    placeholderData: keepPreviousData,
  });

export const countsQuery = (storeId: string, query: OrderCountsQuery) =>
  queryOptions({
    queryKey: key(storeId, 'counts', query),
    queryFn: () => call('GET /stores/{storeId}/orders/counts', { params: { storeId }, query }),
    placeholderData: keepPreviousData,
  });

export const viewsQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'views'),
    queryFn: () => call('GET /stores/{storeId}/order-views', { params: { storeId } }),
  });

export const createView = (storeId: string, body: SaveOrderView) =>
  call('POST /stores/{storeId}/order-views', { params: { storeId }, body });

export const changeView = (storeId: string, viewId: string, body: SaveOrderView) =>
  call('PUT /stores/{storeId}/order-views/{viewId}', { params: { storeId, viewId }, body });

export const deleteView = (storeId: string, viewId: string) =>
  call('DELETE /stores/{storeId}/order-views/{viewId}', { params: { storeId, viewId } });

export const changeOrders = (storeId: string, body: BulkChange) =>
  call('POST /stores/{storeId}/orders/bulk', { params: { storeId }, body });

/** The statuses and types that an order form offers. */
export const choicesQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'choices'),
    queryFn: () => call('GET /stores/{storeId}/orders/choices', { params: { storeId } }),
  });

export const orderQuery = (storeId: string, orderId: string) =>
  queryOptions({
    queryKey: key(storeId, 'one', orderId),
    queryFn: () => call('GET /stores/{storeId}/orders/{orderId}', { params: { storeId, orderId } }),
  });

export const boardQuery = (storeId: string, group: StatusGroup, filters: Omit<BoardQuery, 'group' | 'cursor'>) =>
  infiniteQueryOptions({
    queryKey: key(storeId, 'board', group, filters),
    queryFn: ({ pageParam: cursor }) =>
      call('GET /stores/{storeId}/orders/board', { params: { storeId }, query: { ...filters, group, cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor,
  });

export const productsQuery = (storeId: string, q: string) =>
  queryOptions({
    queryKey: key(storeId, 'products', q),
    queryFn: () => call('GET /stores/{storeId}/orders/products', { params: { storeId }, query: { q } }),
    placeholderData: keepPreviousData,
  });

export const exportAddress = (storeId: string, query: OrderExportQuery) =>
  urlOf('GET /stores/{storeId}/orders/export', { params: { storeId }, query });

export const createOrder = (storeId: string, body: OrderCreate, idempotencyKey: string) =>
  call('POST /stores/{storeId}/orders', {
    params: { storeId },
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  });

export const changeOrder = (storeId: string, orderId: string, body: OrderChange, etag?: string) =>
  call('PATCH /stores/{storeId}/orders/{orderId}', {
    params: { storeId, orderId },
    body,
    headers: etag ? { 'If-Match': etag } : {},
  });

export const resendDelivery = (storeId: string, deliveryId: string) =>
  call('POST /stores/{storeId}/orders/deliveries/{deliveryId}/resend', { params: { storeId, deliveryId } });

/** Updates the cached order after a change, and reloads the lists that may show it. */
export function updateCachedOrder(queryClient: QueryClient, storeId: string, details: OrderDetails) {
  queryClient.setQueryData(orderQuery(storeId, details.order.id).queryKey, details);
  reloadLists(queryClient, storeId);
}

export function reloadLists(queryClient: QueryClient, storeId: string) {
  for (const list of ['table', 'board', 'counts']) void queryClient.invalidateQueries({ queryKey: key(storeId, list) });
}
