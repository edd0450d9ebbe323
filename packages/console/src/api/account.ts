import type {
  ApiKey,
  ChangePassword,
  ChangeProfile,
  ChangeStore,
  CreatedKey,
  CreateKey,
  CreateStore,
  Owner,
  SessionState,
  SetUp,
  SignedInBrowser,
  SignIn,
  Store,
} from '@store-sales/contract/console';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** What is read, each under the name by which it is kept and refreshed. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => call<SessionState>('GET', '/session'),
  staleTime: Number.POSITIVE_INFINITY,
});

export const storesQuery = queryOptions({
  queryKey: ['stores'],
  queryFn: () => call<Store[]>('GET', '/stores'),
});

export const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: () => call<SignedInBrowser[]>('GET', '/sessions'),
});

export const keysQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'keys'],
    queryFn: () => call<ApiKey[]>('GET', `/stores/${storeId}/keys`),
  });

/** What is changed. */
export const signIn = (body: SignIn) => call<void>('POST', '/session', body);
export const signOut = () => call<void>('DELETE', '/session');
export const setUp = (body: SetUp) => call<void>('POST', '/setup', body);
export const changeProfile = (body: ChangeProfile) => call<Owner>('PATCH', '/profile', body);
export const changePassword = (body: ChangePassword) => call<void>('PUT', '/password', body);
export const signOutBrowser = (id: string) => call<void>('DELETE', `/sessions/${id}`);
export const signOutEverywhere = () => call<void>('DELETE', '/sessions');
export const createStore = (body: CreateStore) => call<Store>('POST', '/stores', body);
export const changeStore = (id: string, body: ChangeStore) => call<Store>('PATCH', `/stores/${id}`, body);
export const createKey = (storeId: string, body: CreateKey) =>
  call<CreatedKey>('POST', `/stores/${storeId}/keys`, body);
export const revokeKey = (storeId: string, id: string) => call<ApiKey>('DELETE', `/stores/${storeId}/keys/${id}`);
