import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Account } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { changeProfile, sessionQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
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
  const { onSubmit, isSending, problem } = useSubmit(form, changeProfile, (account: Account) => {
    queryClient.setQueryData(sessionQuery.queryKey, (before) => before && { ...before, account });
    form.setInitialValues({ name: account.name });
    form.reset();
    notify(t('common.saved'));
  });

  return (
    <Panel title={t('account.profile')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{problem}</ProblemAlert>
          <TextInput label={t('account.name')} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={t('account.email')}
            description={t('account.emailHint')}
            value={data.account?.email ?? ''}
            readOnly
            variant="filled"
          />
          <Group justify="flex-end">
            <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
