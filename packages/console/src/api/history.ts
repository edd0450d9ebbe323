import type { HistoryPage, HistoryQuery } from '@store-sales/contract/console';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const historyQuery = (
  storeId: string,
  { kind = '', actor = '' }: Omit<HistoryQuery, 'cursor'> | { kind: ''; actor: '' },
) =>
  infiniteQueryOptions({
    queryKey: ['stores', storeId, 'history', kind, actor],
    queryFn({ pageParam }) {
      const query = new URLSearchParams({
        ...(kind && { kind }),
        ...(actor && { actor }),
        ...(pageParam && { cursor: pageParam }),
      });
      return call<HistoryPage>('GET', `/stores/${storeId}/history?${query}`);
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // What was done a moment ago must be there.
    staleTime: 0,
  });
