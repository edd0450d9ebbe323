import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Dates in the language of the page and the time zone of the browser. */
export function useFormats() {
  const { i18n } = useTranslation();
  return useMemo(() => {
    // Russian ends dates with "г.", which in a table only makes them wrap.
    const bare = (text: string) => text.replace(/\sг\./, '');
    const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' });
    const moment = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
    const capital = (text: string) => text.charAt(0).toLocaleUpperCase(i18n.language) + text.slice(1);
    const distance = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'auto' });
    return {
      date: (instant: string | number) => bare(day.format(new Date(instant))),
      dateTime: (instant: string | number) => bare(moment.format(new Date(instant))),
      /** "5 minutes ago"; what is nearer than a minute is "Now". Stands by itself, so it begins with a capital. */
      ago(instant: string) {
        const passed = Date.parse(instant) - Date.now();
        const [unit, length] = steps.find(([, ms]) => Math.abs(passed) >= ms) ?? (['second', 0] as const);
        return capital(distance.format(length ? Math.round(passed / length) : 0, unit));
      },
    };
  }, [i18n.language]);
}
