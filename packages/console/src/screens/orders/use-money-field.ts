import type { NumberInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** How a field for an amount behaves, in the notation of the language. */
export function useMoneyField(): NumberInputProps {
  const { i18n } = useTranslation();
  const isRussian = i18n.language === 'ru';
  return {
    min: 0,
    max: 90_000_000_000_000,
    decimalScale: 2,
    decimalSeparator: isRussian ? ',' : '.',
    // On a Russian keyboard the comma is out of reach of the digits.
    allowedDecimalSeparators: isRussian ? [',', '.'] : ['.'],
    thousandSeparator: isRussian ? ' ' : ',',
    allowNegative: false,
    hideControls: true,
    inputMode: 'decimal',
    placeholder: isRussian ? '0,00' : '0.00',
  };
}
