import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from '../../shell/use-store.ts';

/** Amounts in the currency of the store, moments on its clocks: the filters by day mean the same days. */
export function useOrderFormats() {
  const { i18n } = useTranslation();
  const { currency, timezone } = useStore();
  return useMemo(() => {
    const amount = new Intl.NumberFormat(i18n.language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    const moment = new Intl.DateTimeFormat(i18n.language, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: timezone,
    });
    return {
      money: (kopecks: number) => amount.format(kopecks / 100),
      moment: (instant: string) => moment.format(new Date(instant)).replace(/\sг\./, ''),
    };
  }, [i18n.language, currency, timezone]);
}

/** What was typed into a field for money, in kopecks. */
export const kopecks = (typed: number | string) => Math.round(Number(typed || 0) * 100);
