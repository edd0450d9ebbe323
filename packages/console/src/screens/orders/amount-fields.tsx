import { SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { choicesQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { MoneyInput } from '../../shell/money-input.tsx';
import { Select } from '../../shell/select.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import type { DraftForm } from './new-order-draft.ts';

interface Type {
  id: string;
  name: string;
}

interface FieldsProps<Current> {
  form: DraftForm;
  /** The type that the order has; offered even if it has been disabled since. */
  current?: Current | undefined;
}

/** The enabled types, and the current one under the name that it was chosen with. */
function options(types: readonly (Type & { isActive: boolean })[] = [], current: Type | undefined) {
  const offered = types.filter(({ id, isActive }) => isActive && id !== current?.id);
  return [...(current ? [current] : []), ...offered].map(({ id, name }) => ({ value: id, label: name }));
}

const useChoice = () => {
  const { t } = useTranslation();
  return {
    clearable: true,
    clearLabel: t('common.clearFilters'),
    placeholder: t('orders.notChosen'),
  } as const;
};

/** Type, cost and discount of the delivery. */
export function DeliveryFields({ form, current }: FieldsProps<Type>) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data: choices } = useQuery(choicesQuery(storeId));
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Select
        {...useChoice()}
        label={t('orders.deliveryType')}
        data={options(choices?.deliveryTypes, current)}
        {...form.getInputProps('delivery.typeId')}
      />
      <MoneyInput label={t('orders.cost')} {...form.getInputProps('delivery.cost')} />
      <MoneyInput label={t('orders.deliveryDiscount')} {...form.getInputProps('delivery.discount')} />
    </SimpleGrid>
  );
}

/** Payment type, discount on the order and promo code. */
export function PaymentFields({ form, current }: FieldsProps<Type & { code: string }>) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data: choices } = useQuery(choicesQuery(storeId));
  const named = <Given extends Type & { code: string }>(type: Given) => ({ ...type, name: paymentTypeName(type, t) });
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Select
        {...useChoice()}
        label={t('orders.paymentType')}
        data={options(choices?.paymentTypes.map(named), current && named(current))}
        {...form.getInputProps('paymentTypeId')}
      />
      <MoneyInput label={t('orders.orderDiscount')} {...form.getInputProps('discount')} />
      <TextInput label={t('orders.promoCode')} {...form.getInputProps('promoCode')} />
    </SimpleGrid>
  );
}
