import type { ChangeEndpoint, CreateEndpoint, DeliveryFilter } from '@store-sales/contract/console';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const key = (storeId: string, ...rest: unknown[]) => ['stores', storeId, 'webhooks', ...rest] as const;

export const endpointsQuery = (storeId: string) =>
  queryOptions({
    queryKey: key(storeId),
    queryFn: () => call('GET /stores/{storeId}/webhooks', { params: { storeId } }),
  });

export const endpointQuery = (storeId: string, endpointId: string) =>
  queryOptions({
    queryKey: key(storeId, endpointId),
    queryFn: () => call('GET /stores/{storeId}/webhooks/{endpointId}', { params: { storeId, endpointId } }),
  });

export const deliveriesQuery = (storeId: string, endpointId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: key(storeId, endpointId, 'deliveries', filter),
    queryFn: ({ pageParam: cursor }) =>
      call('GET /stores/{storeId}/webhooks/{endpointId}/deliveries', {
        params: { storeId, endpointId },
        query: { ...filter, cursor },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const resendableQuery = (storeId: string, endpointId: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: key(storeId, endpointId, 'resendable', filter),
    queryFn: () =>
      call('GET /stores/{storeId}/webhooks/{endpointId}/resend', { params: { storeId, endpointId }, query: filter }),
    staleTime: 0,
    gcTime: 0,
  });

export const readDelivery = (storeId: string, endpointId: string, deliveryId: string) =>
  call('GET /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}', {
    params: { storeId, endpointId, deliveryId },
  });
export const addEndpoint = (storeId: string, body: CreateEndpoint) =>
  call('POST /stores/{storeId}/webhooks', { params: { storeId }, body });
export const changeEndpoint = (storeId: string, endpointId: string, body: ChangeEndpoint) =>
  call('PATCH /stores/{storeId}/webhooks/{endpointId}', { params: { storeId, endpointId }, body });
export const pingEndpoint = (storeId: string, endpointId: string) =>
  call('POST /stores/{storeId}/webhooks/{endpointId}/ping', { params: { storeId, endpointId } });
export const enableEndpoint = (storeId: string, endpointId: string, sendMissed: boolean) =>
  call('POST /stores/{storeId}/webhooks/{endpointId}/enable', {
    params: { storeId, endpointId },
    body: { sendMissed },
  });
export const disableEndpoint = (storeId: string, endpointId: string) =>
  call('POST /stores/{storeId}/webhooks/{endpointId}/disable', { params: { storeId, endpointId } });
export const rotateSecret = (storeId: string, endpointId: string) =>
  call('POST /stores/{storeId}/webhooks/{endpointId}/rotate', { params: { storeId, endpointId } });
export const resendDelivery = (storeId: string, endpointId: string, deliveryId: string) =>
  call('POST /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}/resend', {
    params: { storeId, endpointId, deliveryId },
  });
export const resendMatching = (storeId: string, endpointId: string, filter: DeliveryFilter) =>
  call('POST /stores/{storeId}/webhooks/{endpointId}/resend', { params: { storeId, endpointId }, body: filter });

export const deleteEndpoint = (storeId: string, endpointId: string) =>
  call('DELETE /stores/{storeId}/webhooks/{endpointId}', { params: { storeId, endpointId } });
