import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignIn as Credentials } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { Form } from '../../shell/form.tsx';
import { TextLink } from '../../shell/link.tsx';
import { announceOwner } from '../../shell/owner-channel.ts';
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
  const submission = useSubmit(
    form,
    (body: Credentials) => call('POST /session', { body }),
    (request) => (request ? second.request(request) : enter()),
  );
  if (second.element) return <EntryPage title={t('secondFactor.signInTitle')}>{second.element}</EntryPage>;

  return (
    <EntryPage title={t('signIn.title')}>
      <Stack>
        <Form
          submission={{ ...submission, problem: submission.problem ?? second.problem }}
          action={t('signIn.submit')}
          isWide
        >
          <TextInput
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <SecretInput
            label={t('signIn.password')}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
        </Form>
        {data.mailEnabled ? (
          <TextLink size="sm" to="/forgot-password">
            {t('signIn.forgotLink')}
          </TextLink>
        ) : (
          <Text size="sm" c="dimmed">
            {t('signIn.forgot')}
          </Text>
        )}
      </Stack>
    </EntryPage>
  );
}
