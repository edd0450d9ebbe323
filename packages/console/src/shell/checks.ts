import type { TFunction } from 'i18next';

/** What forms check before they send, in the words of the page. The server checks the same again. */
export const checks = (t: TFunction) => ({
  filled: (limit: number) => (value: string) => {
    if (!value.trim()) return t('faults.required');
    return value.trim().length > limit ? t('faults.tooLong', { limit }) : null;
  },
  email: (value: string) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : t('faults.email')),
  newPassword(value: string) {
    if (value.length < 8) return t('faults.tooShort', { limit: 8 });
    return value.length > 200 ? t('faults.tooLong', { limit: 200 }) : null;
  },
});
