import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/account.ts';
import { ApiError, call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EntryPage } from '../../shell/entry-page.tsx';
import { Form } from '../../shell/form.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { announceOwner } from '../../shell/owner-channel.ts';
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
  const submission = useSubmit(
    form,
    ({ password }: { password: string; repeat: string }) => call('POST /password-reset', { body: { token, password } }),
    async () => {
      const { account } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      announceOwner(account?.id);
      setIsDone(true);
    },
  );

  const { error } = submission;
  if (isDone)
    return (
      <EntryPage title={t('password.doneTitle')} text={t('password.doneText')}>
        <LinkButton size="md" fullWidth to="/sign-in">
          {t('signIn.submit')}
        </LinkButton>
      </EntryPage>
    );
  if (!token || (error instanceof ApiError && error.code === 'reset_link_invalid'))
    return (
      <EntryPage title={t('password.invalidTitle')} text={t('errors.reset_link_invalid')}>
        <LinkButton size="md" fullWidth to="/forgot-password">
          {t('password.again')}
        </LinkButton>
      </EntryPage>
    );
  return (
    <EntryPage title={t('password.resetTitle')} text={t('password.resetText')}>
      <Form submission={submission} action={t('password.save')} isWide>
        <SecretInput
          label={t('account.next')}
          description={t('password.hint')}
          autoComplete="new-password"
          autoFocus
          {...form.getInputProps('password')}
        />
        <SecretInput label={t('account.repeat')} autoComplete="new-password" {...form.getInputProps('repeat')} />
      </Form>
    </EntryPage>
  );
}
