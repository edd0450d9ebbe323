import type { SaveShop } from '@store-sales/contract/console';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const shopQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'shop'],
    queryFn: () => call('GET /stores/{storeId}/shop', { params: { storeId } }),
    // A form keeps what was typed until it is left.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });

export const saveShop = (storeId: string, body: SaveShop, etag: string) =>
  call('PUT /stores/{storeId}/shop', { params: { storeId }, body, headers: { 'If-Match': etag } });
