import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CreatePromoCode } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { kopecks } from '../../shell/money.ts';
import { MoneyInput } from '../../shell/money-input.tsx';
import { notify } from '../../shell/notify.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { firstInstant, lastInstant } from './store-day.ts';

const blank = {
  code: '',
  kind: 'percent' as 'percent' | 'amount',
  percent: '',
  amount: '' as number | string,
  minTotal: '' as number | string,
  from: '',
  to: '',
  maxUses: '',
};
type Values = typeof blank;

const wholeNumber = (text: string, max: number) =>
  /^\d{1,15}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max;

export function PromoForm({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId, timezone } = useStore();
  const queryClient = useQueryClient();
  const { amount, required } = validators(t);
  const form = useForm<Values>({
    initialValues: blank,
    validate: {
      code: required(100),
      percent: (value, { kind }) => (kind === 'amount' || wholeNumber(value, 100) ? null : t('promo.percentWrong')),
      amount: (value, { kind }) =>
        kind === 'percent' ? null : (amount(value) ?? (kopecks(value) > 0 ? null : t('promo.amountWrong'))),
      minTotal: amount,
      to: (value, { from }) => (value && from && value < from ? t('promo.toWrong') : null),
      maxUses: (value) => (!value.trim() || wholeNumber(value, 1e15) ? null : t('promo.maxUsesWrong')),
    },
  });
  const bodyOf = (values: Values): CreatePromoCode => ({
    code: values.code.trim(),
    ...(values.kind === 'percent' ? { percent: Number(values.percent) } : { amount: kopecks(values.amount) }),
    ...(values.minTotal !== '' && { minTotal: kopecks(values.minTotal) }),
    ...(values.from && { from: firstInstant(values.from, timezone) }),
    ...(values.to && { to: lastInstant(values.to, timezone) }),
    ...(values.maxUses.trim() && { maxUses: Number(values.maxUses) }),
  });
  const submission = useSubmit(
    form,
    (values: Values) => call('POST /stores/{storeId}/promo-codes', { params: { storeId }, body: bodyOf(values) }),
    () => {
      void queryClient.invalidateQueries({ queryKey: [{ storeId }, 'GET /stores/{storeId}/promo-codes'] });
      notify(t('promo.created'));
      onClose();
    },
  );
  return (
    <FormDialog submission={submission} title={t('promo.createTitle')} action={t('catalog.create')} onClose={onClose}>
      <TextInput
        label={t('promo.code')}
        description={t('promo.codeHint')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('code')}
      />
      <SegmentedControl
        aria-label={t('promo.kind')}
        data={[
          { value: 'percent', label: t('promo.percentKind') },
          { value: 'amount', label: t('promo.amountKind') },
        ]}
        {...form.getInputProps('kind')}
      />
      {form.values.kind === 'percent' ? (
        <TextInput
          label={t('promo.percent')}
          inputMode="numeric"
          autoComplete="off"
          w={220}
          rightSection="%"
          {...form.getInputProps('percent')}
        />
      ) : (
        <MoneyInput label={t('promo.amount')} w={220} {...form.getInputProps('amount')} />
      )}
      <MoneyInput
        label={t('promo.minTotal')}
        description={t('promo.minTotalHint')}
        {...form.getInputProps('minTotal')}
      />
      <Group grow align="flex-start">
        <TextInput type="date" max="9999-12-31" label={t('promo.from')} {...form.getInputProps('from')} />
        <TextInput type="date" max="9999-12-31" label={t('promo.to')} {...form.getInputProps('to')} />
      </Group>
      <TextInput
        label={t('promo.maxUses')}
        description={t('promo.maxUsesHint')}
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('maxUses')}
      />
    </FormDialog>
  );
}
