import type { RequestFilter } from '@store-sales/contract/console';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const key = (storeId: string, ...rest: unknown[]) => ['stores', storeId, 'requests', ...rest] as const;

export const requestsQuery = (storeId: string, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: key(storeId, filter),
    queryFn: ({ pageParam: cursor }) =>
      call('GET /stores/{storeId}/requests', { params: { storeId }, query: { ...filter, cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A request made a moment ago must be listed.
    staleTime: 0,
  });

export const requestCountsQuery = (storeId: string, filter: RequestFilter) =>
  queryOptions({
    queryKey: key(storeId, 'counts', filter),
    queryFn: () => call('GET /stores/{storeId}/requests/counts', { params: { storeId }, query: filter }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const requestQuery = (storeId: string, lineId: string) =>
  queryOptions({
    queryKey: key(storeId, 'line', lineId),
    queryFn: () => call('GET /stores/{storeId}/requests/{lineId}', { params: { storeId, lineId } }),
  });
