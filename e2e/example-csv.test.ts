import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreSales } from '../packages/client/src/index.ts';
import { addProduct } from '../packages/server/test/catalog.ts';
import { type Service, startService } from '../packages/server/test/service.ts';

const program = fileURLToPath(new URL('../examples/sync-to-csv/sync.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'store-sales-csv-'));
const file = join(folder, 'orders.csv');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let service: Service;
let client: StoreSales;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startService();
  const { storeId, key } = await service.shop();
  await addProduct(service, storeId, { sku: 'tea', price: 15_050 });
  client = new StoreSales({ baseUrl: service.url, apiKey: key });
  env = { STORE_SALES_URL: service.url, STORE_SALES_KEY: key };
  for (const name of ['Анна, "Чай"', '=HYPERLINK("x")', 'Line\nbreak'])
    await client.orders.create({ items: [{ sku: 'tea', quantity: 2 }], customer: { name } });
});

/** Runs the example to completion. */
const sync = () =>
  new Promise<{ code: number; output: string; errors: string }>((resolve) =>
    execFile(process.execPath, [program, file], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout.trim(), errors: stderr }),
    ),
  );

type Row = Record<string, string>;
// Not the example's own parser, so that a bug in it cannot hide itself.
const rows = () => parse(readFileSync(file), { columns: true, bom: true }) as Row[];
function edit(number: number, cells: Row) {
  const edited = rows().map((row) => (row.number === String(number) ? { ...row, ...cells } : row));
  // With a byte order mark, as spreadsheets save it.
  writeFileSync(file, stringify(edited, { header: true, bom: true }));
}
const statusOf = async (number: number) => {
  for await (const order of client.orders.all()) if (order.number === number) return order.status.code;
};

test('orders are written to the file, changes are synchronized both ways, and the store wins a conflict', async () => {
  expect(await sync()).toMatchObject({ code: 0, output: '0 sent, 3 received, 0 rejected' });
  expect(rows().map(({ number, total, status, customer }) => [number, total, status, customer])).toEqual([
    ['1', '301.00', 'new', 'Анна, "Чай"'],
    ['2', '301.00', 'new', `'=HYPERLINK("x")`],
    ['3', '301.00', 'new', 'Line\nbreak'],
  ]);
  expect(await sync()).toMatchObject({ output: '0 sent, 0 received, 0 rejected' });

  service.clock.now += 1000;
  edit(1, { status: 'packing', paymentStatus: 'paid' });
  expect(await sync()).toMatchObject({ code: 0, output: '1 sent, 1 received, 0 rejected' });
  expect(await statusOf(1)).toBe('packing');
  expect(rows()[0]).toMatchObject({ status: 'packing', storeStatus: 'packing', paymentStatus: 'paid' });

  const second = rows()[1] as Row;
  await client.orders.change(second.id as string, { status: 'cancelled' });
  edit(2, { status: 'completed' });
  edit(3, { status: 'nonsense' });
  const conflict = await sync();
  expect(conflict).toMatchObject({ code: 1, output: '0 sent, 1 received, 2 rejected' });
  expect(conflict.errors).toMatch(/order 2: status is now cancelled in the store[\s\S]*order 3: invalid_body/);
  expect(await statusOf(2)).toBe('cancelled');
  expect(rows().map(({ status }) => status)).toEqual(['packing', 'cancelled', 'nonsense']);

  const status = await client.references.orderStatuses.create({ group: 'packing', name: 'Wrapped' });
  edit(3, { status: status.id });
  expect(await sync()).toMatchObject({ code: 0, output: '1 sent, 1 received, 0 rejected' });
  expect((await client.orders.get(rows()[2]?.id as string)).status.id).toBe(status.id);
  expect(await sync()).toMatchObject({ output: '0 sent, 0 received, 0 rejected' });
});
