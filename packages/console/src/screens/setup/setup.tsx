import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SetUp } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { Form } from '../../shell/form.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

export function Setup() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  if (data.setupNeeded) return <SetupForm />;
  return (
    <EntryPage title={t('setup.doneTitle')} text={t('setup.doneText')}>
      <LinkButton fullWidth to="/sign-in">
        {t('setup.toSignIn')}
      </LinkButton>
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
  const submission = useSubmit(
    form,
    (body: SetUp) => call('POST /setup', { body }),
    async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/' });
    },
  );

  return (
    <EntryPage title={t('setup.title')} text={t('setup.text')}>
      <Form submission={submission} action={t('setup.submit')} isWide>
        {!linkToken && (
          <TextInput
            label={t('setup.token')}
            description={t('setup.tokenHint')}
            autoComplete="off"
            {...form.getInputProps('token')}
          />
        )}
        <TextInput label={t('setup.name')} autoComplete="name" {...form.getInputProps('name')} />
        <TextInput label={t('signIn.email')} type="email" autoComplete="username" {...form.getInputProps('email')} />
        <SecretInput
          label={t('signIn.password')}
          description={t('setup.passwordHint')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      </Form>
    </EntryPage>
  );
}
