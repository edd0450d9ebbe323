import { useForm } from '@mantine/form';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { browsersQuery, sessionQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Form } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { SecretInput } from '../../shell/secret-input.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

export function PasswordForm() {
  const { t } = useTranslation();
  const { required, newPassword } = validators(t);
  const { data } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', password: '', repeated: '' },
    validate: {
      current: required(200),
      password: newPassword,
      repeated: (value, { password }) => (value === password ? null : t('fieldErrors.differs')),
    },
  });
  const submission = useSubmit(
    form,
    ({ current, password }: { current: string; password: string }) =>
      call('PUT /password', { body: { current, password } }),
    async () => {
      form.reset();
      notify(t('account.changed'));
      await queryClient.invalidateQueries(browsersQuery);
    },
  );

  return (
    <Panel title={t('signIn.password')} text={t('account.passwordText')}>
      <Form submission={submission} action={t('account.change')}>
        {/* Password managers need the username. */}
        <input type="text" autoComplete="username" value={data.account?.email ?? ''} readOnly hidden />
        <SecretInput
          label={t('account.current')}
          autoComplete="current-password"
          key={form.key('current')}
          {...form.getInputProps('current')}
        />
        <SecretInput
          label={t('account.next')}
          description={t('setup.passwordHint')}
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <SecretInput
          label={t('account.repeat')}
          autoComplete="new-password"
          key={form.key('repeated')}
          {...form.getInputProps('repeated')}
        />
      </Form>
    </Panel>
  );
}
