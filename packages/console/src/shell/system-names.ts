import type { Dictionary } from '../i18n/en.ts';
import type { Translate } from '../i18n/index.ts';

type Texts = Dictionary['orders'];

/** System statuses cannot be renamed, so they are shown in the console language; others by their name. */
export const statusName = ({ code, name }: { code: string | null; name: string }, t: Translate): string =>
  (code !== null && t(`orders.systemNames.${code as keyof Texts['systemNames']}`, { defaultValue: '' })) || name;

/** The same for the default payment types. Delivery types can be renamed, so their names are not translated. */
export const paymentTypeName = ({ code, name }: { code: string; name: string }, t: Translate): string =>
  t(`orders.systemTypes.${code as keyof Texts['systemTypes']}`, { defaultValue: '' }) || name;
