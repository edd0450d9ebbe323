import { query } from './query.ts';

export const sessionQuery = {
  ...query('GET /session'),
  staleTime: Number.POSITIVE_INFINITY,
  // When the session ends, the page still has to know whose it is.
  refetchOnReconnect: false,
};
export const storesQuery = query('GET /stores');
export const browsersQuery = query('GET /sessions');
export const orderMailsQuery = query('GET /order-mails');
export const secondFactorQuery = query('GET /second-factor');
export const keysQuery = (storeId: string) => query('GET /stores/{storeId}/keys', { params: { storeId } });
export const sellerQuery = (storeId: string) => query('GET /stores/{storeId}/seller', { params: { storeId } });
