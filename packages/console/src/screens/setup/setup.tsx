import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery, setUp } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

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
  const { email, required, newPassword } = validators(t);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // The setup link has the token after `#`; without it, the form asks for it.
  const [linkToken] = useState(() => window.location.hash.slice(1));
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { token: linkToken, name: '', email: '', password: '' },
    validate: { token: required(200), name: required(200), email, password: newPassword },
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
          {!linkToken && (
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
