import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { call, envOf, json, program, serve, shop, storeSales } from './processes.ts';

const testDb = await testDatabase();
const env = envOf(testDb);
const dir = mkdtempSync(join(tmpdir(), 'store-sales-csv-'));
afterAll(async () => {
  rmSync(dir, { recursive: true });
  await testDb.drop();
});

let serial = 0;
function file(content: string | Buffer) {
  const path = join(dir, `${++serial}.csv`);
  writeFileSync(path, content);
  return path;
}

interface Report {
  created: number;
  updated: number;
  unchanged: number;
  rejected: { line: number; column: string | null; code: string; params: object; message: string }[];
}

const load = (what: string, storeId: string, content: string) =>
  json<Report>(env, [what, 'import', '--store', storeId, file(content)]);

const products = (count: number, price = 100) =>
  `externalId,sku,name,price\n${Array.from({ length: count }, (_, i) => `p${i},S${i},Чай ${i},${price}\n`).join('')}`;

/** Runs the command and measures its peak memory in kilobytes, where the system supports it. */
async function peakOf(args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'pipe' });
  let [peak, output] = [0, ''];
  child.stdout.on('data', (data) => {
    output += data;
  });
  const status = `/proc/${child.pid}/status`;
  const watch = setInterval(() => {
    const found = existsSync(status) && /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'));
    if (found) peak = Number(found[1]);
  }, 20);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  return { code, peak, output };
}

describe('import and export on the command line', () => {
  test('categories, products and customers, in the formats that spreadsheets write', async () => {
    const { storeId, key } = await shop(env);
    const node = await serve(env);
    const categories = '\ufeffexternalId;name;parentExternalId\r\ngreen;Зелёный;tea\r\ntea;"Чай; весь";\r\n';
    expect(await load('category', storeId, categories)).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: [] });
    const catalog =
      'sku;name;price;categoryExternalId\r\nA;"Дракон\r\n""1""";100;green\r\nB;;x;green\r\nC;C;1;nowhere\r\n';
    expect(await load('product', storeId, catalog)).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: [
        { line: 4, column: 'name', code: 'blank', params: {}, message: 'name must not be empty' },
        {
          ...{ line: 4, column: 'price', code: 'not_kopecks', params: { value: 'x' } },
          message: 'price must be a whole number of kopecks, such as 15000 for 150.00; found "x"',
        },
        {
          ...{ line: 5, column: 'categoryExternalId', code: 'unknown_category', params: { value: 'nowhere' } },
          message: 'categoryExternalId matches no category: "nowhere"',
        },
      ],
    });
    const people = 'phone,name\n8 900 000-00-00,Анна\n';
    expect((await load('customer', storeId, people)).created).toBe(1);
    expect((await load('customer', storeId, people)).unchanged).toBe(1);

    const { body } = await call(node, key, 'GET', '/api/v1/products/A');
    expect(body.data).toMatchObject({ name: 'Дракон\r\n"1"', price: 100, categoryExternalId: 'green' });
    expect((await node.stop()).code).toBe(0);

    const path = file(catalog);
    const plain = await storeSales(env, ['product', 'import', '--store', storeId, path]);
    expect([plain.code, plain.stderr]).toEqual([0, '']);
    expect(plain.stdout).toMatch(
      /unchanged {2}1\nrejected {3}2\nline 4: name must not be empty\nline 4: price must .*\nline 5: .*\n$/,
    );
    const priced = file('sku;price\r\nA;1 299,90\r\n');
    const units = await json<Report>(env, ['product', 'import', '--store', storeId, priced, '--prices', 'units']);
    expect(units.updated).toBe(1);
    expect((await load('product', storeId, 'sku,price\nA,129990\n')).unchanged).toBe(1);
    const unknown = await storeSales(env, ['product', 'import', '--store', storeId, priced, '--prices', 'rubles']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/Allowed choices are kopecks, units/)]);
    const dry = await json<Report>(env, ['product', 'import', '--dry-run', '--store', storeId, file(products(3))]);
    expect(dry.created).toBe(3);
    expect((await load('product', storeId, products(3))).created).toBe(3);
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /cannot be imported: the file is empty/],
    ['an unknown column', 'externalId,colour\n', /unknown column "colour"/],
    ['a duplicate column', 'sku,name,sku\n', /column sku appears twice/],
    ['no key', 'name,price\nTea,1\n', /column externalId or sku is missing/],
    ['another encoding', Buffer.from('externalId,name,price\np,ok,1\nq,caf\xe9,1\n', 'latin1'), /neither UTF-8 nor/],
  ])('%s ends with one clear line and imports nothing', async (_, content, message) => {
    const { storeId } = await shop(env);
    const { code, stdout, stderr } = await storeSales(env, ['product', 'import', '--store', storeId, file(content)]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    // If the first row of the last file had been imported, it would not be new now.
    expect((await load('product', storeId, 'externalId,name,price\np,ok,1\n')).created).toBe(1);
  });

  test('an unreadable file, an unknown store, a missing format', async () => {
    const { storeId } = await shop(env);
    const fails = async (args: string[], message: RegExp, exitCode = 3) => {
      const { code, stdout, stderr } = await storeSales(env, args);
      expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringMatching(message)]);
    };
    await fails(
      ['product', 'import', '--store', storeId, join(dir, 'none.csv')],
      /none.csv cannot be read: there is no such file/,
    );
    await fails(['product', 'import', '--store', storeId, dir], /cannot be read: it is not a file/);
    await fails(['customer', 'import', '--store', 'x', file('phone\n')], /no store with the id x/);
    await fails(['order', 'export', '--store', 'x', '--format', 'csv'], /no store with the id x/);
    await fails(['order', 'export', '--store', storeId, '--format', 'xml'], /Allowed choices are csv, ndjson/, 2);
    for (const args of [
      ['category', 'import'],
      ['product', 'import'],
      ['customer', 'import'],
      ['order', 'export'],
    ])
      expect((await storeSales(env, [...args, '--help'])).stdout).toMatch(/--json[\s\S]*Example:/);
  });

  test('20,000 products in bounded memory while a server takes orders and a reader synchronizes', async () => {
    const { storeId, key } = await shop(env);
    await load('product', storeId, products(1));
    const node = await serve(env);
    let isImporting = true;
    const statuses: number[] = [];
    const ordering = (async () => {
      while (isImporting || statuses.length < 10) {
        const body = { items: [{ sku: 'S0', quantity: 1 }], customer: { phone: `+7900${statuses.length}` } };
        statuses.push((await call(node, key, 'POST', '/api/v1/orders', body)).status);
      }
    })();
    const seen = new Map<string, number>();
    const reading = (async () => {
      for (let cursor = ''; ; ) {
        const wasImporting = isImporting;
        const query = `order=updatedAt:asc&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const { body } = await call(node, key, 'GET', `/api/v1/products?${query}`);
        for (const product of body.data) seen.set(product.externalId, product.price);
        if (body.page.nextCursor) cursor = body.page.nextCursor;
        else if (!wasImporting) return;
      }
    })();
    const { code, peak, output } = await peakOf([
      ...['product', 'import', '--json', '--store', storeId],
      file(products(20_000, 200)),
    ]);
    isImporting = false;
    await Promise.all([ordering, reading]);
    expect([code, JSON.parse(output)]).toEqual([0, { created: 19_999, updated: 1, unchanged: 0, rejected: [] }]);
    if (existsSync('/proc/self/status')) expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(200_000);
    expect(statuses.every((status) => status === 201)).toBe(true);
    expect(seen.size).toBe(20_000);
    expect([...seen.values()].every((price) => price === 200)).toBe(true);

    const { stdout, stderr } = await storeSales(env, ['order', 'export', '--store', storeId, '--format', 'ndjson']);
    const exported = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exported.map((order) => order.number)).toEqual(statuses.map((_, index) => index + 1));
    expect(stderr).toBe(`exported ${statuses.length} orders\n`);
    const last = exported.at(-1);
    expect(last).toEqual((await call(node, key, 'GET', `/api/v1/orders/${last.id}`)).body.data);
    expect((await node.stop()).code).toBe(0);
  }, 120_000);

  test('the export stops silently when the reader closes the pipe', async () => {
    const other = await testDatabase();
    const { storeId } = await json<{ storeId: string }>(envOf(other), ['demo']);
    const args = [program, 'order', 'export', '--store', storeId, '--format', 'ndjson'];
    const child = spawn(process.execPath, args, { env: envOf(other), stdio: 'pipe' });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    await other.drop();
    // Exits with 0 if everything was written before the pipe was closed, and prints nothing otherwise.
    expect([code, stderr.replace(/^exported \d+ orders\n$/, '')]).toEqual([0, '']);
  });
});
