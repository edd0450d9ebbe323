import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { table } from '../../test/tables.ts';
import { sql } from '../db/sql.ts';
import { categoryTable, importCategories } from './import-categories.ts';
import { importProducts, productTable } from './import-products.ts';

const service = await startService();
const { db, clock } = service;
const now = () => clock.now;

const load = (storeId: string, ...lines: string[]) =>
  importProducts(db, storeId, table(productTable, ...lines), { now });
const preview = (storeId: string, ...lines: string[]) =>
  importProducts(db, storeId, table(productTable, ...lines), { now, dryRun: true });
const stored = (storeId: string) =>
  db.all<any>(
    sql`select external_id, sku, name, description, price, category_id, is_active, created_at, updated_at, seq
        from products where store_id = ${storeId} order by seq`,
  );
const seqOf = async (storeId: string) =>
  (await db.one<{ seq: number }>(sql`select seq from store_clocks where store_id = ${storeId}`))?.seq;
const counts = (created: number, updated: number, unchanged: number) => ({
  created,
  updated,
  unchanged,
  rejected: [],
  rejectedCount: 0,
});
const product = async (key: string, id: string) =>
  (await service.get(`/api/v1/products/${encodeURIComponent(id)}`, key)).body.data;

describe('importing products', () => {
  test('creates, updates and keeps products; a second run changes nothing', async () => {
    const { storeId, key } = await service.shop();
    const other = await service.shop();
    await load(other.storeId, 'externalId,sku,name,price', 'p1,A,Other,1');
    await importCategories(db, storeId, table(categoryTable, 'externalId,name', 'tea,Чай'), { now });
    const file = [
      'externalId,sku,name,description,price,categoryExternalId,isActive',
      'p1,A,"Чай ""Дракон""",first,15000,tea,true',
      ',B,Second,,0,,FALSE',
      'p3,,Third,"a\nb",9007199254740991,,1',
    ];
    expect(await preview(storeId, ...file)).toEqual(counts(3, 0, 0));
    // The import of the category was the first change.
    expect([await stored(storeId), await seqOf(storeId)]).toEqual([[], 1]);

    expect(await load(storeId, ...file)).toEqual(counts(3, 0, 0));
    const before = await stored(storeId);
    expect(before.map((row) => [row.seq, row.updated_at])).toEqual([2, 3, 4].map((seq) => [seq, clock.now]));
    expect(await product(key, 'p1')).toMatchObject({
      sku: 'A',
      name: 'Чай "Дракон"',
      description: 'first',
      price: 15000,
      categoryExternalId: 'tea',
      isActive: true,
    });
    expect(await product(key, 'B')).toMatchObject({ externalId: '', price: 0, categoryId: null, isActive: false });
    expect(await product(key, 'p3')).toMatchObject({ description: 'a\nb', price: Number.MAX_SAFE_INTEGER });

    clock.now += 1000;
    expect(await load(storeId, ...file)).toEqual(counts(0, 0, 3));
    expect([await stored(storeId), await seqOf(storeId)]).toEqual([before, 4]);

    expect(await load(storeId, 'externalId,price', 'p3,7', 'p1,15000')).toEqual(counts(0, 1, 1));
    const after = await stored(storeId);
    expect(after).toEqual([before[0], before[1], { ...before[2], price: 7, updated_at: clock.now, seq: 5 }]);
    expect(await stored(other.storeId)).toMatchObject([{ name: 'Other', price: 1, seq: 1 }]);
  });

  test('a missing column keeps the value, an empty cell clears it', async () => {
    const { storeId, key } = await service.shop();
    await importCategories(db, storeId, table(categoryTable, 'externalId,name', 'c,C'), { now });
    const full = 'externalId,sku,name,description,price,categoryExternalId,isActive';
    await load(storeId, full, 'p,S,Name,Text,5,c,false');
    expect(await load(storeId, 'sku,name', 'S,Renamed')).toEqual(counts(0, 1, 0));
    const kept = { externalId: 'p', sku: 'S', name: 'Renamed', description: 'Text', price: 5, isActive: false };
    expect(await product(key, 'p')).toMatchObject({ ...kept, categoryExternalId: 'c' });
    expect(await load(storeId, full, 'p,,Renamed,,5,,')).toEqual(counts(0, 1, 0));
    const cleared = { ...kept, sku: '', description: '', categoryId: null, categoryExternalId: '', isActive: true };
    expect(await product(key, 'p')).toMatchObject(cleared);
  });

  test('every invalid row is reported by line and the others are imported', async () => {
    const { storeId } = await service.shop();
    await load(storeId, 'externalId,sku,name,price', 'a,A,First,1', 'b,B,Second,2');
    const long = (length: number) => 'ж'.repeat(length);
    const { rejected, ...rest } = await load(
      storeId,
      'externalId,sku,name,description,price,categoryExternalId,isActive',
      'ok1,,Fine,,1,,',
      ',,No key,,1,,',
      'x1,,,,1,,',
      'x2,,Name,,1.5,,',
      'x3,,Name,,-1,,',
      'x4,,Name,,9007199254740992,,',
      'x5,,Name,,,,',
      'x6,,Name,,1,nowhere,',
      'x7,,Name,,1,,oui',
      `x8,,${long(201)},${long(5001)},1,,`,
      `${long(256)},${long(256)},Name,,1,,`,
      'x9,,"two\nlines",,one,,maybe',
      'x10,B,Name,,1,,',
      'a,B,First,,1,,',
      'x11,,Na\0me,,1,,',
      'x12,,short',
      `ok2,,${long(200)},${long(5000)},1,,0`,
    );
    expect(rest).toEqual({ created: 2, updated: 0, unchanged: 0, rejectedCount: 15 });
    const kopecks = (value: string) => ({ column: 'price', code: 'not_kopecks', params: { value } });
    const tooLong = (column: string, max: number) => ({ column, code: 'too_long', params: { max } });
    const skuTaken = { column: 'sku', code: 'sku_taken', params: { value: 'B', product: 'b' } };
    expect(rejected).toEqual([
      { line: 3, column: null, code: 'key_required', params: { columns: ['externalId', 'sku'] } },
      { line: 4, column: 'name', code: 'blank', params: {} },
      { line: 5, ...kopecks('1.5') },
      { line: 6, ...kopecks('-1') },
      { line: 7, ...kopecks('9007199254740992') },
      { line: 8, ...kopecks('') },
      { line: 9, column: 'categoryExternalId', code: 'unknown_category', params: { value: 'nowhere' } },
      { line: 10, column: 'isActive', code: 'not_boolean', params: { value: 'oui' } },
      { line: 11, ...tooLong('name', 200) },
      { line: 11, ...tooLong('description', 5000) },
      { line: 12, ...tooLong('externalId', 255) },
      { line: 12, ...tooLong('sku', 255) },
      { line: 13, ...kopecks('one') },
      { line: 13, column: 'isActive', code: 'not_boolean', params: { value: 'maybe' } },
      { line: 15, ...skuTaken },
      { line: 16, ...skuTaken },
      { line: 17, column: 'name', code: 'nul', params: {} },
      { line: 18, column: null, code: 'cell_count', params: { found: 3, expected: 7 } },
    ]);
    const required = { line: 2, code: 'required', params: {} };
    expect((await load(storeId, 'sku,price', 'NEW,5')).rejected).toEqual([{ ...required, column: 'name' }]);
    expect((await load(storeId, 'sku,name', 'NEW,N')).rejected).toEqual([{ ...required, column: 'price' }]);
  });

  test('the same record twice: later rows are rejected, in one batch, in two, and in a preview', async () => {
    const { storeId, key } = await service.shop();
    const filler = (count: number) => Array.from({ length: count }, (_, index) => `f${index},Filler,1`);
    for (const between of [0, 700]) {
      const file = [
        'externalId,name,price',
        `d${between},One,1`,
        ...filler(between),
        ` d${between} ,Two,1`,
        `d${between},One,1`,
      ];
      const rejected = [3, 4].map((line) => {
        return { line: line + between, column: 'externalId', code: 'duplicate_row', params: { line: 2 } };
      });
      const expected = { ...counts(1 + between, 0, 0), rejected, rejectedCount: 2 };
      expect(await preview(storeId, ...file)).toEqual(expected);
      expect(await load(storeId, ...file)).toEqual(expected);
      expect((await product(key, `d${between}`)).name).toBe('One');
    }
    const { created, rejected } = await load(
      storeId,
      'externalId,sku,name,price',
      ',S1,By SKU,1',
      'x,S1,Same SKU,1',
      'y,S2,Both keys,1',
      ',S2,Same SKU,1',
      'z,S3,Rejected,x',
      'z,S3,Same,1',
    );
    expect(created).toBe(2);
    expect(rejected.map(({ line, column, code, params }) => [line, column, code, params])).toEqual([
      [3, 'sku', 'duplicate_row', { line: 2 }],
      [5, 'sku', 'duplicate_row', { line: 4 }],
      [6, 'price', 'not_kopecks', { value: 'x' }],
      [7, 'externalId', 'duplicate_row', { line: 6 }],
    ]);
  });

  test('keys move from one product to another within a file, and to one without keys', async () => {
    const { storeId, key } = await service.shop();
    await load(storeId, 'externalId,sku,name,price', 'a,S1,A,1', 'b,S2,B,1', ',S9,Loose,1');
    const file = ['externalId,sku,name,price', 'a,S3,A,1', 'b,S1,B,1', 'c,S2,C,1', 'loose,S9,Loose,1'];
    expect(await preview(storeId, ...file)).toEqual(counts(1, 3, 0));
    expect(await load(storeId, ...file)).toEqual(counts(1, 3, 0));
    const skus = await Promise.all(['a', 'b', 'c', 'loose'].map(async (id) => (await product(key, id)).sku));
    expect(skus).toEqual(['S3', 'S1', 'S2', 'S9']);
    expect(await stored(storeId)).toHaveLength(4);
  });

  test('a synchronizing client sees each imported change once', async () => {
    const { storeId, key } = await service.shop();
    const names = Array.from({ length: 1200 }, (_, index) => `p${index}`);
    await load(storeId, 'externalId,name,price', ...names.map((name) => `${name},${name},1`));
    const walk = async (cursor: string | null) => {
      const seen: any[] = [];
      let last = cursor;
      for (let more = true; more; ) {
        const query = new URLSearchParams({ order: 'updatedAt:asc', limit: '100', ...(last && { cursor: last }) });
        const { body } = await service.get(`/api/v1/products?${query}`, key);
        seen.push(...body.data);
        more = body.page.hasMore;
        last = body.page.nextCursor ?? last;
      }
      return { seen, last };
    };
    const first = await walk(null);
    expect(first.seen.map(({ externalId }) => externalId).sort()).toEqual([...names].sort());
    clock.now += 1000;
    await load(storeId, 'externalId,price', ...names.map((name, index) => `${name},${index < 600 ? 1 : 2}`));
    const again = await walk(first.last);
    const changed = again.seen.filter(({ price }) => price === 2).map(({ externalId }) => externalId);
    expect(changed.sort()).toEqual(names.slice(600).sort());
  });

  interface Item {
    ext: string;
    sku: string;
    price: number;
  }

  /** A direct implementation of the rules. */
  function applied(items: readonly Item[], rows: readonly Item[]): Item[] {
    const result = items.map((item) => ({ ...item }));
    const earlier: Item[] = [];
    for (const row of rows) {
      const isSame = ({ ext, sku }: Item) =>
        (row.ext && ext === row.ext) || (row.sku && sku === row.sku && !(row.ext && ext));
      if (earlier.some(isSame)) continue;
      earlier.push(row);
      const withSameSku = result.find(({ sku }) => row.sku && sku === row.sku);
      const found =
        result.find(({ ext }) => row.ext && ext === row.ext) ?? (row.ext && withSameSku?.ext ? undefined : withSameSku);
      if (withSameSku && withSameSku !== found) continue;
      if (found) Object.assign(found, row);
      else result.push({ ...row });
    }
    return result;
  }

  const item = fc
    .record({
      ext: fc.constantFrom('', 'a', 'b', 'c'),
      sku: fc.constantFrom('', 'A', 'B', 'C'),
      price: fc.constantFrom(1, 2),
    })
    .filter(({ ext, sku }) => Boolean(ext || sku));

  test.each([
    ['in one batch', 0, 60],
    ['in several batches', 250, 4],
  ])(
    'finds and creates products by the rules, %s; a preview has the same counts',
    async (_, fillers, numRuns) => {
      const { storeId } = await service.shop();
      const header = 'externalId,sku,name,price';
      const lineOf = ({ ext, sku, price }: Item) => `${ext},${sku},N,${price}`;
      const items = fc.array(item, { maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(items, items, async (first, second) => {
          for (const table of [sql`products`, sql`product_terms`])
            await db.run(sql`delete from ${table} where store_id = ${storeId}`);
          await load(storeId, header, ...first.map(lineOf));
          const between = Array.from({ length: fillers }, (_, index) => `filler${index},,F,1`);
          const file = [header, ...second.flatMap((row) => [lineOf(row), ...between])];
          const seen = await preview(storeId, ...file);
          expect(await load(storeId, ...file)).toEqual(seen);
          const found = await db.all<Item>(
            sql`select coalesce(external_id, '') as ext, coalesce(sku, '') as sku, price from products
                where store_id = ${storeId} and name <> 'F'`,
          );
          const sorted = (list: readonly Item[]) => list.map((each) => JSON.stringify(each)).sort();
          expect(sorted(found)).toEqual(sorted(applied(applied([], first), second)));
        }),
        { numRuns },
      );
    },
    60_000,
  );
});

describe('columns of stock', () => {
  async function withWarehouses() {
    const shop = await service.shop();
    const codes: string[] = [];
    for (const name of ['First', 'Second']) {
      clock.now += 1;
      const { data } = (await service.post('/api/v1/references/warehouses', { name }, shop.key)).body;
      codes.push(data.code);
    }
    const stock = async (id: string) => {
      const { data } = (await service.get(`/api/v1/products/${id}?with=stock`, shop.key)).body;
      return [data.stock, ...data.stockByWarehouse.map(({ quantity }: { quantity: number }) => quantity)];
    };
    return { ...shop, second: `stock:${codes[1]}`, stock };
  }

  test('set quantities by warehouse; an empty cell changes nothing', async () => {
    const { storeId, second, stock, key } = await withWarehouses();
    const file = [`sku,externalId,name,price,stock,${second}`, 'A,a,Tea,100,5,-2', 'B,b,Cup,100,,', 'C,c,Pot,100,0,'];
    expect(await preview(storeId, ...file)).toEqual(counts(3, 0, 0));
    expect(await load(storeId, ...file)).toEqual(counts(3, 0, 0));
    expect([await stock('a'), await stock('b'), await stock('c')]).toEqual([[3, 5, -2], [null], [0, 0]]);

    const { updatedAt } = await product(key, 'a');
    clock.now += 1000;
    expect(await load(storeId, ...file)).toEqual(counts(0, 0, 3));
    expect((await product(key, 'a')).updatedAt).toBe(updatedAt);
    expect(await load(storeId, 'sku,stock', 'A,7', 'B,1', 'C,')).toEqual(counts(0, 2, 1));
    expect([await stock('a'), await stock('b'), await stock('c')]).toEqual([
      [5, 7, -2],
      [1, 1],
      [0, 0],
    ]);
    expect((await product(key, 'a')).updatedAt).not.toBe(updatedAt);
    const movements = await db.all<any>(
      sql`select kind, quantity_before, quantity_after from stock_movements where store_id = ${storeId} order by seq, position`,
    );
    expect(
      movements.map(({ kind, quantity_before, quantity_after }) => [kind, quantity_before, quantity_after]),
    ).toEqual(
      [
        [0, 5],
        [0, -2],
        [0, 0],
        [5, 7],
        [0, 1],
      ].map((change) => ['import', ...change]),
    );
  });

  test('of many warehouses are written a few thousand at a time', async () => {
    const { storeId, key } = await service.shop();
    const codes = Array.from({ length: 60 }, (_, index) => `w${index}`);
    for (const code of codes) await service.post('/api/v1/references/warehouses', { name: code, code }, key);
    const rows = Array.from({ length: 300 }, (_, row) => `P${row},Tea,100,${codes.map((_, column) => row + column)}`);
    const file = [`sku,name,price,${codes.map((code) => `stock:${code}`)}`, ...rows];
    expect(await importProducts(db, storeId, table(productTable, ...file), { now: () => ++clock.now })).toEqual(
      counts(300, 0, 0),
    );
    const { stock } = await product(key, 'P299');
    expect(stock).toBe(codes.reduce((sum, _, column) => sum + 299 + column, 0));
    const written = await db.all<{ count: number }>(
      sql`select count(*) as count from stock_movements where store_id = ${storeId} group by created_at`,
    );
    expect(written.reduce((sum, { count }) => sum + Number(count), 0)).toBe(300 * 60);
    for (const { count } of written) expect(Number(count)).toBeLessThan(5100);
  });

  test('a preview shows the quantities', async () => {
    const { storeId, second } = await withWarehouses();
    await load(storeId, 'sku,name,price,stock', 'A,Tea,100,5');
    const changes: unknown[] = [];
    await importProducts(db, storeId, table(productTable, `sku,stock,${second}`, 'A,6,1', 'A2,1,1'), {
      now,
      dryRun: true,
      onChange: (read) => changes.push(read()),
    });
    expect(changes).toEqual([
      { line: 2, outcome: 'updated', name: 'Tea', fields: { stock: [5, 6], [second]: [null, 1] } },
    ]);
  });

  test('wrong quantities reject their row, wrong warehouses the file', async () => {
    const { storeId, second } = await withWarehouses();
    const { rejected } = await load(
      storeId,
      `sku,name,price,stock,${second}`,
      'A,Tea,100,1.5,1000000001',
      'B,Cup,1,+2,',
    );
    expect(rejected).toMatchObject([
      { line: 2, column: 'stock', code: 'not_quantity' },
      { line: 2, column: second, code: 'not_quantity' },
    ]);
    await expect(load(storeId, 'sku,stock:nowhere', 'B,1')).rejects.toMatchObject({
      fieldErrors: [{ code: 'unknown_warehouse' }],
    });
    const [first] = await db.all<any>(sql`select code from warehouses where store_id = ${storeId} order by created_at`);
    await expect(load(storeId, `sku,stock,stock:${first.code}`, 'B,1,1')).rejects.toMatchObject({
      fieldErrors: [{ code: 'duplicate_column' }],
    });
    const { storeId: bare } = await service.shop();
    await expect(load(bare, 'sku,name,price,stock', 'B,Cup,1,1')).rejects.toMatchObject({
      fieldErrors: [{ code: 'no_warehouse' }],
    });
  });
});
