import type { OrderChange, OrderCreate } from '@store-sales/contract';
import type { FoundProduct, OrderChoices, OrderDetails, OrderPage, OrderView } from '@store-sales/contract/console';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const key = (storeId: string, ...rest: unknown[]) => ['stores', storeId, 'orders', ...rest] as const;
const path = (storeId: string) => `/stores/${storeId}/orders`;
const parameters = (view: object) => `${new URLSearchParams(view as Record<string, string>)}`;

export const ordersQuery = (storeId: string, view: OrderView & { cursor?: string }) =>
  queryOptions({
    queryKey: key(storeId, 'table', view),
    queryFn: () => call<OrderPage>('GET', `${path(storeId)}?${parameters(view)}`),
    placeholderData: keepPreviousData,
  });

/** Statuses and types change rarely; they are asked for again when a screen is opened anew. */
export const choicesQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'choices'),
    queryFn: () => call<OrderChoices>('GET', `${path(storeId)}/choices`),
  });

export const orderQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: key(storeId, 'one', id),
    queryFn: () => call<OrderDetails>('GET', `${path(storeId)}/${id}`),
  });

export const boardQuery = (storeId: string, group: string) =>
  infiniteQueryOptions({
    queryKey: key(storeId, 'board', group),
    queryFn: ({ pageParam }) =>
      call<OrderPage>(
        'GET',
        `${path(storeId)}/board?${parameters({ group, ...(pageParam && { cursor: pageParam }) })}`,
      ),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor,
  });

export const productsQuery = (storeId: string, q: string) =>
  queryOptions({
    queryKey: key(storeId, 'products', q),
    queryFn: () => call<FoundProduct[]>('GET', `${path(storeId)}/products?${parameters({ q })}`),
    placeholderData: keepPreviousData,
  });

export const exportAddress = (storeId: string, view: OrderView) =>
  `/console/api${path(storeId)}/export?${parameters(view)}`;

export const createOrder = (storeId: string, body: OrderCreate) => call<OrderDetails>('POST', path(storeId), body);

export const changeOrder = (storeId: string, id: string, body: OrderChange, etag?: string) =>
  call<OrderDetails>('PATCH', `${path(storeId)}/${id}`, body, etag ? { 'If-Match': etag } : {});

export const resendDelivery = (storeId: string, id: string) =>
  call<{ id: string }>('POST', `${path(storeId)}/deliveries/${id}/resend`);

/** After a change: the order as it is now, and lists that may show it are read again. */
export function keepOrder(queryClient: QueryClient, storeId: string, paper: OrderDetails) {
  queryClient.setQueryData(orderQuery(storeId, paper.order.id).queryKey, paper);
  for (const list of ['table', 'board']) void queryClient.invalidateQueries({ queryKey: key(storeId, list) });
}
