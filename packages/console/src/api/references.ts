import type {
  DeliveryType,
  DeliveryTypeChange,
  OrderStatus,
  OrderStatusChange,
  OrderStatusCreate,
  PaymentStatus,
  PaymentStatusChange,
  PaymentStatusCreate,
  PaymentType,
  PaymentTypeCreate,
  StatusGroup,
  Warehouse,
  WarehouseCreate,
} from '@store-sales/contract';
import type { ChangeWarehouse, CreateDeliveryType, OrdersToMove } from '@store-sales/contract/console';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const list = <Shape>(storeId: string, name: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'references', name],
    queryFn: () => call<Shape[]>('GET', `/stores/${storeId}/${name}`),
  });

export const orderStatusesQuery = (storeId: string) => list<OrderStatus>(storeId, 'order-statuses');
export const paymentStatusesQuery = (storeId: string) => list<PaymentStatus>(storeId, 'payment-statuses');
export const paymentTypesQuery = (storeId: string) => list<PaymentType>(storeId, 'payment-types');
export const deliveryTypesQuery = (storeId: string) => list<DeliveryType>(storeId, 'delivery-types');
export const warehousesQuery = (storeId: string) => list<Warehouse>(storeId, 'warehouses');

export type StatusList = 'order-statuses' | 'payment-statuses';

/** Asked anew each time: between two looks orders come and go. */
export const ordersToMoveQuery = (storeId: string, of: StatusList, id: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'references', of, id, 'orders'],
    queryFn: () => call<OrdersToMove>('GET', `/stores/${storeId}/${of}/${id}/orders`),
    staleTime: 0,
    gcTime: 0,
  });

export const createOrderStatus = (storeId: string, body: OrderStatusCreate) =>
  call<OrderStatus>('POST', `/stores/${storeId}/order-statuses`, body);
export const changeOrderStatus = (storeId: string, id: string, body: OrderStatusChange) =>
  call<OrderStatus>('PATCH', `/stores/${storeId}/order-statuses/${id}`, body);
export const arrangeOrderStatuses = (storeId: string, group: StatusGroup, ids: string[]) =>
  call<OrderStatus[]>('PUT', `/stores/${storeId}/order-statuses`, { group, ids });
export const createPaymentStatus = (storeId: string, body: PaymentStatusCreate) =>
  call<PaymentStatus>('POST', `/stores/${storeId}/payment-statuses`, body);
export const changePaymentStatus = (storeId: string, id: string, body: PaymentStatusChange) =>
  call<PaymentStatus>('PATCH', `/stores/${storeId}/payment-statuses/${id}`, body);
export const arrangePaymentStatuses = (storeId: string, ids: string[]) =>
  call<PaymentStatus[]>('PUT', `/stores/${storeId}/payment-statuses`, { ids });
export const createPaymentType = (storeId: string, body: PaymentTypeCreate) =>
  call<PaymentType>('POST', `/stores/${storeId}/payment-types`, body);
export const switchPaymentType = (storeId: string, id: string, isActive: boolean) =>
  call<PaymentType>('PATCH', `/stores/${storeId}/payment-types/${id}`, { isActive });
export const createDeliveryType = (storeId: string, body: CreateDeliveryType) =>
  call<DeliveryType>('POST', `/stores/${storeId}/delivery-types`, body);
export const changeDeliveryType = (storeId: string, id: string, body: DeliveryTypeChange) =>
  call<DeliveryType>('PATCH', `/stores/${storeId}/delivery-types/${id}`, body);
export const createWarehouse = (storeId: string, body: WarehouseCreate) =>
  call<Warehouse>('POST', `/stores/${storeId}/warehouses`, body);
export const changeWarehouse = (storeId: string, id: string, body: ChangeWarehouse) =>
  call<Warehouse>('PATCH', `/stores/${storeId}/warehouses/${id}`, body);

/** Puts a record that was changed in its place in a list that is kept, and one that is new at its end. */
export function keep<Shape extends { id: string }>(
  queryClient: QueryClient,
  query: { queryKey: readonly unknown[] },
  record: Shape,
) {
  queryClient.setQueryData<Shape[]>(query.queryKey, (kept = []) =>
    kept.some(({ id }) => id === record.id)
      ? kept.map((other) => (other.id === record.id ? record : other))
      : [...kept, record],
  );
}
