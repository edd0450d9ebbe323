import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { Form } from '../../shell/form.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

export function ForgotPassword() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  const [sentTo, setSentTo] = useState<string>();

  if (!data.mailEnabled)
    return (
      <EntryPage title={t('signIn.forgotLink')} text={t('password.off')}>
        <ToSignIn />
      </EntryPage>
    );
  if (sentTo)
    return (
      <EntryPage title={t('password.sentTitle')}>
        <Stack>
          <Text role="status">{t('password.sentText', { email: sentTo })}</Text>
          <ToSignIn />
        </Stack>
      </EntryPage>
    );
  return (
    <EntryPage title={t('signIn.forgotLink')} text={t('password.forgotText')}>
      <AskForm onSent={setSentTo} />
    </EntryPage>
  );
}

function ToSignIn() {
  const { t } = useTranslation();
  return (
    <LinkButton variant="default" fullWidth to="/sign-in">
      {t('password.toSignIn')}
    </LinkButton>
  );
}

function AskForm({ onSent }: { onSent(email: string): void }) {
  const { t } = useTranslation();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: validators(t).email },
  });
  const submission = useSubmit(
    form,
    (body: { email: string }) => call('POST /forgotten-password', { body }),
    () => onSent(form.getValues().email.trim()),
  );
  return (
    <Stack>
      <Form submission={submission} action={t('password.send')} isWide>
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
      </Form>
      <ToSignIn />
    </Stack>
  );
}
