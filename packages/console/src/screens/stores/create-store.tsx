import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Store } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createStore, storesQuery } from '../../api/account.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { ownTimezone, timezones, useCurrencies } from './options.ts';

export function CreateStore({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('stores.createTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <CreateStoreForm onClose={onClose} />
    </Modal>
  );
}

function CreateStoreForm({ onClose }: { onClose(): void }) {
  const { t, i18n } = useTranslation();
  const { filled } = checks(t);
  const currencies = useCurrencies();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: '', currency: i18n.language === 'ru' ? 'RUB' : 'USD', timezone: ownTimezone() },
    validate: { name: filled(200), currency: filled(3), timezone: filled(100) },
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
          nothingFoundMessage={t('stores.nothingFound')}
          {...form.getInputProps('currency')}
        />
        <Select
          label={t('stores.timezone')}
          description={t('stores.timezoneHint')}
          data={timezones(ownTimezone())}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('stores.nothingFound')}
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
