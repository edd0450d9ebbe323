import { Checkbox, Group, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { SaveShop, ShopSettings } from '@store-sales/contract/console';
import { SHOP_SLUG, shopLanguages } from '@store-sales/contract/values';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, ifMatch } from '../../api/client.ts';
import { FORM_QUERY, query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { Form } from '../../shell/form.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { kopecks } from '../../shell/money.ts';
import { MoneyInput } from '../../shell/money-input.tsx';
import { notify } from '../../shell/notify.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { Pending } from '../../shell/pending.tsx';
import { Select } from '../../shell/select.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useRecordForm } from '../../shell/use-record-form.ts';
import { useStore } from '../../shell/use-store.ts';
import { validators } from '../../shell/validators.ts';
import { Preview, type PreviewTexts } from './preview.tsx';
import { ShopFacts } from './shop-facts.tsx';
import { ShopPictures } from './shop-pictures.tsx';

const slugPattern = new RegExp(SHOP_SLUG);

const shopQuery = (storeId: string) => ({
  ...query('GET /stores/{storeId}/shop', { params: { storeId } }),
  ...FORM_QUERY,
});

export function Shop() {
  const { t } = useTranslation();
  const { id } = useStore();
  const may = useMay();
  const settings = useQuery(shopQuery(id));
  const [draft, setDraft] = useState<PreviewTexts>();
  const [pictures, setPictures] = useState(0);
  return (
    <Page title={t('nav.shop')} text={t('shop.text')}>
      <Loaded query={settings} pending={<Pending />}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            {may('changeShop') ? (
              <Stack>
                <SettingsForm key={id} settings={data} onDraft={setDraft} />
                <ShopPictures onChange={() => setPictures((count) => count + 1)} />
              </Stack>
            ) : (
              // Not as high as the preview.
              <div>
                <ShopFacts settings={data} />
              </div>
            )}
            <Preview settings={data} draft={draft ?? data} pictures={pictures} />
          </SimpleGrid>
        )}
      </Loaded>
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
  isInFeeds: 'shop.isInFeeds',
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
  const {
    form,
    submission,
    base = settings,
    others,
    setSaved,
  } = useRecordForm<ShopSettings, Values, ShopSettings>({
    of: settings,
    blank: valuesOf(settings),
    valuesOf,
    onValuesChange: onDraft,
    validate:
      () =>
      ({ slug, smallestOrder, delivery }) => ({
        slug: slugPattern.test(slug) ? null : t('shop.slugInvalid'),
        smallestOrder: amount(smallestOrder),
        ...Object.fromEntries(Object.entries(delivery).map(([id, { cost }]) => [`delivery.${id}.cost`, amount(cost)])),
      }),
    change: ({ etag }, _changed, values) =>
      call('PUT /stores/{storeId}/shop', { params: { storeId }, body: toSave(values), ...ifMatch(etag) }),
    reload: () => queryClient.fetchQuery({ ...shopQuery(storeId), staleTime: 0 }),
    onSaved(saved = settings) {
      queryClient.setQueryData(shopQuery(storeId).queryKey, saved);
      setSaved(saved);
      notify(t('common.saved'));
    },
  });
  const { error } = submission;
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
    if (value === 'true' || value === 'false') return t(value === 'true' ? 'common.yes' : 'common.no');
    return value;
  }
  const isTaken = error instanceof ApiError && error.code === 'name_taken';
  const isTooLight =
    error instanceof ApiError && error.fieldErrors.some((fieldError) => fieldError.pointer === '/accent');

  return (
    <Panel title={t('nav.settings')}>
      <Form
        submission={isTaken ? { ...submission, problem: t('shop.slugTaken') } : submission}
        action={t('common.save')}
        isDisabled={!form.isDirty()}
      >
        <Switch
          label={t('shop.isEnabled')}
          description={t('shop.isEnabledHint')}
          {...form.getInputProps('isEnabled', { type: 'checkbox' })}
        />
        <Switch
          label={t('shop.isInFeeds')}
          description={t('shop.isInFeedsHint')}
          {...form.getInputProps('isInFeeds', { type: 'checkbox' })}
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
          data={shopLanguages.map((value) => ({ value, label: t(`language.${value}`) }))}
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
                <Checkbox label={name} {...form.getInputProps(`delivery.${typeId}.isOffered`, { type: 'checkbox' })} />
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
      </Form>
    </Panel>
  );
}
