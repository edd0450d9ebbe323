import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/account.ts';
import { onRefusal } from '../api/client.ts';
import { useTranslation } from '../i18n/index.ts';
import { Dialog } from './dialog.tsx';
import { announceOwner, leaveForAnotherOwner, onOwnerAnnounced } from './owner-channel.ts';
import type { SessionFormProps } from './session-form.tsx';

/**
 * Signs the owner in again over the page when the session ends, so that nothing typed is lost. The calls that found it
 * ended wait for this one dialog. Before there is a page, the router shows the sign-in page instead.
 */
export function SessionDialog() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const waiting = useRef<((isRestored: boolean) => void)[]>([]);
  const [email, setEmail] = useState<string>();
  const [Form, setForm] = useState<ComponentType<SessionFormProps>>();
  const resume = useCallback(() => {
    setEmail(undefined);
    for (const resolve of waiting.current.splice(0)) resolve(true);
  }, []);

  useEffect(() => {
    const account = () => queryClient.getQueryData(sessionQuery.queryKey)?.account;
    const unsubscribe = onRefusal('signed_out', async () => {
      const email = account()?.email;
      if (!email) return false;
      const form = await import('./session-form.tsx').catch(() => undefined);
      if (!form) return false;
      setForm(() => form.SessionForm);
      setEmail(email);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
    const stopListening = onOwnerAnnounced((ownerId) => {
      const current = account()?.id;
      if (ownerId === current) resume();
      else if (current) leaveForAnotherOwner();
    });
    return () => {
      unsubscribe();
      stopListening();
    };
  }, [queryClient, resume]);

  async function onSignedIn() {
    const before = queryClient.getQueryData(sessionQuery.queryKey)?.account?.id;
    const { account } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    announceOwner(account?.id);
    if (account?.id === before) resume();
    else leaveForAnotherOwner();
  }

  if (!Form || email === undefined) return null;
  return (
    <Dialog onClose={() => {}} title={t('sessionEnded.title')} isKeptOpen>
      <Form email={email} onDone={onSignedIn} />
    </Dialog>
  );
}
