import { Alert, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ChangeStore, Store } from '@store-sales/contract/console';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { storesQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { changedFields } from '../../shell/conflict.ts';
import { timezones } from '../../shell/dates.ts';
import { type Fact, Facts } from '../../shell/facts.tsx';
import { Form } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { Select } from '../../shell/select.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { AboutStore } from './about-store.tsx';
import { SellerPanel } from './seller-form.tsx';

export function StoreSettings() {
  const { t } = useTranslation();
  const store = useStore();
  const may = useMay();
  return (
    <Page title={t('stores.settingsTitle')} text={t('stores.settingsText')} size="form">
      {!store.isActive && (
        <Alert icon={<IconPlugConnectedX />} title={t('stores.inactive')} variant="default">
          {t('stores.inactiveText')}
        </Alert>
      )}
      {/* The key resets the form when the store changes. */}
      {may('changeStore') ? <DetailsForm key={store.id} store={store} /> : <Details store={store} />}
      <SellerPanel key={`seller ${store.id}`} storeId={store.id} />
      <AboutStore store={store} />
    </Page>
  );
}

function Details({ store: { name, timezone, lowStock } }: { store: Store }) {
  const { t } = useTranslation();
  const facts: Fact[] = [
    [t('stores.name'), name],
    [t('stores.timezone'), timezone],
    [t('stores.lowStock'), String(lowStock)],
  ];
  return (
    <Panel title={t('stores.details')}>
      <Facts of={facts} cols={{ base: 1, xs: 2 }} />
    </Panel>
  );
}

type Values = Pick<Store, 'name' | 'timezone'> & { lowStock: number | string };

const detailsOf = ({ name, timezone, lowStock }: Store) => ({ name, timezone, lowStock });

function DetailsForm({ store }: { store: Store }) {
  const { t } = useTranslation();
  const { required } = validators(t);
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: detailsOf(store),
    validate: {
      name: required(200),
      timezone: required(100),
      lowStock: (value) => (typeof value === 'number' ? null : t('fieldErrors.required')),
    },
  });
  const submission = useSubmit(
    form,
    (values: Values) =>
      call('PATCH /stores/{storeId}', {
        params: { storeId: store.id },
        body: changedFields(form.getInitialValues(), values) as ChangeStore,
      }),
    (saved: Store) => {
      queryClient.setQueryData(storesQuery.queryKey, (stores = []) =>
        stores.map((other) => (other.id === store.id ? { ...other, ...detailsOf(saved) } : other)),
      );
      form.setInitialValues(detailsOf(saved));
      form.reset();
      notify(t('common.saved'));
    },
  );

  return (
    <Panel title={t('stores.details')}>
      <Form submission={submission} action={t('common.save')} isDisabled={!form.isDirty()}>
        <TextInput label={t('stores.name')} {...form.getInputProps('name')} />
        <Select
          label={t('stores.timezone')}
          description={t('stores.timezoneHint')}
          data={timezones(store.timezone)}
          searchable
          nothingFound={t('common.noResults')}
          {...form.getInputProps('timezone')}
        />
        <NumberInput
          label={t('stores.lowStock')}
          description={t('stores.lowStockHint')}
          min={0}
          max={1_000_000_000}
          allowDecimal={false}
          {...form.getInputProps('lowStock')}
        />
      </Form>
    </Panel>
  );
}
