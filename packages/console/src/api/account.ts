import type {
  ChangePassword,
  ChangeProfile,
  ChangeStore,
  CreateKey,
  CreateStore,
  ForgottenPassword,
  ResetPassword,
  SetOrderMail,
  SetUp,
  SignIn,
} from '@store-sales/contract/console';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => call('GET /session'),
  staleTime: Number.POSITIVE_INFINITY,
  // When the session ends, the page still has to know whose it is.
  refetchOnReconnect: false,
});

export const storesQuery = queryOptions({
  queryKey: ['stores'],
  queryFn: () => call('GET /stores'),
});

export const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: () => call('GET /sessions'),
});

export const orderMailsQuery = queryOptions({
  queryKey: ['order-mails'],
  queryFn: () => call('GET /order-mails'),
});

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: () => call('GET /second-factor'),
});

export const keysQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'keys'],
    queryFn: () => call('GET /stores/{storeId}/keys', { params: { storeId } }),
  });

/** Undefined: signed in; else what the second step requires. */
export const signIn = (body: SignIn) => call('POST /session', { body });
export const signOut = () => call('DELETE /session');
export const setUp = (body: SetUp) => call('POST /setup', { body });
export const askForReset = (body: ForgottenPassword) => call('POST /forgotten-password', { body });
export const resetPassword = (body: ResetPassword) => call('POST /password-reset', { body });
export const changeProfile = (body: ChangeProfile) => call('PATCH /profile', { body });
export const changePassword = (body: ChangePassword) => call('PUT /password', { body });
export const signOutBrowser = (sessionId: string) => call('DELETE /sessions/{sessionId}', { params: { sessionId } });
export const signOutEverywhere = () => call('DELETE /sessions');
export const setOrderMail = (storeId: string, body: SetOrderMail) =>
  call('PUT /stores/{storeId}/order-mail', { params: { storeId }, body });
export const createStore = (body: CreateStore) => call('POST /stores', { body });
export const changeStore = (storeId: string, body: ChangeStore) =>
  call('PATCH /stores/{storeId}', { params: { storeId }, body });
export const createKey = (storeId: string, body: CreateKey) =>
  call('POST /stores/{storeId}/keys', { params: { storeId }, body });
export const revokeKey = (storeId: string, keyId: string) =>
  call('DELETE /stores/{storeId}/keys/{keyId}', { params: { storeId, keyId } });
