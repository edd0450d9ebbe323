import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword, sessionQuery } from '../../api/account.ts';
import { ApiError } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { announceOwner } from '../../shell/owner-channel.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

/** The page of a mailed link, whose token is after `#`. */
export function ResetPassword() {
  const { t } = useTranslation();
  const { newPassword } = validators(t);
  const queryClient = useQueryClient();
  const [token] = useState(() => window.location.hash.slice(1));
  const [isDone, setIsDone] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', repeat: '' },
    validate: {
      password: newPassword,
      repeat: (value, values) => (value === values.password ? null : t('fieldErrors.differs')),
    },
  });
  const { onSubmit, isSending, error, problem } = useSubmit(
    form,
    ({ password }: { password: string; repeat: string }) => resetPassword({ token, password }),
    async () => {
      const { account } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      announceOwner(account?.id);
      setIsDone(true);
    },
  );

  if (isDone)
    return (
      <EntryPage title={t('password.doneTitle')} text={t('password.doneText')}>
        <Button size="md" fullWidth renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {t('password.signIn')}
        </Button>
      </EntryPage>
    );
  if (!token || (error instanceof ApiError && error.code === 'reset_link_invalid'))
    return (
      <EntryPage title={t('password.invalidTitle')} text={t('errors.reset_link_invalid')}>
        <Button size="md" fullWidth renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
          {t('password.again')}
        </Button>
      </EntryPage>
    );
  return (
    <EntryPage title={t('password.resetTitle')} text={t('password.resetText')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{problem}</ProblemAlert>
          <SecretInput
            label={t('password.next')}
            description={t('password.hint')}
            autoComplete="new-password"
            autoFocus
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <SecretInput
            label={t('password.repeat')}
            autoComplete="new-password"
            key={form.key('repeat')}
            {...form.getInputProps('repeat')}
          />
          <Button type="submit" size="md" fullWidth loading={isSending}>
            {t('password.save')}
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}
