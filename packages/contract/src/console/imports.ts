import Type, { type Static } from 'typebox';
import { Body, OneOf, Text } from '../api/common.ts';
import { priceUnits } from './values.ts';

const query = {
  preview: Type.Optional(OneOf(['true'], 'Reports what would change and changes nothing.')),
  file: Type.Optional(Text(200, 'Name of the file, for the history.')),
};
export const ImportQuery = Body(query);
export type ImportQuery = Static<typeof ImportQuery>;

export const ProductImportQuery = Body({
  ...query,
  prices: Type.Optional(OneOf(priceUnits, 'How prices are written; kopecks if left out.')),
  inactive: Type.Optional(OneOf(['true'], 'New products are inactive, whatever the file says.')),
});
export type ProductImportQuery = Static<typeof ProductImportQuery>;

/** A row that creates or changes a record. */
export interface ImportChange {
  line: number;
  outcome: 'created' | 'updated';
  name: string;
  /** By column: the old value (null for none) and the new one. */
  fields: Record<string, [before: string | number | boolean | null, after: string | number | boolean | null]>;
}

type NoParams = Record<string, never>;

/** Why a row or a whole file is rejected: each code and its parameters. Values of the file are shortened. */
export interface ImportErrorParams {
  // A cell; the rejection names its column.
  blank: NoParams;
  too_long: { max: number };
  nul: NoParams;
  not_kopecks: { value: string };
  not_price: { value: string };
  /** The separator may group thousands or begin the decimals, and no other price of the file tells which. */
  ambiguous_price: { value: string };
  too_many_decimals: { value: string; max: number };
  not_email: { value: string };
  not_image_url: { value: string };
  not_boolean: { value: string };
  not_quantity: { value: string; max: number };
  no_digit: NoParams;
  /** A new record needs the column. */
  required: NoParams;
  unknown_category: { value: string };
  /** The row of the category is itself rejected. */
  rejected_category: { value: string };
  /** `path` leads from the category back to itself, such as `a → b → a`. */
  category_cycle: { path: string };
  /** `product` is the external id of the other product or, if it has none, its name. */
  sku_taken: { value: string; product: string };

  /** `line` is the first row with the same value. */
  duplicate_row: { line: number };

  // A row.
  key_required: { columns: readonly string[] };
  category_limit: { max: number };
  cell_count: { found: number; expected: number };

  // A row, or the header and so the whole file.
  row_too_long: { max: number };
  unclosed_quote: NoParams;
  text_after_quote: NoParams;

  // The whole file.
  empty_file: { columns: readonly string[] };
  /** Neither UTF-8 nor Windows-1251. */
  not_utf8: NoParams;
  /** An Excel file. */
  workbook: NoParams;
  unknown_column: { value: string; columns: readonly string[] };
  duplicate_column: { value: string };
  missing_column: { columns: readonly string[] };
  /** A column of stock: the store has no warehouse with this code. */
  unknown_warehouse: { value: string; codes: readonly string[] };
  /** A column `stock` without a code. */
  no_warehouse: NoParams;
  file_too_large: { maxMiB: number };
  too_many_rows: { max: number };
}
export type ImportErrorCode = keyof ImportErrorParams;

export type ImportError = {
  [Code in ImportErrorCode]: { code: Code; params: ImportErrorParams[Code] };
}[ImportErrorCode];

/** A reason why a row is rejected. A row with several errors has one rejection for each. */
export type Rejection = ImportError & {
  /** First line of the row; the header is line 1. */
  line: number;
  column: string | null;
};

/** Why the whole file is rejected: the entry in `errors` of the problem. */
export type FileError = ImportError & {
  /** The line of a header that cannot be parsed; otherwise null. */
  line: number | null;
};

export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  /** The first rejections, in the order of their lines. */
  rejected: Rejection[];
  /** Number of rejected rows. */
  rejectedCount: number;
  /** The first rows that change something. */
  changes: ImportChange[];
}

/** One line of the response to an import: how much of the file is read (0 to 1), at the end the report or the error. */
export type ImportProgress =
  | { progress: number }
  | { report: ImportReport }
  | { problem: { code: string; detail: string } };
