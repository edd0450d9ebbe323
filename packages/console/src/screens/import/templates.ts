import type { ImportKind, PriceUnit } from '@store-sales/contract/values';

/** Price of the example product. Without decimals, because spreadsheets read a point or a comma by their language. */
const prices: Record<PriceUnit, string> = { units: '1480', kopecks: '148000' };

/** The columns of each list, with example rows. */
const templates = (unit: PriceUnit): Record<ImportKind, string[][]> => ({
  products: [
    ['externalId', 'sku', 'name', 'description', 'price', 'oldPrice', 'categoryExternalId', 'imageUrl', 'isActive'],
    ['1c-17', 'TEA-G-03', 'Longjing, 100 g', 'Spring harvest', prices[unit], '', '', '', 'true'],
  ],
  categories: [
    ['externalId', 'name', 'parentExternalId'],
    ['tea', 'Tea', ''],
    ['green', 'Green tea', 'tea'],
  ],
  customers: [
    ['externalId', 'name', 'phone', 'email'],
    ['c-1', 'Anna', '+7 900 000-00-01', 'anna@example.com'],
  ],
});

/** Stock is not in the template: a store without a warehouse cannot import it. */
export const columnsOf = (kind: ImportKind) => [
  ...(templates('units')[kind][0] as string[]),
  ...(kind === 'products' ? ['stock'] : []),
];

export const saveTemplate = (kind: ImportKind, unit: PriceUnit, language: string) =>
  saveCsv(`${kind}.csv`, templates(unit)[kind], language);

/**
 * Downloads a table as a CSV file. Excel needs a BOM to detect UTF-8, and expects the delimiter of its language: a
 * semicolon where the comma begins the decimals.
 */
export function saveCsv(name: string, rows: readonly (readonly (string | number)[])[], language: string) {
  const text = rows.map((row) => row.map(cell).join(language === 'ru' ? ';' : ',')).join('\r\n');
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const cell = (value: string | number) =>
  /[",;\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value;
