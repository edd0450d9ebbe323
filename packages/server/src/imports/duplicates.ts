import type { TableRow } from './table.ts';

/** Another column that identifies a row without an external id. */
interface SecondKey<Column extends string> {
  column: Column;
  /** The value to compare, or null. */
  keyOf(cell: string): string | null;
}

export const trimmedKey = (cell: string) => cell.trim() || null;

/**
 * Rejects rows that name the record of an earlier row: by its external id, or by the second key if one of the two rows
 * has no external id. A file with two rows for a record does not tell which one is right. The earlier row counts even
 * if it is rejected itself.
 */
export async function* rejectDuplicates<Column extends string>(
  rows: AsyncIterable<TableRow<Column | 'externalId'>>,
  second?: SecondKey<Column>,
): AsyncGenerator<TableRow<Column | 'externalId'>> {
  const lines = new LineTable();
  for await (const row of rows) {
    const id = trimmedKey(row.cells.externalId ?? '');
    const other = second?.keyOf(row.cells[second.column] ?? '');
    const sameId = id ? lines.get(`i${id}`) : 0;
    const sameOther = other && !sameId ? lines.get(`${id ? 'o' : 's'}${other}`) : 0;
    if (sameId || sameOther) {
      const column = sameId ? 'externalId' : (second?.column ?? null);
      yield {
        line: row.line,
        cells: {},
        error: { column, code: 'duplicate_row', params: { line: sameId || sameOther } },
      };
      continue;
    }
    if (id) lines.add(`i${id}`, row.line);
    if (other) {
      lines.add(`s${other}`, row.line);
      if (!id) lines.add(`o${other}`, row.line);
    }
    yield row;
  }
}

/**
 * The first line of each key. Keeps 64-bit hashes in typed arrays, 12 to 32 bytes per key: a file on the command line
 * may have millions of rows, and the keys themselves would not fit into memory. Two of a million different keys are
 * taken for equal once in 37 million files.
 */
export class LineTable {
  private size = 0;
  private high = new Uint32Array(1024);
  private low = new Uint32Array(1024);
  /** 0 marks a free slot. */
  private lines = new Uint32Array(1024);

  /** The line of the key, or 0. */
  get(key: string): number {
    const [high, low] = hash(key);
    return this.lines[this.slot(high, low)] as number;
  }

  /** Adds a key, or keeps its first line. */
  add(key: string, line: number) {
    const [high, low] = hash(key);
    const slot = this.slot(high, low);
    if (this.lines[slot]) return;
    this.put(slot, high, low, line);
    if (++this.size * 8 > this.lines.length * 5) this.grow();
  }

  private put(slot: number, high: number, low: number, line: number) {
    this.high[slot] = high;
    this.low[slot] = low;
    this.lines[slot] = line;
  }

  /** The slot of the hash, or the free slot where it belongs. */
  private slot(high: number, low: number): number {
    const mask = this.lines.length - 1;
    let slot = low & mask;
    while (this.lines[slot] && !(this.high[slot] === high && this.low[slot] === low)) slot = (slot + 1) & mask;
    return slot;
  }

  private grow() {
    const { high, low, lines } = this;
    const length = lines.length * 2;
    [this.high, this.low, this.lines] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
    for (let from = 0; from < lines.length; from++) {
      const line = lines[from] as number;
      if (line)
        this.put(this.slot(high[from] as number, low[from] as number), high[from] as number, low[from] as number, line);
    }
  }
}

/** A 64-bit hash (cyrb53 without its last step, which drops 11 bits). */
function hash(text: string): [high: number, low: number] {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high >>> 0, low >>> 0];
}
