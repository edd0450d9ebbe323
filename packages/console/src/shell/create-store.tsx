import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CreateStore as CreateStoreBody } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { storesQuery } from '../api/account.ts';
import { call } from '../api/client.ts';
import { useTranslation } from '../i18n/index.ts';
import { browserTimezone, timezones } from './dates.ts';
import { FormDialog } from './form.tsx';
import { useCurrencies } from './money.ts';
import { notify } from './notify.tsx';
import { Select } from './select.tsx';
import { useSubmit } from './use-submit.ts';
import { validators } from './validators.ts';

export default function CreateStore({ onClose }: { onClose(): void }) {
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
  const submission = useSubmit(
    form,
    (body: CreateStoreBody) => call('POST /stores', { body }),
    async (store) => {
      queryClient.setQueryData(storesQuery.queryKey, (stores = []) => [...stores, store]);
      onClose();
      notify(t('stores.created'));
      await navigate({ to: '/stores/$storeId', params: { storeId: store.id } });
    },
  );

  return (
    <FormDialog submission={submission} title={t('stores.createTitle')} action={t('nav.createStore')} onClose={onClose}>
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
        nothingFound={t('common.noResults')}
        {...form.getInputProps('currency')}
      />
      <Select
        label={t('stores.timezone')}
        description={t('stores.timezoneHint')}
        data={timezones(form.values.timezone)}
        searchable
        nothingFound={t('common.noResults')}
        {...form.getInputProps('timezone')}
      />
    </FormDialog>
  );
}
