import type { HomePeriod } from '@store-sales/contract/values';
import { query } from './query.ts';

export const homeQuery = (storeId: string, days: HomePeriod) =>
  query('GET /stores/{storeId}/home', { params: { storeId }, query: { days } });
