import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { askForReset, sessionQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

export function ForgotPassword() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  const [sentTo, setSentTo] = useState<string>();

  if (!data.mailEnabled)
    return (
      <EntryPage title={t('password.forgotTitle')} text={t('password.off')}>
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
    <EntryPage title={t('password.forgotTitle')} text={t('password.forgotText')}>
      <AskForm onSent={setSentTo} />
    </EntryPage>
  );
}

function ToSignIn() {
  const { t } = useTranslation();
  return (
    <Button variant="default" fullWidth renderRoot={(props) => <Link to="/sign-in" {...props} />}>
      {t('password.toSignIn')}
    </Button>
  );
}

function AskForm({ onSent }: { onSent(email: string): void }) {
  const { t } = useTranslation();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: validators(t).email },
  });
  const { onSubmit, isSending, problem } = useSubmit(form, askForReset, () => onSent(form.getValues().email.trim()));
  return (
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
        <Button type="submit" size="md" fullWidth loading={isSending}>
          {t('password.send')}
        </Button>
        <ToSignIn />
      </Stack>
    </form>
  );
}
