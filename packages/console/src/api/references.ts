import type {
  DeliveryTypeChange,
  OrderStatusChange,
  OrderStatusCreate,
  PaymentStatusChange,
  PaymentStatusCreate,
  PaymentTypeCreate,
  StatusGroup,
  WarehouseCreate,
} from '@store-sales/contract';
import type { ChangeWarehouse, CreateDeliveryType } from '@store-sales/contract/console';
import { type FetchQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const key = (storeId: string, ...rest: string[]) => ['stores', storeId, 'references', ...rest] as const;

export const orderStatusesQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'order-statuses'),
    queryFn: () => call('GET /stores/{storeId}/order-statuses', { params: { storeId } }),
  });
export const paymentStatusesQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'payment-statuses'),
    queryFn: () => call('GET /stores/{storeId}/payment-statuses', { params: { storeId } }),
  });
export const paymentTypesQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'payment-types'),
    queryFn: () => call('GET /stores/{storeId}/payment-types', { params: { storeId } }),
  });
export const deliveryTypesQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'delivery-types'),
    queryFn: () => call('GET /stores/{storeId}/delivery-types', { params: { storeId } }),
  });
export const warehousesQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId, 'warehouses'),
    queryFn: () => call('GET /stores/{storeId}/warehouses', { params: { storeId } }),
  });

export type StatusList = 'order-statuses' | 'payment-statuses';

/** Never cached: the number of orders changes all the time. */
export const ordersToMoveQuery = (storeId: string, list: StatusList, id: string) =>
  queryOptions({
    queryKey: key(storeId, list, id, 'orders'),
    queryFn: () =>
      list === 'order-statuses'
        ? call('GET /stores/{storeId}/order-statuses/{statusId}/orders', { params: { storeId, statusId: id } })
        : call('GET /stores/{storeId}/payment-statuses/{paymentStatusId}/orders', {
            params: { storeId, paymentStatusId: id },
          }),
    staleTime: 0,
    gcTime: 0,
  });

const ifMatch = (etag: string | undefined) => (etag ? { headers: { 'If-Match': etag } } : {});

export const createOrderStatus = (storeId: string, body: OrderStatusCreate) =>
  call('POST /stores/{storeId}/order-statuses', { params: { storeId }, body });
export const changeOrderStatus = (storeId: string, statusId: string, body: OrderStatusChange, etag?: string) =>
  call('PATCH /stores/{storeId}/order-statuses/{statusId}', { params: { storeId, statusId }, body, ...ifMatch(etag) });
export const arrangeOrderStatuses = (storeId: string, group: StatusGroup, ids: string[]) =>
  call('PUT /stores/{storeId}/order-statuses', { params: { storeId }, body: { group, ids } });
export const createPaymentStatus = (storeId: string, body: PaymentStatusCreate) =>
  call('POST /stores/{storeId}/payment-statuses', { params: { storeId }, body });
export const changePaymentStatus = (
  storeId: string,
  paymentStatusId: string,
  body: PaymentStatusChange,
  etag?: string,
) =>
  call('PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}', {
    params: { storeId, paymentStatusId },
    body,
    ...ifMatch(etag),
  });
export const arrangePaymentStatuses = (storeId: string, ids: string[]) =>
  call('PUT /stores/{storeId}/payment-statuses', { params: { storeId }, body: { ids } });
export const createPaymentType = (storeId: string, body: PaymentTypeCreate) =>
  call('POST /stores/{storeId}/payment-types', { params: { storeId }, body });
export const switchPaymentType = (storeId: string, paymentTypeId: string, isActive: boolean) =>
  call('PATCH /stores/{storeId}/payment-types/{paymentTypeId}', {
    params: { storeId, paymentTypeId },
    body: { isActive },
  });
export const createDeliveryType = (storeId: string, body: CreateDeliveryType) =>
  call('POST /stores/{storeId}/delivery-types', { params: { storeId }, body });
export const changeDeliveryType = (storeId: string, deliveryTypeId: string, body: DeliveryTypeChange, etag?: string) =>
  call('PATCH /stores/{storeId}/delivery-types/{deliveryTypeId}', {
    params: { storeId, deliveryTypeId },
    body,
    ...ifMatch(etag),
  });
export const createWarehouse = (storeId: string, body: WarehouseCreate) =>
  call('POST /stores/{storeId}/warehouses', { params: { storeId }, body });
export const changeWarehouse = (storeId: string, warehouseId: string, body: ChangeWarehouse, etag?: string) =>
  call('PATCH /stores/{storeId}/warehouses/{warehouseId}', {
    params: { storeId, warehouseId },
    body,
    ...ifMatch(etag),
  });

/** The record as it is now. */
export const reloadRecord = async <Shape extends { id: string }>(
  queryClient: QueryClient,
  query: { queryKey: readonly unknown[]; queryFn?: unknown },
  record: Shape,
): Promise<Shape> => {
  const records = await queryClient.fetchQuery<Shape[]>({ ...(query as FetchQueryOptions<Shape[]>), staleTime: 0 });
  return records.find(({ id }) => id === record.id) ?? record;
};

/** Replaces a changed record in a cached list, or appends a new one. */
export function updateCachedList<Shape extends { id: string }>(
  queryClient: QueryClient,
  query: { queryKey: readonly unknown[] },
  record: Shape,
) {
  queryClient.setQueryData<Shape[]>(query.queryKey, (records = []) =>
    records.some(({ id }) => id === record.id)
      ? records.map((other) => (other.id === record.id ? record : other))
      : [...records, record],
  );
}
