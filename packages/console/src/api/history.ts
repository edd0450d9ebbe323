import type { HistoryKind, HistoryQuery } from '@store-sales/contract/console';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** An empty filter shows everything. */
export const historyQuery = (storeId: string, { kind = '', actor = '' }: { kind?: HistoryKind | ''; actor?: string }) =>
  infiniteQueryOptions({
    queryKey: ['stores', storeId, 'history', kind, actor],
    queryFn: ({ pageParam: cursor }) =>
      call('GET /stores/{storeId}/history', { params: { storeId }, query: { kind, actor, cursor } as HistoryQuery }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A change made a moment ago must be listed.
    staleTime: 0,
  });
