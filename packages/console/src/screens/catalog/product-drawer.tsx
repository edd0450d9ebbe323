import { Drawer, Group, NumberInput, Skeleton, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Product } from '@store-sales/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeProduct, createProduct, keepProduct, productQuery } from '../../api/catalog.ts';
import { checks } from '../../shell/checks.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { notify } from '../../shell/notify.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { kopecks } from '../orders/formats.ts';
import { useMoneyField } from '../orders/use-money-field.ts';
import { RecordForm } from '../references/record-dialog.tsx';
import { CategorySelect } from './category-select.tsx';

/** A product being made (`new`) or edited, beside the list it comes from. */
export function ProductDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size={460}
      padding="lg"
      title={t(id === 'new' ? 'catalog.newProduct' : 'catalog.editProduct')}
      styles={{ title: { fontSize: 18, fontWeight: 600 } }}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {id === 'new' ? <ProductForm onClose={onClose} /> : id && <Present key={id} id={id} onClose={onClose} />}
    </Drawer>
  );
}

function Present({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data, error, isFetching, refetch } = useQuery(productQuery(storeId, id));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  // Not what was read before: somebody may have changed it since.
  if (data && !isFetching) return <ProductForm of={data} onClose={onClose} />;
  return (
    <Stack role="status" aria-label={t('common.loading')}>
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} h={36} />
      ))}
    </Stack>
  );
}

interface Values {
  name: string;
  price: number | string;
  sku: string;
  externalId: string;
  categoryId: string;
  description: string;
  isActive: boolean;
}

function ProductForm({ of, onClose }: { of?: Product; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: {
      name: of?.name ?? '',
      price: of ? of.price / 100 : '',
      sku: of?.sku ?? '',
      externalId: of?.externalId ?? '',
      categoryId: of?.categoryId ?? '',
      description: of?.description ?? '',
      isActive: of?.isActive ?? true,
    },
    validate: {
      name: checks(t).filled(200),
      price: (value) => (value === '' ? t('faults.required') : null),
    },
  });
  const sending = useSubmit(
    form,
    ({ price, ...values }: Values) => {
      const body = { ...values, price: kopecks(price) };
      return of ? changeProduct(storeId, of.id, body) : createProduct(storeId, body);
    },
    (product) => {
      keepProduct(queryClient, storeId, product);
      notify(t(of ? 'common.saved' : 'catalog.productCreated'));
      onClose();
    },
  );
  return (
    <RecordForm sending={sending} action={t(of ? 'common.save' : 'catalog.create')} onCancel={onClose}>
      <TextInput label={t('catalog.name')} maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <Group grow align="flex-start">
        <NumberInput {...useMoneyField()} label={t('catalog.price')} {...form.getInputProps('price')} />
        <TextInput label={t('catalog.sku')} maxLength={255} {...form.getInputProps('sku')} />
      </Group>
      <CategorySelect
        label={t('catalog.category')}
        none={t('catalog.noCategory')}
        {...form.getInputProps('categoryId')}
      />
      <TextInput
        label={t('catalog.externalId')}
        description={t('catalog.externalIdHint')}
        maxLength={255}
        {...form.getInputProps('externalId')}
      />
      <Textarea
        label={t('catalog.description')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
      <Switch
        label={t('catalog.isActive')}
        description={t('catalog.isActiveHint')}
        withThumbIndicator={false}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </RecordForm>
  );
}
