import type { ImportError, ImportErrorCode, ImportErrorParams, Rejection } from '@store-sales/contract/console';
import { DomainError } from '../domain-error.ts';

type Messages = { [Code in ImportErrorCode]: (params: ImportErrorParams[Code]) => string };

/** In English, for the command line; the console has its own texts. The text for a cell follows its column. */
const messages: Messages = {
  blank: () => 'must not be empty',
  too_long: ({ max }) => `must have at most ${max} characters`,
  nul: () => 'must not contain a NUL character',
  not_kopecks: ({ value }) =>
    `must be a whole number of kopecks, such as 15000 for 150.00; found ${JSON.stringify(value)}`,
  not_price: ({ value }) => `must be a price, such as 1299.90 or 1 299,90; found ${JSON.stringify(value)}`,
  ambiguous_price: ({ value }) =>
    `${JSON.stringify(value)} is ambiguous, because no other price tells whether its separator begins the decimals; write it with two decimals or without separators`,
  too_many_decimals: ({ value, max }) => `must have at most ${max} decimals; found ${JSON.stringify(value)}`,
  not_image_url: ({ value }) =>
    `must be an https address, or a path that begins with one /; found ${JSON.stringify(value)}`,
  not_email: ({ value }) => `must be an e-mail address, such as name@example.com; found ${JSON.stringify(value)}`,
  not_boolean: ({ value }) => `must be true, false, yes, no, 1 or 0; found ${JSON.stringify(value)}`,
  not_quantity: ({ value, max }) =>
    `must be a whole number of at most ${max.toLocaleString('en')}; found ${JSON.stringify(value)}`,
  no_digit: () => 'must contain at least one digit',
  required: () => 'is required for a new record',
  unknown_category: ({ value }) => `matches no category: ${JSON.stringify(value)}`,
  rejected_category: ({ value }) => `names a category whose own row is rejected: ${JSON.stringify(value)}`,
  category_cycle: ({ path }) => `would put the category below itself: ${JSON.stringify(path)}`,
  sku_taken: ({ value, product }) => `${JSON.stringify(value)} belongs to another product: ${JSON.stringify(product)}`,

  duplicate_row: ({ line }) => `is the same as in line ${line}; a record can have only one row`,

  key_required: ({ columns }) => `${columns.join(' or ')} is required`,
  category_limit: ({ max }) => `a store can have at most ${max.toLocaleString('en')} categories`,
  cell_count: ({ found, expected }) => `the row has ${found} cells, the header has ${expected}`,

  row_too_long: ({ max }) => `the row is longer than ${max.toLocaleString('en')} characters`,
  unclosed_quote: () => 'a quote is never closed',
  text_after_quote: () => 'there is text after a closing quote; a quote inside a quoted cell must be doubled',

  empty_file: ({ columns }) => `the file is empty; its first line must name the columns: ${columns.join(',')}`,
  not_utf8: () => 'the file is neither UTF-8 nor Windows-1251; save it as "CSV UTF-8"',
  workbook: () => 'the file is a workbook of a spreadsheet; save the sheet as "CSV UTF-8"',
  unknown_column: ({ value, columns }) =>
    `unknown column ${JSON.stringify(value)}; valid columns: ${columns.join(', ')}`,
  duplicate_column: ({ value }) => `the column ${value} appears twice`,
  missing_column: ({ columns }) => `the column ${columns.join(' or ')} is missing`,
  unknown_warehouse: ({ value, codes }) =>
    `no warehouse has the code ${JSON.stringify(value)}; ${codes.length ? `valid codes: ${codes.join(', ')}` : 'the store has no warehouse'}`,
  no_warehouse: () => 'the column stock needs an active warehouse, and the store has none',
  file_too_large: ({ maxMiB }) => `the file is larger than ${maxMiB} MiB`,
  too_many_rows: ({ max }) => `the file has more than ${max.toLocaleString('en')} rows`,
};

const textOf = ({ code, params }: ImportError) => (messages[code] as (params: ImportError['params']) => string)(params);

export const messageOf = (rejection: Rejection) =>
  rejection.column ? `${rejection.column} ${textOf(rejection)}` : textOf(rejection);

/** Rejects the whole file. */
export function fileError(
  error: ImportError,
  { line = null, code = 'invalid_body' }: { line?: number | null; code?: 'invalid_body' | 'body_too_large' } = {},
) {
  const message = line ? `line ${line}: ${textOf(error)}` : textOf(error);
  return new DomainError(code, `The file cannot be imported: ${message}.`, [{ ...error, line, message }]);
}
