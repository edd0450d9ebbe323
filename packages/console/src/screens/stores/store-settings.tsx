import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Store } from '@store-sales/contract/console';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeStore, storesQuery } from '../../api/account.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { AboutStore } from './about-store.tsx';
import { timezones } from './options.ts';

export function StoreSettings() {
  const { t } = useTranslation();
  const store = useStore();
  return (
    <Page title={t('stores.settingsTitle')} text={t('stores.settingsText')} size="form">
      {!store.isActive && (
        <Alert icon={<IconPlugConnectedX />} title={t('stores.inactive')} variant="default">
          {t('stores.inactiveText')}
        </Alert>
      )}
      {/* Another store is another form: what was typed for one is never saved in the other. */}
      <DetailsForm key={store.id} store={store} />
      <AboutStore store={store} />
    </Page>
  );
}

function DetailsForm({ store }: { store: Store }) {
  const { t } = useTranslation();
  const { filled } = checks(t);
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: store.name, timezone: store.timezone },
    validate: { name: filled(200), timezone: filled(100) },
  });
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    (values: { name: string; timezone: string }) => changeStore(store.id, values),
    ({ name, timezone }: Store) => {
      queryClient.setQueryData(storesQuery.queryKey, (stores = []) =>
        stores.map((other) => (other.id === store.id ? { ...other, name, timezone } : other)),
      );
      form.setInitialValues({ name, timezone });
      form.reset();
      notify(t('common.saved'));
    },
  );

  return (
    <Panel title={t('stores.details')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{problem}</ProblemAlert>
          <TextInput label={t('stores.name')} {...form.getInputProps('name')} />
          <Select
            label={t('stores.timezone')}
            description={t('stores.timezoneHint')}
            data={timezones(store.timezone)}
            searchable
            allowDeselect={false}
            nothingFoundMessage={t('stores.nothingFound')}
            {...form.getInputProps('timezone')}
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
