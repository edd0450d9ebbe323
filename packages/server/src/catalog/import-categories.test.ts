import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { table } from '../../test/tables.ts';
import { sql } from '../db/sql.ts';
import { categoryTable, importCategories } from './import-categories.ts';

const service = await startService();
const { db, clock } = service;
const now = () => clock.now;

const load = (storeId: string, ...lines: string[]) =>
  importCategories(db, storeId, table(categoryTable, ...lines), { now });
const preview = (storeId: string, ...lines: string[]) =>
  importCategories(db, storeId, table(categoryTable, ...lines), { now, dryRun: true });
const counts = (created: number, updated: number, unchanged: number) => ({
  ...{ created, updated, unchanged },
  ...{ rejected: [], rejectedCount: 0 },
});
/** Each category as `name < name of its parent`. */
async function tree(storeId: string) {
  const found = await db.all<any>(
    sql`select c.external_id, c.name, p.external_id as parent from categories c
        left join categories p on p.store_id = c.store_id and p.id = c.parent_id where c.store_id = ${storeId}`,
  );
  return Object.fromEntries(
    found.map((row) => [row.external_id, `${row.name}${row.parent ? ` < ${row.parent}` : ''}`]),
  );
}
const stamps = (storeId: string) =>
  db.all<any>(
    sql`select external_id, created_at, updated_at from categories where store_id = ${storeId} order by external_id`,
  );

describe('importing categories', () => {
  test('a child may precede its parent; a second run changes nothing; only changed categories get a new updatedAt', async () => {
    const { storeId, key } = await service.shop();
    const other = await service.shop();
    const file = ['externalId,name,parentExternalId', 'c,Leaf,b', 'b,Branch,a', 'a,Root,', 'd,Single,'];
    expect(await preview(storeId, ...file)).toEqual(counts(4, 0, 0));
    expect(await tree(storeId)).toEqual({});
    expect(await load(storeId, ...file)).toEqual(counts(4, 0, 0));
    expect(await tree(storeId)).toEqual({ a: 'Root', b: 'Branch < a', c: 'Leaf < b', d: 'Single' });
    const listed = (await service.get('/api/v1/references/categories', key)).body.data;
    expect(listed.map((category: any) => category.externalId)).toEqual(['c', 'b', 'a', 'd']);

    const before = await stamps(storeId);
    clock.now += 1000;
    expect(await load(storeId, ...file)).toEqual(counts(0, 0, 4));
    expect(await stamps(storeId)).toEqual(before);
    expect(await load(storeId, 'externalId,name', 'b,Bough', 'c,Leaf')).toEqual(counts(0, 1, 1));
    expect(await load(storeId, 'externalId,parentExternalId', 'c,', 'd,a')).toEqual(counts(0, 2, 0));
    expect(await tree(storeId)).toEqual({ a: 'Root', b: 'Bough < a', c: 'Leaf', d: 'Single < a' });
    expect((await stamps(storeId)).map((row) => row.updated_at === clock.now)).toEqual([false, true, true, true]);
    expect(await tree(other.storeId)).toEqual({});
  });

  test('only the final tree counts: two categories may swap positions', async () => {
    const { storeId } = await service.shop();
    await load(storeId, 'externalId,name,parentExternalId', 'a,A,', 'b,B,a', 'c,C,b');
    expect(await load(storeId, 'externalId,parentExternalId', 'a,b', 'b,')).toEqual(counts(0, 2, 0));
    expect(await tree(storeId)).toEqual({ a: 'A < b', b: 'B', c: 'C < b' });
  });

  test('every invalid row is reported by line and rejected with the rows that depend on it only', async () => {
    const { storeId } = await service.shop();
    await load(storeId, 'externalId,name,parentExternalId', 'a,A,', 'b,B,a');
    const { rejected, ...rest } = await load(
      storeId,
      'externalId,name,parentExternalId',
      'a,Renamed,b',
      'x,X,y',
      'y,Y,x',
      'self,S,self',
      ',No key,',
      'n,,',
      'lost,L,nowhere',
      'child,Below lost,lost',
      'fine,Fine,b',
      'b,Renamed,nowhere',
      `l,${'ж'.repeat(201)},`,
    );
    expect(rest).toEqual({ created: 1, updated: 0, unchanged: 0, rejectedCount: 10 });
    const parent = { column: 'parentExternalId' };
    expect(rejected).toEqual([
      { line: 2, ...parent, code: 'category_cycle', params: { path: 'a → b → a' } },
      { line: 3, ...parent, code: 'rejected_category', params: { value: 'y' } },
      { line: 4, ...parent, code: 'category_cycle', params: { path: 'y → x → y' } },
      { line: 5, ...parent, code: 'category_cycle', params: { path: 'self → self' } },
      { line: 6, column: 'externalId', code: 'blank', params: {} },
      { line: 7, column: 'name', code: 'blank', params: {} },
      { line: 8, ...parent, code: 'unknown_category', params: { value: 'nowhere' } },
      { line: 9, ...parent, code: 'rejected_category', params: { value: 'lost' } },
      { line: 11, ...parent, code: 'unknown_category', params: { value: 'nowhere' } },
      { line: 12, column: 'name', code: 'too_long', params: { max: 200 } },
    ]);
    expect(await tree(storeId)).toEqual({ a: 'A', b: 'B < a', fine: 'Fine < b' });
    expect((await load(storeId, 'externalId,parentExternalId', 'new,a')).rejected).toEqual([
      { line: 2, column: 'name', code: 'required', params: {} },
    ]);
  });

  test('the same category twice: later rows are rejected', async () => {
    const { storeId } = await service.shop();
    const file = ['externalId,name,parentExternalId', 'a,A,', 'b,B,', 'b,Bee,a', 'b,B,', 'c,C,b'];
    const same = { column: 'externalId', code: 'duplicate_row', params: { line: 3 } };
    const rejected = [4, 5].map((line) => ({ line, ...same }));
    expect(await load(storeId, ...file)).toEqual({ ...counts(3, 0, 0), rejected, rejectedCount: 2 });
    expect(await tree(storeId)).toEqual({ a: 'A', b: 'B', c: 'C < b' });
  });

  test('a chain of thousands, the last first', async () => {
    const { storeId } = await service.shop();
    const chain = Array.from({ length: 3000 }, (_, index) => `n${index},N,${index ? `n${index - 1}` : ''}`).reverse();
    expect(await load(storeId, 'externalId,name,parentExternalId', ...chain)).toEqual(counts(3000, 0, 0));
    const ring = ['externalId,parentExternalId', 'n0,n2999'];
    expect((await load(storeId, ...ring)).rejected).toEqual([
      {
        ...{ line: 2, column: 'parentExternalId', code: 'category_cycle' },
        params: { path: 'n0 → n2999 → n2998 → n2997 → … → n0' },
      },
    ]);
  });
});
