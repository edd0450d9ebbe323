import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import { query } from './query.ts';

export const orderStatusesQuery = (storeId: string) =>
  query('GET /stores/{storeId}/order-statuses', { params: { storeId } });
export const statusMailsQuery = (storeId: string) =>
  query('GET /stores/{storeId}/status-mails', { params: { storeId } });
export const paymentStatusesQuery = (storeId: string) =>
  query('GET /stores/{storeId}/payment-statuses', { params: { storeId } });
export const deliveryTypesQuery = (storeId: string) =>
  query('GET /stores/{storeId}/delivery-types', { params: { storeId } });
export const warehousesQuery = (storeId: string) => query('GET /stores/{storeId}/warehouses', { params: { storeId } });

/** The record as it is now. */
export const reloadRecord = async <Shape extends { id: string }>(
  queryClient: QueryClient,
  list: { queryKey: QueryKey; queryFn?: unknown },
  record: Shape,
): Promise<Shape> => {
  const records = await queryClient.fetchQuery<Shape[]>({ ...(list as FetchQueryOptions<Shape[]>), staleTime: 0 });
  return records.find(({ id }) => id === record.id) ?? record;
};

/** Replaces a changed record in a cached list, or appends a new one. */
export function updateCachedList<Shape extends { id: string }>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  record: Shape,
) {
  queryClient.setQueryData<Shape[]>(queryKey, (records = []) =>
    records.some(({ id }) => id === record.id)
      ? records.map((other) => (other.id === record.id ? record : other))
      : [...records, record],
  );
}
