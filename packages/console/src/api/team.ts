import type { ChangeMember, Invite, JoinWithNewAccount } from '@store-sales/contract/console';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const teamQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'team'],
    queryFn: () => call('GET /stores/{storeId}/members', { params: { storeId } }),
  });

export const changeMember = (storeId: string, accountId: string, body: ChangeMember) =>
  call('PATCH /stores/{storeId}/members/{accountId}', { params: { storeId, accountId }, body });
export const removeMember = (storeId: string, accountId: string) =>
  call('DELETE /stores/{storeId}/members/{accountId}', { params: { storeId, accountId } });
export const leaveStore = (storeId: string) => call('DELETE /stores/{storeId}/membership', { params: { storeId } });
export const invite = (storeId: string, body: Invite) =>
  call('POST /stores/{storeId}/invitations', { params: { storeId }, body });
export const renewInvitation = (storeId: string, invitationId: string) =>
  call('POST /stores/{storeId}/invitations/{invitationId}/renew', { params: { storeId, invitationId } });
export const withdrawInvitation = (storeId: string, invitationId: string) =>
  call('DELETE /stores/{storeId}/invitations/{invitationId}', { params: { storeId, invitationId } });

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => call('POST /invitation', { body: { token } }),
    retry: false,
  });
export const acceptInvitation = (token: string) => call('POST /invitation/accept', { body: { token } });
export const joinWithNewAccount = (body: JoinWithNewAccount) => call('POST /invitation/account', { body });
export const requireSecondFactor = (storeId: string, isRequired: boolean) =>
  call('PUT /stores/{storeId}/second-factor', { params: { storeId }, body: { isRequired } });
