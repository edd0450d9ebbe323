import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { table } from '../../../test/tables.ts';
import { readCsv } from '../../imports/csv.ts';
import { textCell } from '../../imports/csv-cells.ts';

const service = await startService();

async function shop() {
  const { visitor, path, storeId } = await signedInOwner(service);
  await addProduct(service, storeId, { sku: '0042', name: '=Tea', price: 129_990 });
  await addProduct(service, storeId, { sku: 'CUP', name: 'Cup; large', price: 5 });
  expect((await visitor.patch(path, { timezone: 'Asia/Yekaterinburg' })).status).toBe(200);
  service.clock.now = Date.parse('2026-09-27T20:15:30.125Z');
  const order = {
    items: [
      { sku: '0042', quantity: 2, discount: 100 },
      { sku: 'CUP', quantity: 1 },
    ],
    customer: { name: "=cmd|'/c calc'!A1", phone: '+7 900 000-00-01', email: '=a@x' },
    delivery: { cost: 30_000, discount: 500, house: '12/1', flat: '7', postalCode: '012345' },
    notes: 'call;=1+1\r-2',
  };
  expect((await visitor.post(`${path}/orders`, order)).status).toBe(201);
  /** The rows of the file by column. */
  const exported = async (query: string, delimiter: string) => {
    const { text } = await visitor.get(`${path}/orders/export${query}`);
    const rows: string[][] = [];
    const content = async function* () {
      yield text.replace(/^\uFEFF/, '');
    };
    for await (const row of readCsv(content(), () => delimiter)) rows.push('cells' in row ? row.cells : []);
    const [head = [], ...lines] = rows;
    return lines.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index]])));
  };
  return { storeId, exported };
}

describe('exporting orders to a spreadsheet', () => {
  test('a row per order: amounts in units, times of the store, texts that stay texts', async () => {
    const { exported } = await shop();
    const [row, ...rest] = await exported('', ',');
    expect(rest).toEqual([]);
    expect(row).toMatchObject({
      number: '1',
      'createdAt (Asia/Yekaterinburg)': '2026-09-28 01:15:30',
      'updatedAt (Asia/Yekaterinburg)': '2026-09-28 01:15:30',
      totalAmount: '2893.85',
      discountTotal: '1.00',
      customerName: "\u200e=cmd|'/c calc'!A1",
      customerPhone: '\u200e+7 900 000-00-01',
      customerEmail: '\u200e=a@x',
      deliveryCost: '300.00',
      deliveryDiscount: '5.00',
      house: '\u200e12/1',
      flat: '7',
      postalCode: '\u200e012345',
      notes: 'call;\u200e=1+1\r\u200e-2',
      items: '2 × =Tea [0042] = 2598.80; 1 × Cup; large [CUP] = 0.05',
    });
  });

  test('a row per item: the amounts of the order are in its first row only', async () => {
    const { exported } = await shop();
    const rows = await exported('?rows=items&decimal=comma', ';');
    expect(rows).toMatchObject([
      { number: '1', totalAmount: '2893,85', deliveryCost: '300,00', itemName: '\u200e=Tea', itemSku: '\u200e0042' },
      { number: '1', totalAmount: '', deliveryCost: '', itemName: 'Cup; large', itemSku: 'CUP' },
    ]);
    expect(rows.map((row) => [row.itemQuantity, row.itemUnitPrice, row.itemDiscount, row.itemTotal])).toEqual([
      ['2', '1299,90', '1,00', '2598,80'],
      ['1', '0,05', '0,00', '0,05'],
    ]);
    expect(rows[1]).toMatchObject({ customerName: "\u200e=cmd|'/c calc'!A1", notes: 'call;\u200e=1+1\r\u200e-2' });
    expect(rows[0]).not.toHaveProperty('items');
  });

  test.each([
    ['=1+1', '\u200e=1+1'],
    [' \t+1', '\u200e \t\u200e+1'],
    ['\u200b@SUM', '\u200e\u200b@SUM'],
    ['＝1', '\u200e＝1'],
    ['a,-b', 'a,\u200e-b'],
    ['a"=b', 'a"\u200e=b'],
    ['0042', '\u200e0042'],
    ['1-2', '\u200e1-2'],
    ['5/3', '\u200e5/3'],
    ['1E5', '\u200e1E5'],
    ['1234567890123456', '\u200e1234567890123456'],
    ['12.05', '\u200e12.05'],
    ['100001', '100001'],
    ['0', '0'],
    ['A-1', 'A-1'],
    ['Anna = Boris', 'Anna = Boris'],
    ['', ''],
  ])('%j is written as %j', async (text, cell) => {
    expect(textCell(text)).toBe(cell);
    // An import reads the same text again.
    const form = { columns: ['name'], keys: ['name'] } as const;
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    for await (const { cells } of table<'name'>(form, 'name', quoted)) expect(cells.name).toBe(text);
  });

  test('every place where a spreadsheet may begin a formula is marked', () => {
    // The rule as one expression, which is quadratic.
    const formula = /(?<=^|[,;\t\r\n"])(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/gu;
    const characters = fc.constantFrom(
      ...['a', '=', '-', '＠', ',', '"', '\n', '\t', ' ', '\u200b', '\u{e0041}', '😀'],
    );
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(textCell(text)).toBe(text.replace(formula, '\u200e'));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['line breaks', `a${'\n'.repeat(200_000)}b`],
    ['line breaks before formulas', `a${'\n'.repeat(100_000)}=${'\n'.repeat(100_000)}=`],
    ['ignored characters', `,${'\u200b'.repeat(200_000)}b`],
    ['a number that goes on', `1${' '.repeat(200_000)}b`],
    ['digits', `1e${'1'.repeat(200_000)}b`],
    ['spaces', `${' '.repeat(200_000)}b`],
  ])('a long text of %s takes linear time', (_what, text) => {
    const start = performance.now();
    textCell(text);
    // Quadratic time is minutes.
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
