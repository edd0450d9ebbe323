import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery, setUp } from '../../api/account.ts';
import { checks } from '../../shell/checks.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSubmit } from '../../shell/use-submit.ts';

/** The first page of a new installation, opened by the link that the server prints. */
export function Setup() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  if (data.setupNeeded) return <SetupForm />;
  return (
    <EntryPage title={t('setup.doneTitle')} text={t('setup.doneText')}>
      <Button fullWidth renderRoot={(props) => <Link to="/sign-in" {...props} />}>
        {t('setup.toSignIn')}
      </Button>
    </EntryPage>
  );
}

function SetupForm() {
  const { t } = useTranslation();
  const { email, filled, newPassword } = checks(t);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // Behind the `#` of the link; whoever came without one can paste it.
  const [given] = useState(() => window.location.hash.slice(1));
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { token: given, name: '', email: '', password: '' },
    validate: { token: filled(200), name: filled(200), email, password: newPassword },
  });
  const { onSubmit, isSending, problem } = useSubmit(form, setUp, async () => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await navigate({ to: '/' });
  });

  return (
    <EntryPage title={t('setup.title')} text={t('setup.text')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{problem}</ProblemAlert>
          {!given && (
            <TextInput
              label={t('setup.token')}
              description={t('setup.tokenHint')}
              autoComplete="off"
              key={form.key('token')}
              {...form.getInputProps('token')}
            />
          )}
          <TextInput
            label={t('setup.name')}
            autoComplete="name"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t('setup.email')}
            type="email"
            autoComplete="username"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <SecretInput
            label={t('setup.password')}
            description={t('setup.passwordHint')}
            autoComplete="new-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" size="md" fullWidth loading={isSending}>
            {t('setup.submit')}
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}
