import { Button, Checkbox, Group, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SaveShop, ShopSettings } from '@store-sales/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { saveShop, shopQuery } from '../../api/shop.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
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
import { useConflict } from '../../shell/use-conflict.ts';
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

/** Amounts are in currency units in the form, and what is offered is by the id of its type. */
const valuesOf = ({ url: _url, etag: _etag, ...settings }: ShopSettings) => ({
  ...settings,
  smallestOrder: settings.smallestOrder / 100,
  delivery: Object.fromEntries(
    settings.delivery.map(({ typeId, isOffered, cost }) => [typeId, { isOffered, cost: cost / 100 }]),
  ),
  payments: Object.fromEntries(settings.payments.map(({ typeId, isOffered }) => [typeId, isOffered])),
});
type Values = ReturnType<typeof valuesOf>;

const toSave = ({ delivery, payments, smallestOrder, ...rest }: Values): SaveShop => ({
  ...rest,
  smallestOrder: kopecks(smallestOrder),
  delivery: Object.entries(delivery).flatMap(([typeId, { isOffered, cost }]) =>
    isOffered ? [{ typeId, cost: kopecks(cost) }] : [],
  ),
  payments: Object.keys(payments).filter((typeId) => payments[typeId]),
});

const labels = {
  isEnabled: 'shop.isEnabled',
  slug: 'shop.slug',
  title: 'shop.pageTitle',
  about: 'shop.about',
  contacts: 'shop.contacts',
  language: 'shop.language',
  accent: 'shop.accent',
  smallestOrder: 'shop.smallestOrder',
} as const;

function SettingsForm({ settings, onDraft }: { settings: ShopSettings; onDraft(draft: PreviewTexts): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { id: storeId } = useStore();
  const { amount } = validators(t);
  const form = useForm<Values>({
    initialValues: valuesOf(settings),
    onValuesChange: onDraft,
    validate: ({ slug, smallestOrder, delivery }) => ({
      slug: SLUG.test(slug) ? null : t('shop.slugInvalid'),
      smallestOrder: amount(smallestOrder),
      ...Object.fromEntries(Object.entries(delivery).map(([id, { cost }]) => [`delivery.${id}.cost`, amount(cost)])),
    }),
  });
  const {
    base = settings,
    others,
    save,
    setSaved,
    withoutConflict,
  } = useConflict({
    of: settings,
    valuesOf,
    reload: () => queryClient.fetchQuery({ ...shopQuery(storeId), staleTime: 0 }),
  });
  const { onSubmit, isSending, problem, error } = withoutConflict(
    useSubmit(
      form,
      (values: Values) => save(form, values, (base = settings) => saveShop(storeId, toSave(values), base.etag)),
      (saved: ShopSettings) => {
        queryClient.setQueryData(shopQuery(storeId).queryKey, saved);
        setSaved(saved);
        form.setInitialValues(valuesOf(saved));
        form.reset();
        notify(t('common.saved'));
      },
    ),
  );
  const names = new Map([
    ...base.delivery.map(({ typeId, name }) => [typeId, name] as const),
    ...base.payments.map((type) => [type.typeId, paymentTypeName(type, t)] as const),
  ]);
  function labelOf(field: string) {
    const [part = '', typeId = '', detail] = field.split('.');
    const name = names.get(typeId);
    if (name === undefined) return t(labels[part as keyof typeof labels]);
    return detail === 'cost' ? t('shop.cost', { name }) : name;
  }
  function textOf(field: string, value: string) {
    if (field === 'language') return t(`language.${value as ShopSettings['language']}`);
    if (value === 'true' || value === 'false') return t(value === 'true' ? 'shop.yes' : 'shop.no');
    return value;
  }
  const isTaken = error instanceof ApiError && error.code === 'name_taken';
  const isTooLight =
    error instanceof ApiError && error.fieldErrors.some((fieldError) => fieldError.pointer === '/accent');

  return (
    <Panel title={t('shop.settings')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
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
              {base.delivery.map(({ typeId, name }) => (
                <Group key={typeId} justify="space-between" wrap="nowrap">
                  <Checkbox
                    label={name}
                    {...form.getInputProps(`delivery.${typeId}.isOffered`, { type: 'checkbox' })}
                  />
                  <MoneyInput
                    aria-label={t('shop.cost', { name })}
                    w={140}
                    disabled={!form.values.delivery[typeId]?.isOffered}
                    {...form.getInputProps(`delivery.${typeId}.cost`)}
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
              {base.payments.map((type) => (
                <Checkbox
                  key={type.typeId}
                  label={paymentTypeName(type, t)}
                  {...form.getInputProps(`payments.${type.typeId}`, { type: 'checkbox' })}
                />
              ))}
            </Stack>
          </fieldset>
          {/* Beside the button: the form is longer than a window. */}
          <ConflictAlert changes={others} labelOf={labelOf} textOf={textOf} />
          <ProblemAlert>{isTaken ? t('shop.slugTaken') : problem}</ProblemAlert>
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
