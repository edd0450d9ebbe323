import { MAX_AMOUNT } from '@store-sales/contract';
import type { TableRow } from './table.ts';

/** A rejected row and the reason. Other rows are still imported. */
export class RowRefused extends Error {
  override name = 'RowRefused';
}

/** A value shortened for a message, and copied so that it does not keep the text of the file in memory. */
export const shown = (value: string) => JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);

/** Reads the cells of a row. Values are undefined if the file lacks the column; errors are collected. */
export class Cells<Column extends string> {
  private readonly faults: string[] = [];

  constructor(private readonly row: TableRow<Column>) {
    if (row.fault) this.faults.push(row.fault);
  }

  /** Rejects the row if any cell was invalid. */
  throwIfAny() {
    if (this.faults.length) throw new RowRefused(this.faults.join('; '));
  }

  refuse(column: Column, why: string) {
    this.faults.push(`${column} ${why}`);
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
    if (text === '') this.refuse(column, 'must not be empty');
    return text;
  }

  /** The text, trimmed; null if empty. */
  key(column: Column, max = 255): string | null | undefined {
    const text = this.text(column, max);
    return text === '' ? null : text;
  }

  kopecks(column: Column): number | undefined {
    const text = this.row.cells[column]?.trim();
    if (text === undefined) return undefined;
    const amount = Number(text);
    if (!/^\d+$/.test(text) || amount > MAX_AMOUNT)
      this.refuse(column, `must be a whole number of kopecks, such as 15000 for 150.00, but is ${shown(text)}`);
    return amount;
  }

  truth(column: Column, whenEmpty: boolean): boolean | undefined {
    const text = this.row.cells[column]?.trim().toLowerCase();
    if (text === undefined) return undefined;
    if (text === '') return whenEmpty;
    if (!['true', 'false', '1', '0'].includes(text))
      this.refuse(column, `must be true or false (or 1 or 0), but is ${shown(text)}`);
    return text === 'true' || text === '1';
  }

  private checked(column: Column, text: string | undefined, max: number) {
    if (text === undefined) return undefined;
    if (text.includes('\0')) this.refuse(column, 'must not hold a NUL character');
    if (text.length > max && [...text].length > max) this.refuse(column, `must have at most ${max} characters`);
    return text;
  }
}
