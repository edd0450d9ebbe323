import type { Language } from '@store-sales/contract/console';
import { useMemo } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useStore } from './use-store.ts';

/** Formats kopecks in the store's currency. */
export function useMoney() {
  const { language } = useTranslation();
  const { currency } = useStore();
  return useMemo(() => {
    const formatter = (digits: number, trailingZeroDisplay: 'auto' | 'stripIfInteger' = 'auto') => {
      const format = new Intl.NumberFormat(language, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        trailingZeroDisplay,
      });
      return (kopecks: number) => format.format(kopecks / 100);
    };
    const money = formatter(2);
    const rounded = formatter(0);
    return {
      money,
      /** Large amounts without kopecks. */
      shortMoney: (kopecks: number) => (kopecks >= 1_000_000 ? rounded : money)(kopecks),
      /** Whole amounts without kopecks. */
      axisMoney: formatter(2, 'stripIfInteger'),
    };
  }, [language, currency]);
}

/** The value of a money field in kopecks; 0 while it is not an amount, such as a decimal separator alone. */
export const kopecks = (value: number | string) =>
  Math.min(Math.round((Number(value) || 0) * 100), Number.MAX_SAFE_INTEGER);

/**
 * Reads what was typed into a money field: a number, or the text itself if it is not an amount. In English a comma
 * separates thousands where it groups three digits, and is the decimal separator otherwise.
 */
export function parseAmount(text: string, language: Language): number | string {
  const compact = text.replace(/\s/g, '');
  const pattern = language === 'ru' ? AMOUNT : AMOUNT_WITH_GROUPS;
  const [, whole, fraction] = pattern.exec(compact) ?? [];
  const amount = whole || fraction ? Number(`${whole?.replaceAll(',', '')}.${fraction ?? ''}`) : Number.NaN;
  return Number.isFinite(amount) ? amount : compact;
}
const AMOUNT = /^(\d*)(?:[.,](\d{0,2}))?$/;
const AMOUNT_WITH_GROUPS = /^(\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:[.,](\d{0,2}))?$/;

/** For example `RUB · Russian Ruble`. */
export function useCurrencies() {
  const { language } = useTranslation();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'currency' });
    return Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value} · ${names.of(value)}` }));
  }, [language]);
}
