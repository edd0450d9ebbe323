import { Pace } from './pace.ts';

/** A row of a CSV text: its cells, or why it cannot be read. The first line is 1; a row of several begins at `line`. */
export type CsvRow = { line: number; cells: string[] } | { line: number; fault: string };

/**
 * A row longer than this is a quote that was never closed, or no CSV at all: cells of the greatest lengths allowed need
 * a quarter of it. It bounds memory, and the time that one row takes.
 */
const MAX_ROW = 64 * 1024;
/** Characters that are read before others get a turn; a file may consist of empty lines, which give no rows. */
const PIECE = 8 * 1024;

/**
 * Reads CSV as it comes, in constant memory. Lines end with LF or CRLF, empty ones are passed over, a quote inside
 * a cell that is not quoted stands for itself. After a row that cannot be read the next line is the next row: one
 * forgotten quote costs one row, where a reader without this would swallow the rest of the file.
 */
export async function* readCsv(text: AsyncIterable<string>, delimiterOf: (firstLine: string) => string) {
  const reader = new Reader(delimiterOf);
  const pace = new Pace();
  for await (const chunk of text)
    for (let start = 0; start < chunk.length; start += PIECE) {
      yield* reader.take(chunk.slice(start, start + PIECE));
      if (pace.isOver()) await pace.pause();
    }
  yield* reader.end();
}

class Reader {
  /** What has come and is not read yet. */
  private text = '';
  private line = 1;
  private delimiter = '';
  /** The rest of a line that was too long is still to come. */
  private skipping = false;

  constructor(private readonly delimiterOf: (firstLine: string) => string) {}

  *take(chunk: string): Generator<CsvRow> {
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
      const isTooLong = text.length - start > MAX_ROW;
      if (!isWhole && !isTooLong && !this.skipping) break;
      const nextLine = lineEnd < 0 ? text.length : lineEnd + 1;
      let end = nextLine;
      if (this.skipping || !isWhole) {
        if (!this.skipping) yield { line: this.line, fault: `is longer than ${MAX_ROW} characters` };
        this.skipping = !isWhole;
      } else {
        this.delimiter ||= this.delimiterOf(text.slice(start, nextLine));
        const row = readRow(text, start, nextLine, this.delimiter, isLast || isTooLong);
        if (!row) break;
        if ('fault' in row) yield { line: this.line, fault: row.fault };
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

type Read = { cells: string[]; end: number } | { fault: string } | undefined;

/** Reads the row that begins at `start`; nothing when the text ends before the row does and more may come. */
function readRow(text: string, start: number, nextLine: number, delimiter: string, isLast: boolean): Read {
  const line = text.slice(start, nextLine).replace(/\r?\n$/, '');
  if (!line.includes('"')) return { cells: line.split(delimiter), end: nextLine };

  const cells: string[] = [];
  for (let at = start; ; ) {
    const cell = text[at] === '"' ? quotedCell(text, at, isLast) : plainCell(text, at, delimiter);
    if (!cell || 'fault' in cell) return cell;
    cells.push(cell.value);
    if (text[cell.end] === delimiter) {
      at = cell.end + 1;
      continue;
    }
    const rowEnd = /\r?\n|$/y;
    rowEnd.lastIndex = cell.end;
    if (!rowEnd.test(text))
      return { fault: 'has text behind a closing quote; a quote inside a quoted cell is doubled' };
    if (rowEnd.lastIndex === text.length && !text.endsWith('\n') && !isLast) return undefined;
    return { cells, end: rowEnd.lastIndex };
  }
}

type Cell = { value: string; end: number } | { fault: string } | undefined;

function quotedCell(text: string, open: number, isLast: boolean): Cell {
  let value = '';
  for (let from = open + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return isLast ? { fault: 'opens a quote that is never closed' } : undefined;
    // Two more characters tell whether the quote is doubled, and whether a CR is half of a line end.
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
