import type { TFunction } from 'i18next';
import type { Dictionary } from '../i18n/en.ts';

type Texts = Dictionary['orders'];

/**
 * A status as the owner reads it. System statuses are known by their codes and nobody can rename them, so they are shown
 * in the language of the console; others under the name they were given.
 */
export const statusName = ({ code, name }: { code: string | null; name: string }, t: TFunction): string =>
  (code !== null && t(`orders.systemNames.${code as keyof Texts['systemNames']}`, { defaultValue: '' })) || name;

/** The same for the payment types that every owner begins with. Delivery types can be renamed: they are as named. */
export const paymentTypeName = ({ code, name }: { code: string; name: string }, t: TFunction): string =>
  // Not as the default: the translator would read braces in a name as its own.
  t(`orders.systemTypes.${code as keyof Texts['systemTypes']}`, { defaultValue: '' }) || name;
