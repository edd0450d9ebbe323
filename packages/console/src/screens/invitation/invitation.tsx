import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { OpenedInvitation } from '@store-sales/contract/console';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery, storesQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { explain } from '../../shell/explain.ts';
import { Form } from '../../shell/form.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { announceOwner } from '../../shell/owner-channel.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSignOut } from '../../shell/use-sign-out.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

/** Keeps the token over the sign-in page, whose address is sent to the server when it is loaded again. */
const STORAGE_KEY = 'store-sales-invitation';

/** The token of the link is after `#`. */
function givenToken() {
  const token = window.location.hash.slice(1);
  if (token) sessionStorage.setItem(STORAGE_KEY, token);
  return token || (sessionStorage.getItem(STORAGE_KEY) ?? '');
}

export function Invitation() {
  const { t } = useTranslation();
  const [token] = useState(givenToken);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: invitation, error } = useQuery({ ...query('POST /invitation', { body: { token } }), retry: false });

  if (error)
    return (
      <EntryPage title={t('team.invalidTitle')} text={explain(error, t)}>
        <LinkButton fullWidth to="/">
          {t('team.toConsole')}
        </LinkButton>
      </EntryPage>
    );
  if (!invitation)
    return (
      <EntryPage title={t('nav.team')}>
        <Skeleton h={120} role="status" aria-label={t('common.loading')} />
      </EntryPage>
    );
  const { account } = session;
  const isForAccount = account?.email.toLowerCase() === invitation.email.toLowerCase();
  return (
    <EntryPage
      title={t('team.joinTitle', { store: invitation.storeName })}
      text={t('team.joinText', { role: t(`roles.${invitation.role}`), email: invitation.email })}
    >
      {account && !isForAccount ? (
        <OtherAccount email={account.email} invitation={invitation} />
      ) : account ? (
        <Accept token={token} />
      ) : invitation.hasAccount ? (
        <Stack>
          <Text>{t('team.signInFirst')}</Text>
          <LinkButton size="md" fullWidth to="/sign-in" search={{ next: '/invitation' }}>
            {t('signIn.submit')}
          </LinkButton>
        </Stack>
      ) : (
        <NewAccount token={token} />
      )}
    </EntryPage>
  );
}

function useJoined() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return async ({ storeId }: { storeId: string }) => {
    sessionStorage.removeItem(STORAGE_KEY);
    const { account } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    announceOwner(account?.id);
    await queryClient.fetchQuery({ ...storesQuery, staleTime: 0 });
    await navigate({ to: '/stores/$storeId', params: { storeId }, replace: true });
  };
}

function Accept({ token }: { token: string }) {
  const { t } = useTranslation();
  const onJoined = useJoined();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call('POST /invitation/accept', { body: { token } }),
    onSuccess: onJoined,
  });
  return (
    <Stack>
      <ProblemAlert>{error ? explain(error, t) : undefined}</ProblemAlert>
      <Button size="md" fullWidth loading={isPending} onClick={() => mutate()}>
        {t('team.accept')}
      </Button>
    </Stack>
  );
}

function OtherAccount({ email, invitation }: { email: string; invitation: OpenedInvitation }) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  return (
    <Stack>
      <Text>{t('team.otherAccount', { email, invited: invitation.email })}</Text>
      <Button size="md" fullWidth onClick={() => void signOut()}>
        {t('nav.signOut')}
      </Button>
    </Stack>
  );
}

function NewAccount({ token }: { token: string }) {
  const { t } = useTranslation();
  const { required, newPassword } = validators(t);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', password: '' },
    validate: { name: required(200), password: newPassword },
  });
  const onJoined = useJoined();
  const submission = useSubmit(
    form,
    (values: { name: string; password: string }) => call('POST /invitation/account', { body: { token, ...values } }),
    onJoined,
  );
  return (
    <Form submission={submission} action={t('team.join')} isWide>
      <TextInput label={t('setup.name')} autoComplete="name" {...form.getInputProps('name')} />
      <SecretInput
        label={t('team.password')}
        description={t('setup.passwordHint')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </Form>
  );
}
