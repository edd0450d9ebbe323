import { useForm } from '@mantine/form';
import type { OrderCreate } from '@store-sales/contract';
import { type FieldErrorCollector, totalsOf } from '@store-sales/contract/totals';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import { kopecks } from '../../shell/money.ts';
import { validators } from '../../shell/validators.ts';

export const contactFields = ['name', 'phone', 'email'] as const;
export const addressFields = ['city', 'region', 'street', 'house', 'flat', 'postalCode'] as const;

/** The value of a number field: '' while it is empty. */
type FieldNumber = number | string;

export interface DraftItem {
  /** Of a line that the order already has. */
  id?: string;
  productId: string;
  name: string;
  sku: string;
  quantity: FieldNumber;
  unitPrice: FieldNumber;
  discount: FieldNumber;
}

export const blank = {
  items: [] as DraftItem[],
  customer: { name: '', phone: '', email: '' },
  delivery: {
    typeId: null as string | null,
    cost: '' as FieldNumber,
    discount: '' as FieldNumber,
    address: '',
    city: '',
    region: '',
    street: '',
    house: '',
    flat: '',
    postalCode: '',
  },
  paymentTypeId: null as string | null,
  discount: '' as FieldNumber,
  promoCode: '',
  notes: '',
};

export type Draft = typeof blank;

/** An empty quantity counts as 0. */
export const pricedLines = (draft: Draft) =>
  draft.items.map((item) => ({
    quantity: Math.trunc(Number(item.quantity || 0)),
    unitPrice: kopecks(item.unitPrice),
    discount: kopecks(item.discount),
  }));

/** The same arithmetic as the server's. */
export function draftTotals(draft: Draft, fieldErrors: FieldErrorCollector, promoDiscount = 0) {
  const lines = pricedLines(draft);
  const charges = {
    discount: kopecks(draft.discount) + promoDiscount,
    deliveryCost: kopecks(draft.delivery.cost),
    deliveryDiscount: kopecks(draft.delivery.discount),
  };
  return { ...totalsOf(lines, charges, fieldErrors), ...charges, lines };
}

export function toOrderCreate(draft: Draft): OrderCreate {
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

type Errors = Record<string, string>;

/** Errors of the amounts, by field. */
function amountErrors(draft: Draft, t: Translate): Errors {
  const errors: Errors = {};
  draftTotals(draft, {
    add(pointer, code) {
      errors[pointer.slice(1).replaceAll('/', '.')] = t(
        code === 'negative' ? 'fieldErrors.negative' : 'fieldErrors.overflow',
      );
    },
  });
  return errors;
}

/** The form of an order's items and amounts, whose amounts are checked while the user types. */
export function useDraftForm(initialValues: Draft) {
  const { t } = useTranslation();
  const form = useForm<Draft>({
    initialValues,
    validate(draft) {
      const { amount, customerEmail } = validators(t);
      const errors: Errors = {};
      const check = (field: string, error: string | null) => {
        if (error) errors[field] = error;
      };
      if (!draft.items.length) errors.items = t('orders.itemsRequired');
      for (const [index, { quantity, unitPrice, discount }] of draft.items.entries()) {
        if (!Number(quantity)) errors[`items.${index}.quantity`] = t('fieldErrors.required');
        check(`items.${index}.unitPrice`, amount(unitPrice));
        check(`items.${index}.discount`, amount(discount));
      }
      check('customer.email', customerEmail(draft.customer.email, initialValues.customer.email));
      check('delivery.cost', amount(draft.delivery.cost));
      check('delivery.discount', amount(draft.delivery.discount));
      check('discount', amount(draft.discount));
      return { ...errors, ...amountErrors(draft, t) };
    },
  });
  // An amount may be corrected in another field than the one with the error.
  const outdated = [t('fieldErrors.negative'), t('fieldErrors.overflow')];
  const others = Object.entries(form.errors).filter(([, message]) => !outdated.includes(String(message)));
  const errors = { ...Object.fromEntries(others), ...amountErrors(form.values, t) };
  const getInputProps: typeof form.getInputProps = (path, options) => ({
    ...form.getInputProps(path, options),
    error: errors[path as string],
  });
  return { ...form, errors, getInputProps };
}

export type DraftForm = ReturnType<typeof useDraftForm>;
