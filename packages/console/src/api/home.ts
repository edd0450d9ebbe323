import type { BestProduct, Home, HomePeriod } from '@store-sales/contract/console';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const homeQuery = (storeId: string, days: HomePeriod) =>
  queryOptions({
    queryKey: ['stores', storeId, 'home', days],
    queryFn: () => call<Home>('GET', `/stores/${storeId}/home?days=${days}`),
  });

export const bestProductsQuery = (storeId: string, days: HomePeriod) =>
  queryOptions({
    queryKey: ['stores', storeId, 'home-products', days],
    queryFn: () => call<BestProduct[]>('GET', `/stores/${storeId}/home/products?days=${days}`),
    placeholderData: keepPreviousData,
  });
