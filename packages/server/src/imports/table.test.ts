import { describe, expect, test } from 'vitest';
import { readTable } from './table.ts';

const form = { columns: ['externalId', 'name', 'price'], keys: ['externalId'] } as const;

/** Handed over in pieces of so many bytes, so that every row, line end and letter is cut somewhere. */
async function read(content: string | Buffer, piece = 7) {
  const bytes = Buffer.from(content as string);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  const rows = [];
  for await (const row of readTable(pieces(), form))
    rows.push(row.fault ? [row.line, row.fault] : [row.line, ...Object.values(row.cells)]);
  return rows;
}

describe('a table from CSV', () => {
  const text = 'externalId,name,price\r\na,"Чай ""зелёный"", 1",5\r\n\r\nb,"two\r\nlines",6\r\nc,5" pipe,\r\nd,last,8';
  const rows = [
    [2, 'a', 'Чай "зелёный", 1', '5'],
    [4, 'b', 'two\r\nlines', '6'],
    [6, 'c', '5" pipe', ''],
    [7, 'd', 'last', '8'],
  ];

  test.each([1, 2, 3, 5, 64, 10_000])(
    'quotes, line breaks in cells and line numbers, in pieces of %i',
    async (piece) => {
      expect(await read(text, piece)).toEqual(rows);
      expect(await read(`\ufeff${text}\r\n`, piece)).toEqual(rows);
      const unix = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell.replace('\r', '') : cell)));
      expect(await read(text.replaceAll('\r', ''), piece)).toEqual(unix);
    },
  );

  test('semicolons, when the header has them; columns in any order', async () => {
    expect(await read('price; name ;externalId\n1;"a;b,c";x\n')).toEqual([[2, '1', 'a;b,c', 'x']]);
  });

  test('a row that cannot be parsed does not affect the others', async () => {
    const broken = 'externalId,name,price\na,"open,1\nb,fine,2\nc,"x" y,3\nd,few\ne,f,5,6\nf,"good",7\n';
    expect(await read(broken)).toEqual([
      [2, 'has text behind a closing quote; a quote inside a quoted cell is doubled'],
      [3, 'b', 'fine', '2'],
      [4, 'has text behind a closing quote; a quote inside a quoted cell is doubled'],
      [5, 'has 2 cells, the header has 3'],
      [6, 'has 4 cells, the header has 3'],
      [7, 'f', 'good', '7'],
    ]);
    expect(await read('externalId,name,price\na,"open,1\nb,fine,2')).toEqual([
      [2, 'opens a quote that is never closed'],
      [3, 'b', 'fine', '2'],
    ]);
  });

  test('an endless line is not buffered in memory', async () => {
    const long = `externalId,name,price\na,${'x'.repeat(3_000_000)},1\nb,fine,2\nc,"${`${'y'.repeat(99)}\n`.repeat(12_000)}`;
    const found = await read(long, 65_536);
    expect(found.slice(0, 3)).toEqual([
      [2, 'is longer than 65536 characters'],
      [3, 'b', 'fine', '2'],
      [4, 'opens a quote that is never closed'],
    ]);
    expect(found).toHaveLength(3 + 11_999);
  });

  test.each([
    ['', /empty; its first line names the columns: externalId,name,price/],
    ['\n\n', /empty/],
    ['externalId,colour\n', /unknown column "colour"; there are externalId, name, price/],
    ['externalId,name,name\n', /column name stands in it twice/],
    ['name,price\n', /lacks the column externalId/],
    ['externalId,"name\n', /first line opens a quote/],
    [Buffer.from([...Buffer.from('externalId,name\na,'), 0xcf, 0xf0, 0x0a]), /not UTF-8/],
    [Buffer.from([...Buffer.from('externalId,name\na,'), 0xd0]), /not UTF-8/],
  ])('%j is refused as a whole', async (content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });
});
