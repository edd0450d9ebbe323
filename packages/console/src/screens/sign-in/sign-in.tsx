import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery, signIn } from '../../api/account.ts';
import { checks } from '../../shell/checks.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSubmit } from '../../shell/use-submit.ts';

export function SignIn() {
  const { t } = useTranslation();
  const { email, filled } = checks(t);
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queryClient = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email, password: filled(200) },
  });
  const { onSubmit, isSending, problem } = useSubmit(form, signIn, async () => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.replace(`/console${next}`);
  });

  return (
    <EntryPage title={t('signIn.title')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{problem}</ProblemAlert>
          <TextInput
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <SecretInput
            label={t('signIn.password')}
            autoComplete="current-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" size="md" fullWidth loading={isSending}>
            {t('signIn.submit')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('signIn.forgot')}
          </Text>
        </Stack>
      </form>
    </EntryPage>
  );
}
