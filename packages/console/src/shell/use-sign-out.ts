import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../api/account.ts';

/** Leaves nothing of this owner's behind in the page, whatever the way out was. */
export function useSignOut(leave: () => Promise<void> = signOut) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await leave();
    queryClient.clear();
    await navigate({ to: '/sign-in', search: {} });
  };
}
