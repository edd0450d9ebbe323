import type { ImportKind } from '@store-sales/contract/console';

/** A file to begin with: the columns of each list, and a row or two as examples. */
const templates: Record<ImportKind, string[][]> = {
  products: [
    ['externalId', 'sku', 'name', 'description', 'price', 'categoryExternalId', 'isActive'],
    ['1c-17', 'TEA-G-03', 'Longjing, 100 g', 'Spring harvest', '148000', '', 'true'],
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
};

export const kinds = Object.keys(templates) as ImportKind[];
export const columnsOf = (kind: ImportKind) => templates[kind][0] as string[];

export const saveTemplate = (kind: ImportKind) => saveCsv(`${kind}.csv`, templates[kind]);

/** Hands a table to the browser as a file. The mark tells spreadsheets that it is UTF-8. */
export function saveCsv(name: string, rows: readonly (readonly (string | number)[])[]) {
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const cell = (value: string | number) =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value;
