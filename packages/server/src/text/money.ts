/** Formats kopecks like the console: with two digits in every currency, because amounts have them in every currency. */
export function moneyFormat(language: string, currency: string) {
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return (kopecks: number) => format.format(kopecks / 100);
}
