import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ChangeProfile } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Form } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

export function ProfileForm() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: data.account?.name ?? '' },
    validate: { name: validators(t).required(200) },
  });
  const submission = useSubmit(
    form,
    (body: ChangeProfile) => call('PATCH /profile', { body }),
    (account) => {
      queryClient.setQueryData(sessionQuery.queryKey, (before) => before && { ...before, account });
      form.setInitialValues({ name: account.name });
      form.reset();
      notify(t('common.saved'));
    },
  );

  return (
    <Panel title={t('account.profile')}>
      <Form submission={submission} action={t('common.save')} isDisabled={!form.isDirty()}>
        <TextInput label={t('account.name')} autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label={t('signIn.email')}
          description={t('account.emailHint')}
          value={data.account?.email ?? ''}
          readOnly
          variant="filled"
        />
      </Form>
    </Panel>
  );
}
