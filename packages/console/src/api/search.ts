import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const searchQuery = (storeId: string, q: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'search', q],
    queryFn: () => call('GET /stores/{storeId}/search', { params: { storeId }, query: { q } }),
    placeholderData: keepPreviousData,
  });
