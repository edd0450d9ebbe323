import type { FileError } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { readTable } from './table.ts';

const form = { columns: ['externalId', 'name', 'price'], keys: ['externalId'] } as const;

/** Split into chunks of this size, so that every row, line end and character is cut somewhere. */
async function read(content: string | Buffer, piece = 7) {
  const bytes = Buffer.from(content as string);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  const rows = [];
  for await (const row of readTable(pieces(), form))
    rows.push(row.error ? [row.line, row.error] : [row.line, ...Object.values(row.cells)]);
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
    'quotes, line breaks in cells and line numbers, in chunks of %i bytes',
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

  test('tabs, when the header has them', async () => {
    expect(await read('price\tname\texternalId\n1 299,90\t"a\tb;c"\tx\n')).toEqual([[2, '1 299,90', 'a\tb;c', 'x']]);
  });

  test('a row that cannot be parsed does not affect the others', async () => {
    const broken = 'externalId,name,price\na,"open,1\nb,fine,2\nc,"x" y,3\nd,few\ne,f,5,6\nf,"good",7\n';
    expect(await read(broken)).toEqual([
      [2, { code: 'text_after_quote', params: {} }],
      [3, 'b', 'fine', '2'],
      [4, { code: 'text_after_quote', params: {} }],
      [5, { code: 'cell_count', params: { found: 2, expected: 3 } }],
      [6, { code: 'cell_count', params: { found: 4, expected: 3 } }],
      [7, 'f', 'good', '7'],
    ]);
    expect(await read('externalId,name,price\na,"open,1\nb,fine,2')).toEqual([
      [2, { code: 'unclosed_quote', params: {} }],
      [3, 'b', 'fine', '2'],
    ]);
  });

  test('an endless line is not buffered in memory', async () => {
    const long = `externalId,name,price\na,${'x'.repeat(3_000_000)},1\nb,fine,2\nc,"${`${'y'.repeat(99)}\n`.repeat(12_000)}`;
    const found = await read(long, 65_536);
    expect(found.slice(0, 3)).toEqual([
      [2, { code: 'row_too_long', params: { max: 65_536 } }],
      [3, 'b', 'fine', '2'],
      [4, { code: 'unclosed_quote', params: {} }],
    ]);
    expect(found).toHaveLength(3 + 11_999);
  });

  test('a file in Windows-1251 is read, however it arrives', async () => {
    // "Зелёный чай" and "Ёж", after a line in ASCII.
    const russian = [0xc7, 0xe5, 0xeb, 0xb8, 0xed, 0xfb, 0xe9, 0x20, 0xf7, 0xe0, 0xe9, 0x2c, 0x31, 0x0a];
    const file = Buffer.from([
      ...Buffer.from('externalId;name\nx,ASCII,1\ny,'.replace(';', ',').replace('name', 'name,price')),
      ...russian,
      ...Buffer.from('z,'),
      0xa8,
      0xe6,
      0x2c,
      0x32,
    ]);
    for (const size of [1, 2, 7, 31, 33, 1000])
      expect(await read(file, size)).toEqual([
        [2, 'x', 'ASCII', '1'],
        [3, 'y', 'Зелёный чай', '1'],
        [4, 'z', 'Ёж', '2'],
      ]);
  });

  const columns = form.columns;
  test.each<[string | Buffer, FileError, string]>([
    [
      '',
      { code: 'empty_file', params: { columns }, line: null },
      'the file is empty; its first line must name the columns: externalId,name,price',
    ],
    [
      '\n\n',
      { code: 'empty_file', params: { columns }, line: null },
      'the file is empty; its first line must name the columns: externalId,name,price',
    ],
    [
      'externalId,colour\n',
      { code: 'unknown_column', params: { value: 'colour', columns }, line: null },
      'unknown column "colour"; valid columns: externalId, name, price',
    ],
    [
      'externalId,name,name\n',
      { code: 'duplicate_column', params: { value: 'name' }, line: null },
      'the column name appears twice',
    ],
    [
      'name,price\n',
      { code: 'missing_column', params: { columns: ['externalId'] }, line: null },
      'the column externalId is missing',
    ],
    ['\nexternalId,"name\n', { code: 'unclosed_quote', params: {}, line: 2 }, 'line 2: a quote is never closed'],
    [
      Buffer.from('externalId,name\na,M\xfcller\nb,caf\xe9\n', 'latin1'),
      { code: 'not_utf8', params: {}, line: null },
      'the file is neither UTF-8 nor Windows-1251; save it as "CSV UTF-8"',
    ],
    [
      Buffer.from([...Buffer.from('externalId,name\na,'), 0xd0]),
      { code: 'not_utf8', params: {}, line: null },
      'the file is neither UTF-8 nor Windows-1251; save it as "CSV UTF-8"',
    ],
    [
      // A byte of a longer text is damaged.
      Buffer.concat([Buffer.from('externalId,name\na,Зелёный чай'), Buffer.from([0xff, 0x0a])]),
      { code: 'not_utf8', params: {}, line: null },
      'the file is neither UTF-8 nor Windows-1251; save it as "CSV UTF-8"',
    ],
    ...[
      [0x50, 0x4b, 3, 4, 0xcf],
      [0xd0, 0xcf, 0x11, 0xe0],
    ].map((bytes): [Buffer, FileError, string] => [
      Buffer.from(bytes),
      { code: 'workbook', params: {}, line: null },
      'the file is a workbook of a spreadsheet; save the sheet as "CSV UTF-8"',
    ]),
  ])('%j is rejected as a whole', async (content, error, message) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'invalid_body',
      detail: `The file cannot be imported: ${message}.`,
      fieldErrors: [{ ...error, message }],
    });
  });
});
