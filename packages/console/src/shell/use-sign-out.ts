import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { removeDrafts } from './drafts.ts';
import { announceOwner } from './owner-channel.ts';
import { confirmDiscard } from './unsaved.tsx';

/** Also clears the query cache and the drafts, so that the next owner does not see this owner's data. */
export function useSignOut(leave: () => Promise<void> = () => call('DELETE /session')) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    if (!(await confirmDiscard())) return;
    await leave();
    removeDrafts();
    announceOwner(undefined);
    queryClient.clear();
    await navigate({ to: '/sign-in', search: {} });
  };
}
