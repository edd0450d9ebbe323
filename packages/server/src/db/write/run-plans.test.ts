import { describe, expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { StoreClock } from '../clock/store-clock.ts';
import { sql } from '../sql.ts';
import { type Change, change, insert, type RowTable, type TableName, tableOrder, type WritePlan } from './plan.ts';

const service = await startService();
const { db } = service;
await db.script((exec) =>
  exec(
    'create table entries (store_id text not null, name text not null, seq bigint not null, unique (store_id, name))',
  ),
);
const { storeId } = await service.shop();

const namesIn = async (prefix: string) =>
  (await db.all<{ name: string }>(sql`select name from entries where name like ${`${prefix}%`} order by seq`)).map(
    ({ name }) => name,
  );
const entry = (name: string, seq: number, table: TableName = 'orders') =>
  change(table, () => sql`insert into entries (store_id, name, seq) values (${storeId}, ${name}, ${seq})`);

/** Adds an entry; `apply` may do something else. */
const add = (name: string, more: Partial<WritePlan<number, number>> = {}): WritePlan<number, number> => ({
  storeId,
  now: 0,
  keys: [],
  read: async (tx) => (await tx.one<{ one: number }>(sql`select 1 as one`))?.one ?? 0,
  apply(_, clock): Change<number> {
    const seq = clock.nextSeq();
    return { writes: [entry(name, seq)], result: seq };
  },
  ...more,
});
const settled = async <Result>(works: Promise<Result>[]) =>
  (await Promise.allSettled(works)).map(({ status }) => status);
const twenty = Array.from({ length: 20 }, (_, index) => index);
const expected = (bad: number) => twenty.map((index) => (index === bad ? 'rejected' : 'fulfilled'));

test('a failing statement fails its plan only', async () => {
  await db.write(add('a taken'));
  const outcomes = await settled(twenty.map((index) => db.write(add(index === 11 ? 'a taken' : `a ${index}`))));
  expect(outcomes).toEqual(expected(11));
  expect(await namesIn('a')).toHaveLength(20);
});

const fail = () => {
  throw new Error('rejected');
};

test.each([
  ['read', { read: async () => fail() }],
  ['apply', { apply: fail }],
  ['a read that the database rejects', { read: (tx) => tx.one(sql`select no_such_column from entries`) }],
] as [string, Partial<WritePlan<number, number>>][])('a plan that fails in %s fails alone', async (name, failing) => {
  const outcomes = await settled(
    twenty.map((index) => db.write(add(`b ${name} ${index}`, index === 3 ? failing : {}))),
  );
  expect(outcomes).toEqual(expected(3));
  expect(await namesIn(`b ${name}`)).toHaveLength(19);
});

test('change numbers are consecutive, and those that a rejected plan has drawn are drawn again', async () => {
  const before = await db.write(add('c first'));
  const drawing: Partial<WritePlan<number, number>> = {
    apply(_, clock) {
      clock.nextSeq();
      return fail();
    },
  };
  const writes = twenty.map((index) => db.write(add(`c ${index}`, index % 5 === 4 ? drawing : {})));
  const numbers = (await Promise.allSettled(writes)).flatMap((each) =>
    each.status === 'fulfilled' ? [each.value] : [],
  );
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, index) => before + 1 + index));
  expect(await db.one(sql`select seq from store_clocks where store_id = ${storeId}`)).toEqual({ seq: before + 16 });
});

const increase = (name: string, keys: WritePlan<number, void>['keys']): WritePlan<number, void> => ({
  storeId,
  now: 0,
  keys,
  read: async (tx) =>
    (await tx.one<{ seq: number }>(sql`select seq from entries where store_id = 'counter' and name = ${name}`))?.seq ??
    0,
  apply: (count) => ({
    writes: [
      change(
        'orders',
        () => sql`insert into entries (store_id, name, seq) values ('counter', ${name}, 1)
                  on conflict (store_id, name) do update set seq = ${count + 1}`,
      ),
    ],
    result: undefined,
  }),
});

test('plans that share a key, or do not know theirs, see what the one before has written', async () => {
  await Promise.all(
    twenty.flatMap(() => [db.write(increase('key', ['key'])), db.write(increase('unknown', 'unknown'))]),
  );
  const counts = await db.all(sql`select name, seq from entries where store_id = 'counter' order by name`);
  expect(counts).toEqual(['key', 'unknown'].map((name) => ({ name, seq: 20 })));
});

test('tables are written in their order, whatever order the plans ask in, and whoever shares the transaction', async () => {
  const written: string[] = [];
  const table = (name: TableName): RowTable<string> => ({
    name,
    insert(_, rows) {
      written.push(name);
      return rows.map(
        (row) => sql`insert into entries (store_id, name, seq) values (${storeId}, ${`d ${name} ${row}`}, 0)`,
      );
    },
  });
  const tables = tableOrder.map(table);
  // Each plan leaves some out and asks for the others in another order.
  const chosen = (index: number) => {
    const from = index % tables.length;
    return [...tables.slice(from), ...tables.slice(0, Math.min(from, index % 3))].reverse();
  };
  const plan = (index: number): WritePlan<void, void> => ({
    ...add(''),
    read: async () => {},
    apply: () => ({ writes: chosen(index).map((each) => insert(each, [String(index)])), result: undefined }),
  });
  await Promise.all(twenty.map((index) => db.write(plan(index))));
  const positions = written.map((name) => tableOrder.indexOf(name as TableName));
  // A later transaction begins with an earlier table.
  const runs = positions.reduce(
    (count, position, index) => count + (position < (positions[index - 1] ?? -1) ? 1 : 0),
    1,
  );
  expect(runs).toBeLessThanOrEqual(20);
  const rows = await db.all<{ name: string }>(sql`select name from entries where name like 'd %'`);
  expect(rows).toHaveLength(twenty.flatMap(chosen).length);
});

test('actions run after the commit, with the number of rows, and not for plans that failed', async () => {
  const counts: number[] = [];
  const table: RowTable<string> = {
    name: 'orders',
    insert: (_, rows) =>
      rows.map((row) => sql`insert into entries (store_id, name, seq) values (${storeId}, ${row}, 0)`),
    onCommit: (count) => void counts.push(count),
  };
  await db.write(add('e taken'));
  const plans = ['e 1', 'e taken', 'e 2'].map((name) =>
    db.write(add(name, { apply: () => ({ writes: [insert(table, [name])], result: 0 }) })),
  );
  expect(await settled(plans)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(counts).toEqual([1, 1]);
});

describe('the clock of a store', () => {
  test('never goes back', () => {
    const clock = new StoreClock(5, 1000, 7);
    expect([clock.at(500).time, clock.at(2000).time]).toEqual([1000, 2000]);
  });

  test('draws from its own numbers only', () => {
    const clock = new StoreClock(5, 1000, 7);
    const later = clock.at(1000);
    expect([later.nextSeq(), later.nextSeq(), later.nextNumber()]).toEqual([6, 7, 8]);
    expect([clock.seq, clock.number]).toEqual([5, 7]);
  });
});
