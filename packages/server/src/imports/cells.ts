import type { ImportError } from '@store-sales/contract/console';
import { isEmail } from '../text/names.ts';
import { type PriceFormat, parsePrice } from './prices.ts';
import { excerpt, type TableRow } from './table.ts';

export type RowError = ImportError & { column: string | null };

const yes = ['true', '1', 'yes', 'да'];
const no = ['false', '0', 'no', 'нет'];

/** Rejects a row. Other rows are still imported. */
export class RowRejected extends Error {
  override name = 'RowRejected';
  constructor(readonly errors: readonly RowError[]) {
    super(errors.map(({ code }) => code).join(', '));
  }
}

/** Reads the cells of a row. Values are undefined if the file lacks the column; errors are collected. */
export class Cells<Column extends string> {
  private readonly errors: RowError[] = [];

  constructor(private readonly row: TableRow<Column>) {
    if (row.error) this.errors.push({ column: null, ...row.error });
  }

  throwIfAny() {
    if (this.errors.length) throw new RowRejected(this.errors);
  }

  reject(column: Column | null, error: ImportError) {
    this.errors.push({ column, ...error });
  }

  /** The text unchanged. */
  verbatim(column: Column, max: number): string | undefined {
    return this.checked(column, this.row.cells[column], max);
  }

  /** The text, trimmed. */
  text(column: Column, max: number): string | undefined {
    return this.checked(column, this.row.cells[column]?.trim(), max);
  }

  /** The text, trimmed; required. */
  filled(column: Column, max: number): string | undefined {
    const text = this.text(column, max);
    if (text === '') this.reject(column, { code: 'blank', params: {} });
    return text;
  }

  /** The text, trimmed; null if empty. */
  key(column: Column, max = 255): string | null | undefined {
    const text = this.text(column, max);
    return text === '' ? null : text;
  }

  /** In kopecks. */
  price(column: Column, format: PriceFormat): number | undefined {
    const cell = this.row.cells[column];
    if (cell === undefined) return undefined;
    const price = parsePrice(cell, format);
    if (typeof price === 'number') return price;
    this.reject(column, price);
    return undefined;
  }

  /** In kopecks; null if the cell is empty or 0. */
  optionalPrice(column: Column, format: PriceFormat): number | null | undefined {
    if (this.row.cells[column] === undefined) return undefined;
    return this.row.cells[column].trim() === '' ? null : this.price(column, format) || null;
  }

  /** A whole number of any sign; undefined if the cell is empty. */
  quantity(column: Column, max: number): number | undefined {
    const text = this.row.cells[column]?.trim();
    if (!text) return undefined;
    const quantity = Number(text);
    if (/^[-+]?\d+$/.test(text) && Math.abs(quantity) <= max) return quantity;
    this.reject(column, { code: 'not_quantity', params: { value: excerpt(text), max } });
    return undefined;
  }

  /** The text, trimmed; empty or an e-mail address. */
  email(column: Column): string | undefined {
    const text = this.text(column, 254);
    if (text && !isEmail(text)) this.reject(column, { code: 'not_email', params: { value: excerpt(text) } });
    return text;
  }

  boolean(column: Column, whenEmpty: boolean): boolean | undefined {
    const text = this.row.cells[column]?.trim().toLowerCase();
    if (text === undefined) return undefined;
    if (text === '') return whenEmpty;
    if (!yes.includes(text) && !no.includes(text))
      this.reject(column, { code: 'not_boolean', params: { value: excerpt(text) } });
    return yes.includes(text);
  }

  private checked(column: Column, text: string | undefined, max: number) {
    if (text === undefined) return undefined;
    if (text.includes('\0')) this.reject(column, { code: 'nul', params: {} });
    if (text.length > max && [...text].length > max) this.reject(column, { code: 'too_long', params: { max } });
    return text;
  }
}
