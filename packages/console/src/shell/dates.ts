import { useMemo } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useCurrentStore } from './use-current-store.ts';

export const browserTimezone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All zones the browser knows, and the current one, which it may not know. */
export const timezones = (current: string) =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current])].sort();

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Dates in the console's language and the store's time zone. */
export function useDates() {
  const { language } = useTranslation();
  const timeZone = useCurrentStore()?.timezone;
  return useMemo(() => {
    const formatter = (options: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(language, { ...(timeZone && { timeZone }), ...options });
      // Russian dates end with "г.", which makes table cells wrap.
      return (instant: string | number) => format.format(new Date(instant)).replace(/\sг\./, '');
    };
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const capitalize = (text: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
    return {
      date: formatter({ dateStyle: 'medium' }),
      dateTime: formatter({ dateStyle: 'medium', timeStyle: 'short' }),
      /** With seconds, for logs. */
      instant: formatter({ dateStyle: 'medium', timeStyle: 'medium' }),
      time: formatter({ timeStyle: 'short' }),
      /** A calendar day such as `2026-01-31`, without the year. */
      day: formatter({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
      /** For example "5 minutes ago", or "Now" within a minute. */
      ago(instant: string) {
        const passed = Date.parse(instant) - Date.now();
        const [unit, length] = units.find(([, ms]) => Math.abs(passed) >= ms) ?? (['second', 0] as const);
        return capitalize(relative.format(length ? Math.round(passed / length) : 0, unit));
      },
    };
  }, [language, timeZone]);
}

/** The store's time zone, if this browser's clock shows another time. */
export function useForeignZone(): string | undefined {
  const zone = useCurrentStore()?.timezone;
  return zone && offsetOf(zone) !== offsetOf(browserTimezone()) ? zone : undefined;
}

const offsetOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value;
