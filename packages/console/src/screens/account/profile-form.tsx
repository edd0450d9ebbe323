import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Owner } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeProfile, sessionQuery } from '../../api/account.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useSubmit } from '../../shell/use-submit.ts';

export function ProfileForm() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: data.owner?.name ?? '' },
    validate: { name: checks(t).filled(200) },
  });
  const { onSubmit, isSending, problem } = useSubmit(form, changeProfile, (owner: Owner) => {
    queryClient.setQueryData(sessionQuery.queryKey, { setupNeeded: false, owner });
    form.setInitialValues({ name: owner.name });
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
            value={data.owner?.email ?? ''}
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
