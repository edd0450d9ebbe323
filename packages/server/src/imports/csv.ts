import type { ImportError } from '@store-sales/contract/console';
import { Pace } from '../time/pace.ts';

/** A CSV row: its cells, or why it cannot be parsed. Lines are counted from 1; `line` is the first line of the row. */
export type CsvRow = { line: number; cells: string[] } | { line: number; error: ImportError };

/**
 * Longer rows are unclosed quotes, or not CSV at all: cells of maximum length need a quarter of it. Bounds the memory
 * and time per row.
 */
const MAX_ROW_LENGTH = 64 * 1024;
/** Characters parsed before yielding to the event loop; a file may consist of empty lines, which produce no rows. */
const MAX_CHARS_PER_TICK = 8 * 1024;

/**
 * A streaming CSV parser in constant memory. Lines end with LF or CRLF, empty ones are skipped, and a quote inside an
 * unquoted cell is literal. After a row that cannot be parsed, parsing resumes at the next line, so that one missing
 * quote costs one row and not the rest of the file.
 */
export async function* readCsv(text: AsyncIterable<string>, delimiterOf: (firstLine: string) => string) {
  const reader = new Reader(delimiterOf);
  const pace = new Pace();
  for await (const chunk of text)
    for (let start = 0; start < chunk.length; start += MAX_CHARS_PER_TICK) {
      yield* reader.push(chunk.slice(start, start + MAX_CHARS_PER_TICK));
      if (pace.isTimeUp()) await pace.pause();
    }
  yield* reader.end();
}

class Reader {
  /** Received but not parsed yet. */
  private text = '';
  private line = 1;
  private delimiter = '';
  /** Skipping the rest of a line that was too long. */
  private skipping = false;

  constructor(private readonly delimiterOf: (firstLine: string) => string) {}

  *push(chunk: string): Generator<CsvRow> {
    this.text += chunk;
    yield* this.rows(false);
  }

  *end(): Generator<CsvRow> {
    yield* this.rows(true);
  }

  private *rows(isLast: boolean): Generator<CsvRow> {
    const { text } = this;
    let start = 0;
    while (start < text.length) {
      const emptyLine = this.skipping ? 0 : text[start] === '\n' ? 1 : text.startsWith('\r\n', start) ? 2 : 0;
      if (emptyLine) {
        this.line++;
        start += emptyLine;
        continue;
      }
      const lineEnd = text.indexOf('\n', start);
      const isWhole = lineEnd >= 0 || isLast;
      const isTooLong = text.length - start > MAX_ROW_LENGTH;
      if (!isWhole && !isTooLong && !this.skipping) break;
      const nextLine = lineEnd < 0 ? text.length : lineEnd + 1;
      let end = nextLine;
      if (this.skipping || !isWhole) {
        if (!this.skipping) yield { line: this.line, error: { code: 'row_too_long', params: { max: MAX_ROW_LENGTH } } };
        this.skipping = !isWhole;
      } else {
        this.delimiter ||= this.delimiterOf(text.slice(start, nextLine));
        const row = readRow(text, start, nextLine, this.delimiter, isLast || isTooLong);
        if (!row) break;
        if ('error' in row) yield { line: this.line, error: row.error };
        else {
          end = row.end;
          if (row.cells.length > 1 || row.cells[0] !== '') yield { line: this.line, cells: row.cells };
        }
      }
      for (let at = lineEnd; at >= 0 && at < end; at = text.indexOf('\n', at + 1)) this.line++;
      start = end;
    }
    this.text = text.slice(start);
  }
}

type Read = { cells: string[]; end: number } | { error: ImportError } | undefined;

/** Parses the row that begins at `start`; undefined if the text ends before the row does and more may follow. */
function readRow(text: string, start: number, nextLine: number, delimiter: string, isLast: boolean): Read {
  const line = text.slice(start, nextLine).replace(/\r?\n$/, '');
  if (!line.includes('"')) return { cells: line.split(delimiter), end: nextLine };

  const cells: string[] = [];
  for (let at = start; ; ) {
    const cell = text[at] === '"' ? quotedCell(text, at, isLast) : plainCell(text, at, delimiter);
    if (!cell || 'error' in cell) return cell;
    cells.push(cell.value);
    if (text[cell.end] === delimiter) {
      at = cell.end + 1;
      continue;
    }
    const rowEnd = /\r?\n|$/y;
    rowEnd.lastIndex = cell.end;
    if (!rowEnd.test(text)) return { error: { code: 'text_after_quote', params: {} } };
    if (rowEnd.lastIndex === text.length && !text.endsWith('\n') && !isLast) return undefined;
    return { cells, end: rowEnd.lastIndex };
  }
}

type Cell = { value: string; end: number } | { error: ImportError } | undefined;

function quotedCell(text: string, open: number, isLast: boolean): Cell {
  let value = '';
  for (let from = open + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return isLast ? { error: { code: 'unclosed_quote', params: {} } } : undefined;
    // Two more characters are needed to tell a doubled quote from a closing one, and CRLF from CR.
    if (quote + 2 >= text.length && !isLast) return undefined;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function plainCell(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++;
  if (text[end] === '\n' && end > start && text[end - 1] === '\r') end--;
  return { value: text.slice(start, end), end };
}
