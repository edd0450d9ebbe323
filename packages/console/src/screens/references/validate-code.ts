import { CODE } from '@store-sales/contract/values';
import type { Translate } from '../../i18n/index.ts';

const pattern = new RegExp(CODE);

/** A new record may leave the code empty: the server generates it from the name. */
export const validateCode =
  (t: Translate, isNeeded = false) =>
  (code: string) => {
    if (!code) return isNeeded ? t('fieldErrors.required') : null;
    return pattern.test(code) ? null : t('references.codeWrong');
  };

/** Without a code, the server derives it from the name. */
export const codeOrNone = <Values extends { code: string }>({ code, ...values }: Values) => ({
  ...values,
  ...(code && { code }),
});
