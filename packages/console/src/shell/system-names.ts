import type { TFunction } from 'i18next';
import type { Dictionary } from '../i18n/en.ts';

type Code = keyof Dictionary['orders']['systemNames'];

/**
 * A status as the owner reads it. System statuses are known by their codes and nobody can rename them, so they are shown
 * in the language of the console; others under the name they were given.
 */
export const statusName = ({ code, name }: { code: string | null; name: string }, t: TFunction): string =>
  code === null ? name : t(`orders.systemNames.${code as Code}`, { defaultValue: name });
