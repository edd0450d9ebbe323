import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Kopecks as money; whole units where the amount is large, so that columns stay narrow. */
export function useMoney(currency: string) {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const shown = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    const whole = new Intl.NumberFormat(i18n.language, { ...shown, maximumFractionDigits: 0 });
    const exact = new Intl.NumberFormat(i18n.language, shown);
    return (kopecks: number) => (kopecks >= 1_000_000 ? whole : exact).format(kopecks / 100);
  }, [i18n.language, currency]);
}
