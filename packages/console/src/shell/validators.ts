import type { Translate } from '../i18n/index.ts';

/** The same as the server's. */
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** Form validators; the server validates the same rules. */
export const validators = (t: Translate) => ({
  required: (limit: number) => (value: string) => {
    if (!value.trim()) return t('fieldErrors.required');
    return value.trim().length > limit ? t('fieldErrors.tooLong', { limit }) : null;
  },
  email: (value: string) => (EMAIL.test(value.trim()) ? null : t('fieldErrors.email')),
  /** Of a customer: may be empty, and stays valid while it is as stored, because the API accepts any text. */
  customerEmail: (value: string, stored = '') =>
    value === stored || !value.trim() || EMAIL.test(value.trim()) ? null : t('fieldErrors.email'),
  /** Of a money field, which may be empty. */
  amount(value: number | string) {
    if (Number(value) > Number.MAX_SAFE_INTEGER / 100) return t('fieldErrors.too_large');
    return typeof value === 'string' && value ? t('fieldErrors.amount') : null;
  },
  newPassword(value: string) {
    if (value.length < 8) return t('fieldErrors.tooShort', { limit: 8 });
    return value.length > 200 ? t('fieldErrors.tooLong', { limit: 200 }) : null;
  },
});
