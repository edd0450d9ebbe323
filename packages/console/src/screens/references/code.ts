import type { TFunction } from 'i18next';

/** A code may be left empty where one is made from the name. */
export const codeCheck =
  (t: TFunction, isNeeded = false) =>
  (code: string) => {
    if (!code) return isNeeded ? t('faults.required') : null;
    return /^[a-z0-9_-]{1,64}$/.test(code) ? null : t('references.codeWrong');
  };
