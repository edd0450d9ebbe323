import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { sessionQuery, signIn } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { announceOwner } from '../../shell/owner-channel.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useSecondStep } from '../../shell/second-step.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

export function SignIn() {
  const { t } = useTranslation();
  const { email, required } = validators(t);
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const { data } = useSuspenseQuery(sessionQuery);
  const router = useRouter();
  const queryClient = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email, password: required(200) },
  });
  async function enter() {
    const { account } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    announceOwner(account?.id);
    router.history.replace(`/console${next}`);
  }
  const second = useSecondStep(enter);
  const { onSubmit, isSending, problem } = useSubmit(form, signIn, (request) =>
    request ? second.request(request) : enter(),
  );
  if (second.element) return <EntryPage title={t('secondFactor.signInTitle')}>{second.element}</EntryPage>;

  return (
    <EntryPage title={t('signIn.title')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{problem ?? second.problem}</ProblemAlert>
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
          {data.mailEnabled ? (
            <Anchor size="sm" renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
              {t('signIn.forgotLink')}
            </Anchor>
          ) : (
            <Text size="sm" c="dimmed">
              {t('signIn.forgot')}
            </Text>
          )}
        </Stack>
      </form>
    </EntryPage>
  );
}
