import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** The zone this browser is in: the likely one for a new store. */
export const ownTimezone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every zone that browsers know, and the one that is set should they not. */
export const timezones = (present: string) =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', present])].sort();

/** Every currency with its name in the language of the page: `RUB · Russian Ruble`. */
export function useCurrencies() {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });
    return Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value} · ${names.of(value)}` }));
  }, [i18n.language]);
}
