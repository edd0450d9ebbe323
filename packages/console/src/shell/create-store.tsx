import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Store } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createStore, storesQuery } from '../api/account.ts';
import { useTranslation } from '../i18n/index.ts';
import { browserTimezone, timezones } from './dates.ts';
import { useCurrencies } from './money.ts';
import { notify } from './notify.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { Select } from './select.tsx';
import { FormDialog } from './unsaved.tsx';
import { useSubmit } from './use-submit.ts';
import { validators } from './validators.ts';

export default function CreateStore({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <FormDialog opened onClose={onClose} title={t('stores.createTitle')}>
      <CreateStoreForm onClose={onClose} />
    </FormDialog>
  );
}

function CreateStoreForm({ onClose }: { onClose(): void }) {
  const { t, language } = useTranslation();
  const { required } = validators(t);
  const currencies = useCurrencies();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data: stores } = useSuspenseQuery(storesQuery);
  const form = useForm({
    initialValues: {
      name: '',
      currency: stores[0]?.currency ?? (language === 'ru' ? 'RUB' : 'USD'),
      timezone: stores[0]?.timezone ?? browserTimezone(),
    },
    validate: { name: required(200), currency: required(3), timezone: required(100) },
  });
  const { onSubmit, isSending, problem } = useSubmit(form, createStore, async (store: Store) => {
    queryClient.setQueryData(storesQuery.queryKey, (stores = []) => [...stores, store]);
    onClose();
    notify(t('stores.created'));
    await navigate({ to: '/stores/$storeId', params: { storeId: store.id } });
  });

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ProblemAlert>{problem}</ProblemAlert>
        <TextInput
          label={t('stores.name')}
          placeholder={t('stores.namePlaceholder')}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={t('stores.currency')}
          description={t('stores.currencyHint')}
          data={currencies}
          searchable
          allowDeselect={false}
          nothingFound={t('common.noResults')}
          {...form.getInputProps('currency')}
        />
        <Select
          label={t('stores.timezone')}
          description={t('stores.timezoneHint')}
          data={timezones(form.values.timezone)}
          searchable
          allowDeselect={false}
          nothingFound={t('common.noResults')}
          {...form.getInputProps('timezone')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('stores.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
