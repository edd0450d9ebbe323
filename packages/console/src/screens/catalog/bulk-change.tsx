import { Group, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Product } from '@store-sales/contract';
import type { ChangeProducts } from '@store-sales/contract/console';
import { priceAfter, priceSteps } from '@store-sales/contract/values';
import { useQueryClient } from '@tanstack/react-query';
import { reloadProducts } from '../../api/catalog.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { useMoney } from '../../shell/money.ts';
import { notify } from '../../shell/notify.tsx';
import { Select } from '../../shell/select.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { CategorySelect } from './category-select.tsx';

/** Prices shown before they are changed. */
const MAX_SHOWN = 4;

interface BulkChangeProps {
  what: 'price' | 'category';
  products: readonly Product[];
  onDone(): void;
  onClose(): void;
}

interface Values {
  percent: number | string;
  roundTo: string;
  categoryId: string;
}

/** Changes the price or the category of the selected products. */
export default function BulkChange({ what, products, onDone, onClose }: BulkChangeProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { percent: '', roundTo: '100', categoryId: '' },
    validate: {
      percent: (value) => (what === 'price' && typeof value !== 'number' ? t('fieldErrors.required') : null),
    },
  });
  const priceOf = ({ percent, roundTo }: Values) => ({
    percent: Number(percent),
    roundTo: Number(roundTo) as (typeof priceSteps)[number],
  });
  const submission = useSubmit(
    form,
    (values) => {
      const ids = products.map(({ id }) => id);
      const body: ChangeProducts =
        what === 'price' ? { ids, price: priceOf(values) } : { ids, categoryId: values.categoryId };
      return call('PATCH /stores/{storeId}/products', { params: { storeId }, body });
    },
    ({ changed }) => {
      reloadProducts(queryClient, storeId);
      notify(t('catalog.switched', { count: changed }));
      onDone();
    },
  );
  const { percent } = form.values;
  return (
    <FormDialog
      submission={submission}
      title={t(what === 'price' ? 'catalog.changePrice' : 'catalog.changeCategory')}
      action={t('catalog.changeSelected', { count: products.length })}
      onClose={onClose}
    >
      {what === 'category' ? (
        <CategorySelect
          label={t('catalog.category')}
          none={t('catalog.noCategory')}
          {...form.getInputProps('categoryId')}
        />
      ) : (
        <>
          <Group grow align="flex-start">
            <NumberInput
              label={t('catalog.percent')}
              description={t('catalog.percentHint')}
              min={-100}
              max={1000}
              decimalScale={2}
              suffix=" %"
              data-autofocus
              {...form.getInputProps('percent')}
            />
            <Select
              label={t('catalog.roundTo')}
              description={t('catalog.roundToHint')}
              data={priceSteps.map((step) => ({ value: String(step), label: money(step) }))}
              {...form.getInputProps('roundTo')}
            />
          </Group>
          {typeof percent === 'number' && (
            <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('catalog.newPrices')}>
              {products.slice(0, MAX_SHOWN).map(({ id, name, price }) => (
                <Group component="li" key={id} justify="space-between" wrap="nowrap" gap="md">
                  <Text size="sm" truncate>
                    {name}
                  </Text>
                  <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                    {money(price)} → {money(priceAfter(price, priceOf(form.values)))}
                  </Text>
                </Group>
              ))}
              {products.length > MAX_SHOWN && (
                <Text component="li" size="sm" c="dimmed">
                  {t('catalog.moreProducts', { count: products.length - MAX_SHOWN })}
                </Text>
              )}
            </Stack>
          )}
        </>
      )}
    </FormDialog>
  );
}
