import type { FileError, ImportError, ImportErrorCode, Rejection } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { en } from '../../i18n/en.ts';
import importErrorsEn from '../../i18n/lazy/import-errors.en.ts';
import importErrorsRu from '../../i18n/lazy/import-errors.ru.ts';
import importPageEn from '../../i18n/lazy/import-page.en.ts';
import importPageRu from '../../i18n/lazy/import-page.ru.ts';
import { ru } from '../../i18n/ru.ts';
import { translator } from '../../i18n/translate.ts';
import { fileErrorText, reasonsByLine } from './errors.ts';

const columns = ['externalId', 'sku'];
const errors: { [Code in ImportErrorCode]: Extract<ImportError, { code: Code }>['params'] } = {
  blank: {},
  too_long: { max: 5000 },
  nul: {},
  not_kopecks: { value: '1,5' },
  not_price: { value: '5 ₽' },
  ambiguous_price: { value: '1,299' },
  too_many_decimals: { value: '1.2999', max: 2 },
  not_email: { value: 'x' },
  not_image_url: { value: 'x' },
  duplicate_row: { line: 12 },
  not_boolean: { value: 'yes' },
  not_quantity: { value: '1.5', max: 1_000_000_000 },
  no_digit: {},
  required: {},
  unknown_category: { value: 'tea' },
  rejected_category: { value: 'tea' },
  category_cycle: { path: 'a → b → a' },
  sku_taken: { value: 'A', product: 'b' },
  key_required: { columns },
  category_limit: { max: 10_000 },
  cell_count: { found: 3, expected: 7 },
  row_too_long: { max: 65_536 },
  unclosed_quote: {},
  text_after_quote: {},
  empty_file: { columns },
  not_utf8: {},
  workbook: {},
  unknown_column: { value: 'colour', columns },
  duplicate_column: { value: 'sku' },
  missing_column: { columns },
  unknown_warehouse: { value: 'far', codes: ['main'] },
  no_warehouse: {},
  file_too_large: { maxMiB: 20 },
  too_many_rows: { max: 200_000 },
};
const all = Object.entries(errors).map(([code, params]) => ({ code, params }) as ImportError);

describe.each([
  ['en', { ...en, importErrors: importErrorsEn, importPage: importPageEn }],
  ['ru', { ...ru, importErrors: importErrorsRu, importPage: importPageRu }],
])('in %s', (language, texts) => {
  const t = translator(texts, language);

  test.each(all)('$code has a text with all its parameters', (error) => {
    const [[line, reason] = []] = reasonsByLine([{ ...error, line: 3, column: 'name' }], t);
    expect(line).toBe(3);
    expect(reason).not.toMatch(/importErrors|\{\{|undefined|\[object/);
    for (const value of Object.values(error.params).flat())
      expect(reason).toContain(typeof value === 'number' ? value.toLocaleString(language) : value);
  });

  test('the reasons of a line are joined', () => {
    const rejected: Rejection[] = [
      { line: 2, column: 'name', code: 'blank', params: {} },
      { line: 2, column: 'price', code: 'not_kopecks', params: { value: 'x' } },
      { line: 5, column: null, code: 'key_required', params: { columns } },
    ];
    const lines = reasonsByLine(rejected, t);
    expect(lines.map(([line]) => line)).toEqual([2, 5]);
    expect(lines[0]?.[1]).toMatch(/^name .+; price.+x/);
    expect(lines[1]?.[1]).toMatch(language === 'en' ? /^externalId or sku is required$/ : /externalId или sku$/);
  });

  test('the error of a file names the line of a broken header', () => {
    const broken: FileError = { code: 'unclosed_quote', params: {}, line: 1 };
    expect(fileErrorText(broken, t)).toMatch(language === 'en' ? /^Line 1: A quote/ : /^Строка 1: Кавычка/);
    expect(fileErrorText({ ...broken, line: null }, t)).toMatch(language === 'en' ? /^A quote/ : /^Кавычка/);
  });
});
