import { isEmail } from '../text/names.ts';
import type { FormErrors } from './pages.ts';
import type { Checkout } from './place-order.ts';
import type { Shop } from './shops.ts';

const lengths: Record<keyof Checkout, number> = {
  name: 200,
  phone: 50,
  email: 254,
  deliveryId: 36,
  address: 500,
  paymentId: 36,
  promoCode: 100,
  notes: 5000,
};

export const noValues: Checkout = {
  name: '',
  phone: '',
  email: '',
  deliveryId: '',
  address: '',
  paymentId: '',
  promoCode: '',
  notes: '',
};

/** One line of text; only the notes may have several. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim();
const severalLines = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();

export function checkoutOf(form: URLSearchParams): Checkout {
  const values = { ...noValues };
  for (const field of Object.keys(lengths) as (keyof Checkout)[])
    values[field] = (field === 'notes' ? severalLines : oneLine)(form.get(field) ?? '');
  return values;
}

/** What the customer has to correct. */
export function errorsOf(shop: Shop, values: Checkout): FormErrors {
  const errors: FormErrors = {};
  for (const [field, max] of Object.entries(lengths) as [keyof Checkout, number][])
    if (values[field].length > max) errors[field] = 'tooLong';
  if (!values.name) errors.name = 'required';
  if (!values.phone && !values.email) errors.phone = 'contact';
  if (values.phone && !/\p{Nd}/u.test(values.phone)) errors.phone = 'phone';
  if (values.email && !isEmail(values.email)) errors.email = 'email';
  const delivery = shop.delivery.find(({ id }) => id === values.deliveryId);
  if (shop.delivery.length && !delivery) errors.deliveryId = 'choose';
  if (delivery?.needsAddress && !values.address) errors.address = 'required';
  if (shop.payments.length && !shop.payments.some(({ id }) => id === values.paymentId)) errors.paymentId = 'choose';
  return errors;
}
