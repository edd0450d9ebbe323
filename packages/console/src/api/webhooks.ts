import type {
  ChangeEndpoint,
  CreateEndpoint,
  Delivery,
  DeliveryFilter,
  DeliveryPage,
  Endpoint,
  EndpointDetails,
  EndpointSecret,
  Resendable,
} from '@store-sales/contract/console';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const list = (storeId: string) => `/stores/${storeId}/webhooks`;
const one = (storeId: string, id: string) => `${list(storeId)}/${id}`;

function withQuery(path: string, values: Record<string, string | undefined>) {
  const query = new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]));
  return query.size ? `${path}?${query}` : path;
}

export const endpointsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'webhooks'],
    queryFn: () => call<Endpoint[]>('GET', list(storeId)),
  });

export const endpointQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'webhooks', id],
    queryFn: () => call<EndpointDetails>('GET', one(storeId, id)),
  });

export const deliveriesQuery = (storeId: string, id: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['stores', storeId, 'webhooks', id, 'deliveries', filter],
    queryFn: ({ pageParam }) =>
      call<DeliveryPage>('GET', withQuery(`${one(storeId, id)}/deliveries`, { ...filter, cursor: pageParam })),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const resendableQuery = (storeId: string, id: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: ['stores', storeId, 'webhooks', id, 'resendable', filter],
    queryFn: () => call<Resendable>('GET', withQuery(`${one(storeId, id)}/resend`, filter)),
    staleTime: 0,
    gcTime: 0,
  });

export const readDelivery = (storeId: string, id: string, deliveryId: string) =>
  call<Delivery>('GET', `${one(storeId, id)}/deliveries/${deliveryId}`);
export const addEndpoint = (storeId: string, body: CreateEndpoint) => call<EndpointSecret>('POST', list(storeId), body);
export const changeEndpoint = (storeId: string, id: string, body: ChangeEndpoint) =>
  call<EndpointDetails>('PATCH', one(storeId, id), body);
export const pingEndpoint = (storeId: string, id: string) =>
  call<{ deliveryId: string }>('POST', `${one(storeId, id)}/ping`);
export const enableEndpoint = (storeId: string, id: string, sendMissed: boolean) =>
  call<EndpointDetails>('POST', `${one(storeId, id)}/enable`, { sendMissed });
export const disableEndpoint = (storeId: string, id: string) =>
  call<EndpointDetails>('POST', `${one(storeId, id)}/disable`);
export const rotateSecret = (storeId: string, id: string) => call<EndpointSecret>('POST', `${one(storeId, id)}/rotate`);
export const resendDelivery = (storeId: string, id: string, deliveryId: string) =>
  call<Delivery>('POST', `${one(storeId, id)}/deliveries/${deliveryId}/resend`);
export const resendMatching = (storeId: string, id: string, filter: DeliveryFilter) =>
  call<{ count: number }>('POST', `${one(storeId, id)}/resend`, filter);
