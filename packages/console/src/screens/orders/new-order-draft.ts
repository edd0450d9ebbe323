import { useForm } from '@mantine/form';
import type { OrderCreate } from '@store-sales/contract';
import { type FaultList, totalsOf } from '@store-sales/contract/totals';
import { useTranslation } from 'react-i18next';
import { kopecks } from './formats.ts';

/** A number as a field holds it: '' while it is empty. */
type Typed = number | string;

export interface DraftItem {
  productId: string;
  name: string;
  sku: string;
  quantity: Typed;
  unitPrice: Typed;
  discount: Typed;
}

const blank = {
  items: [] as DraftItem[],
  customer: { name: '', phone: '', email: '' },
  delivery: {
    typeId: null as string | null,
    cost: '' as Typed,
    discount: '' as Typed,
    address: '',
    city: '',
    region: '',
    street: '',
    house: '',
    flat: '',
    postalCode: '',
  },
  paymentTypeId: null as string | null,
  discount: '' as Typed,
  promoCode: '',
  notes: '',
};

export type Draft = typeof blank;

/** The same arithmetic as the server's; an empty quantity counts as none. */
export function draftTotals(draft: Draft, faults: FaultList) {
  const lines = draft.items.map((item) => ({
    quantity: Math.trunc(Number(item.quantity || 0)),
    unitPrice: kopecks(item.unitPrice),
    discount: kopecks(item.discount),
  }));
  const charges = {
    discount: kopecks(draft.discount),
    deliveryCost: kopecks(draft.delivery.cost),
    deliveryDiscount: kopecks(draft.delivery.discount),
  };
  return { ...totalsOf(lines, charges, faults), ...charges, lines };
}

export function asSent(draft: Draft): OrderCreate {
  const { typeId, cost, discount, ...address } = draft.delivery;
  return {
    items: draft.items.map((item) => ({
      productId: item.productId,
      quantity: Number(item.quantity),
      unitPrice: kopecks(item.unitPrice),
      discount: kopecks(item.discount),
    })),
    customer: draft.customer,
    delivery: { ...address, ...(typeId && { typeId }), cost: kopecks(cost), discount: kopecks(discount) },
    ...(draft.paymentTypeId && { paymentTypeId: draft.paymentTypeId }),
    discount: kopecks(draft.discount),
    promoCode: draft.promoCode.trim(),
    notes: draft.notes,
  };
}

export function useDraft() {
  const { t } = useTranslation();
  return useForm<Draft>({
    initialValues: blank,
    validate(draft) {
      const errors: Record<string, string> = {};
      if (!draft.items.length) errors.items = t('orders.itemsRequired');
      for (const [index, { quantity }] of draft.items.entries())
        if (!Number(quantity)) errors[`items.${index}.quantity`] = t('faults.required');
      draftTotals(draft, {
        add(pointer, code) {
          errors[pointer.slice(1).replaceAll('/', '.')] = t(
            code === 'negative' ? 'faults.negative' : 'faults.overflow',
          );
        },
      });
      return errors;
    },
  });
}

export type DraftForm = ReturnType<typeof useDraft>;
