import { Button, Checkbox, Group, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SaveShop, ShopSettings } from '@store-sales/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { saveShop, shopQuery } from '../../api/shop.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { kopecks } from '../../shell/money.ts';
import { MoneyInput } from '../../shell/money-input.tsx';
import { notify } from '../../shell/notify.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { Pending } from '../../shell/pending.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { Select } from '../../shell/select.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { Preview, type PreviewTexts } from './preview.tsx';
import { ShopFacts } from './shop-facts.tsx';

// Values of the contract, repeated here: to import them would add its validator to the page.
const SLUG = /^[a-z0-9-]{3,40}$/;
const languages = ['en', 'ru'] as const;

export function Shop() {
  const { t } = useTranslation();
  const { id } = useStore();
  const may = useMay();
  const { data, error, refetch } = useQuery(shopQuery(id));
  const [draft, setDraft] = useState<PreviewTexts>();
  return (
    <Page title={t('shop.title')} text={t('shop.text')}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && !data && <Pending />}
      {data && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          {may('changeShop') ? (
            <SettingsForm key={id} settings={data} onDraft={setDraft} />
          ) : (
            // Not as high as the preview.
            <div>
              <ShopFacts settings={data} />
            </div>
          )}
          <Preview settings={data} draft={draft ?? data} />
        </SimpleGrid>
      )}
    </Page>
  );
}

/** Amounts are in currency units in the form. */
const valuesOf = ({ url: _url, ...settings }: ShopSettings) => ({
  ...settings,
  smallestOrder: settings.smallestOrder / 100,
  delivery: settings.delivery.map((type) => ({ ...type, cost: type.cost / 100 })),
});
type Values = ReturnType<typeof valuesOf>;

const toSave = ({ delivery, payments, smallestOrder, ...rest }: Values): SaveShop => ({
  ...rest,
  smallestOrder: kopecks(smallestOrder),
  delivery: delivery.filter(({ isOffered }) => isOffered).map(({ typeId, cost }) => ({ typeId, cost: kopecks(cost) })),
  payments: payments.filter(({ isOffered }) => isOffered).map(({ typeId }) => typeId),
});

function SettingsForm({ settings, onDraft }: { settings: ShopSettings; onDraft(draft: PreviewTexts): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { id: storeId } = useStore();
  const form = useForm<Values>({
    initialValues: valuesOf(settings),
    onValuesChange: onDraft,
    validate: {
      slug: (slug) => (SLUG.test(slug) ? null : t('shop.slugInvalid')),
      smallestOrder: validators(t).amount,
      delivery: { cost: validators(t).amount },
    },
  });
  const { onSubmit, isSending, problem, error } = useSubmit(
    form,
    (values: Values) => saveShop(storeId, toSave(values)),
    (saved: ShopSettings) => {
      queryClient.setQueryData(shopQuery(storeId).queryKey, saved);
      form.setInitialValues(valuesOf(saved));
      form.reset();
      notify(t('common.saved'));
    },
  );
  const isTaken = error instanceof ApiError && error.code === 'name_taken';
  const isTooLight =
    error instanceof ApiError && error.fieldErrors.some((fieldError) => fieldError.pointer === '/accent');

  return (
    <Panel title={t('shop.settings')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{isTaken ? t('shop.slugTaken') : problem}</ProblemAlert>
          <Switch
            label={t('shop.isEnabled')}
            description={t('shop.isEnabledHint')}
            {...form.getInputProps('isEnabled', { type: 'checkbox' })}
          />
          <TextInput label={t('shop.slug')} description={t('shop.slugHint')} {...form.getInputProps('slug')} />
          <TextInput
            label={t('shop.pageTitle')}
            description={t('shop.pageTitleHint')}
            maxLength={200}
            {...form.getInputProps('title')}
          />
          <Textarea label={t('shop.about')} autosize minRows={3} maxLength={5000} {...form.getInputProps('about')} />
          <Textarea
            label={t('shop.contacts')}
            autosize
            minRows={2}
            maxLength={1000}
            {...form.getInputProps('contacts')}
          />
          <Select
            label={t('shop.language')}
            data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('language')}
          />
          <TextInput
            type="color"
            label={t('shop.accent')}
            w={160}
            {...form.getInputProps('accent')}
            error={isTooLight && t('shop.accentLight')}
          />
          <MoneyInput label={t('shop.smallestOrder')} w={220} {...form.getInputProps('smallestOrder')} />
          <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
            <Text component="legend" size="sm" fw={500} mb={4}>
              {t('shop.delivery')}
            </Text>
            <Stack gap="xs">
              {form.values.delivery.map(({ typeId, name, isOffered }, index) => (
                <Group key={typeId} justify="space-between" wrap="nowrap">
                  <Checkbox label={name} {...form.getInputProps(`delivery.${index}.isOffered`, { type: 'checkbox' })} />
                  <MoneyInput
                    aria-label={t('shop.cost', { name })}
                    w={140}
                    disabled={!isOffered}
                    {...form.getInputProps(`delivery.${index}.cost`)}
                  />
                </Group>
              ))}
            </Stack>
          </fieldset>
          <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
            <Text component="legend" size="sm" fw={500} mb={4}>
              {t('shop.payments')}
            </Text>
            <Stack gap="xs">
              {form.values.payments.map((type, index) => (
                <Checkbox
                  key={type.typeId}
                  label={paymentTypeName(type, t)}
                  {...form.getInputProps(`payments.${index}.isOffered`, { type: 'checkbox' })}
                />
              ))}
            </Stack>
          </fieldset>
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
