import type { Customer } from '@store-sales/contract';
import type { Translate } from '../../i18n/index.ts';

/** The name of a customer as it is shown. */
export const nameOf = ({ name, erasedAt }: Customer, t: Translate) =>
  name || t(erasedAt ? 'customers.erasedCustomer' : 'customers.nameless');
