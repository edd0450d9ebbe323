import type { HomePeriod } from '@store-sales/contract/console';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const homeQuery = (storeId: string, days: HomePeriod) =>
  queryOptions({
    queryKey: ['stores', storeId, 'home', days],
    queryFn: () => call('GET /stores/{storeId}/home', { params: { storeId }, query: { days } }),
  });

export const bestProductsQuery = (storeId: string, days: HomePeriod) =>
  queryOptions({
    queryKey: ['stores', storeId, 'home-products', days],
    queryFn: () => call('GET /stores/{storeId}/home/products', { params: { storeId }, query: { days } }),
    placeholderData: keepPreviousData,
  });
