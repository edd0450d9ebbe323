import type { NumberInputProps } from '@mantine/core';
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

/** Props of a money field, with the separators of the console language. */
export function useMoneyField(): NumberInputProps {
  const { language } = useTranslation();
  const isRussian = language === 'ru';
  return {
    min: 0,
    // The forms reject an amount that is too large: to replace it with another could go unnoticed.
    clampBehavior: 'none',
    decimalScale: 2,
    decimalSeparator: isRussian ? ',' : '.',
    // The numeric keypad may have a point even with a Russian layout.
    allowedDecimalSeparators: isRussian ? [',', '.'] : ['.'],
    thousandSeparator: isRussian ? ' ' : ',',
    allowNegative: false,
    hideControls: true,
    inputMode: 'decimal',
    placeholder: isRussian ? '0,00' : '0.00',
  };
}

/** For example `RUB · Russian Ruble`. */
export function useCurrencies() {
  const { language } = useTranslation();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'currency' });
    return Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value} · ${names.of(value)}` }));
  }, [language]);
}
