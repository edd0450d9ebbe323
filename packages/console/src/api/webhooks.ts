import { query } from './query.ts';

export const endpointsQuery = (storeId: string) => query('GET /stores/{storeId}/webhooks', { params: { storeId } });
export const endpointQuery = (storeId: string, endpointId: string) =>
  query('GET /stores/{storeId}/webhooks/{endpointId}', { params: { storeId, endpointId } });
