import type { Translate } from '../../i18n/index.ts';

/** A new record may leave the code empty: the server generates it from the name. */
export const validateCode =
  (t: Translate, isNeeded = false) =>
  (code: string) => {
    if (!code) return isNeeded ? t('fieldErrors.required') : null;
    return /^[a-z0-9_-]{1,64}$/.test(code) ? null : t('references.codeWrong');
  };

/** Without a code, the server derives it from the name. */
export const codeOrNone = <Values extends { code: string }>({ code, ...values }: Values) => ({
  ...values,
  ...(code && { code }),
});
