import { MAX_AMOUNT } from '@store-sales/contract';
import type { ImportError, PriceUnit } from '@store-sales/contract/console';
import { excerpt } from './table.ts';

type Separator = ',' | '.';

/** How the prices of a file are written. `decimal` is undefined if the file does not tell. */
export type PriceFormat = { unit: 'kopecks' } | { unit: 'units'; decimal: Separator | undefined };

/** An amount has two decimals in every currency. */
const DECIMALS = 2;

/**
 * Finds the decimal separator of a file in a first pass over its price cells: the only one that cells with a single
 * reading use. `1,299` alone has two readings.
 */
export class PriceScan {
  private readonly decimals = new Set<Separator>();

  constructor(private readonly unit: PriceUnit) {}

  add(cell: string | undefined) {
    if (this.unit === 'kopecks' || !cell || this.decimals.size === 2) return;
    const { decimal } = split(cell.trim()) ?? {};
    if (decimal === ',' || decimal === '.') this.decimals.add(decimal);
  }

  format(): PriceFormat {
    if (this.unit === 'kopecks') return { unit: 'kopecks' };
    const [decimal] = this.decimals;
    return { unit: 'units', decimal: this.decimals.size === 1 ? decimal : undefined };
  }
}

/** The price cells of a row, if it has any. */
export function scanPrices(scan: PriceScan, cells: object) {
  const { price, oldPrice } = cells as { price?: string; oldPrice?: string };
  scan.add(price);
  scan.add(oldPrice);
}

/** The amount in kopecks, or why the cell is rejected. */
export function parsePrice(cell: string, format: PriceFormat): number | ImportError {
  const text = cell.trim();
  const value = excerpt(text);
  if (format.unit === 'kopecks') {
    const amount = Number(text);
    return /^\d+$/.test(text) && amount <= MAX_AMOUNT ? amount : { code: 'not_kopecks', params: { value } };
  }
  const found = split(text);
  if (!found) return { code: 'not_price', params: { value } };
  let { whole, fraction } = found;
  if (found.decimal === 'unknown') {
    if (!format.decimal) return { code: 'ambiguous_price', params: { value } };
    if (found.separator !== format.decimal) [whole, fraction] = [whole + fraction, ''];
  }
  if (fraction.length > DECIMALS) return { code: 'too_many_decimals', params: { value, max: DECIMALS } };
  const amount = Number(whole + fraction.padEnd(DECIMALS, '0'));
  return amount <= MAX_AMOUNT ? amount : { code: 'not_price', params: { value } };
}

interface Parts {
  whole: string;
  fraction: string;
  separator?: Separator;
  /** The decimal separator that the cell shows; `unknown` if its only separator may also group thousands. */
  decimal?: Separator | 'unknown';
}

/** `1299`, `1 299`, either with `,90` or `.90`; the spaces are those that spreadsheets group by. */
const PLAIN = /^(\d+|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+)(?:([.,])(\d+))?$/;
/** `1,299.90`, `1.299,90`, `1,299,000` */
const GROUPED = /^([1-9]\d{0,2}(?:([.,])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/;

function split(text: string): Parts | undefined {
  const plain = PLAIN.exec(text);
  if (plain) {
    const [, whole = '', separator, fraction = ''] = plain as unknown as [string, string, Separator?, string?];
    if (!separator) return { whole: digits(whole), fraction };
    const isUnclear = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    return { whole: digits(whole), fraction, separator, decimal: isUnclear ? 'unknown' : separator };
  }
  const grouped = GROUPED.exec(text);
  if (!grouped) return undefined;
  const [, whole, group, separator, fraction = ''] = grouped as unknown as [
    string,
    string,
    Separator,
    Separator?,
    string?,
  ];
  if (separator === group) return undefined;
  return { whole: digits(whole), fraction, decimal: group === ',' ? '.' : ',' };
}

const digits = (text: string) => text.replace(/\D/g, '');
