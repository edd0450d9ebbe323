import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { tick } from './clock.ts';
import type { RowsStatement, Transaction } from './database.ts';
import { sql } from './sql.ts';

/** Transactions with `group`: see postgres/group-writes.ts. On SQLite every transaction is in a group anyway. */
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
const grouped = <Result>(work: (tx: Transaction) => Promise<Result>, key?: string) =>
  db.transaction(work, { storeId, group: { key } });
async function add(tx: Transaction, name: string) {
  const { seq } = await tick(tx, storeId, 0);
  tx.send(sql`insert into entries (store_id, name, seq) values (${storeId}, ${name}, ${seq})`);
  return seq;
}
const settled = async <Result>(works: Promise<Result>[]) =>
  (await Promise.allSettled(works)).map(({ status }) => status);
const twenty = Array.from({ length: 20 }, (_, index) => index);
const expected = (bad: number) => twenty.map((index) => (index === bad ? 'rejected' : 'fulfilled'));

test('a failing statement fails its member only', async () => {
  await grouped((tx) => add(tx, 'a taken'));
  const outcomes = await settled(
    twenty.map((index) => grouped((tx) => add(tx, index === 11 ? 'a taken' : `a ${index}`))),
  );
  expect(outcomes).toEqual(expected(11));
  expect(await namesIn('a')).toHaveLength(20);
});

test('a member that throws after its write fails alone, and its actions do not run', async () => {
  const done: number[] = [];
  const outcomes = await settled(
    twenty.map((index) =>
      grouped(async (tx) => {
        tx.onCommit(() => done.push(index));
        await add(tx, `b ${index}`);
        if (index === 3) throw new Error('too late');
      }),
    ),
  );
  expect(outcomes).toEqual(expected(3));
  expect(await namesIn('b')).toHaveLength(19);
  expect(done.sort((a, b) => a - b)).toEqual(twenty.filter((index) => index !== 3));
});

test('a read that nobody awaits, such as the response of a write that fails, does not end the process', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const entries: RowsStatement<string> = {
    few: (_, [name]) => sql`insert into entries (store_id, name, seq) values (${storeId}, ${name}, 1)`,
    many: (_, names) =>
      sql`insert into entries (store_id, name, seq) select ${storeId}, name, 1 from unnest(${names}::text[]) name`,
  };
  await grouped((tx) => add(tx, 'd taken'));
  const outcomes = await settled(
    twenty.map((index) =>
      grouped(async (tx) => {
        await tick(tx, storeId, 0);
        tx.sendRows(entries, [index === 7 ? 'd taken' : `d ${index}`]);
        return { response: tx.one(sql`select 1 as one`) };
      }),
    ),
  );
  expect(outcomes).toEqual(expected(7));
  await setImmediate();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('change numbers are consecutive, and none is used twice', async () => {
  const before = await grouped((tx) => add(tx, 'c first'));
  const numbers = await Promise.all(twenty.map((index) => grouped((tx) => add(tx, `c ${index}`))));
  expect(numbers.sort((a, b) => a - b)).toEqual(twenty.map((index) => before + 1 + index));
});

test('members with one key, and those that claim or lock one name, run one after the other', async () => {
  const increase = async (tx: Transaction, name: string) => {
    const known = await tx.one<{ seq: number }>(
      sql`select seq from entries where store_id = 'counter' and name = ${name}`,
    );
    await tick(tx, storeId, 0);
    await tx.run(
      sql`insert into entries (store_id, name, seq) values ('counter', ${name}, 1)
          on conflict (store_id, name) do update set seq = ${(known?.seq ?? 0) + 1}`,
    );
  };
  await Promise.all(
    twenty.flatMap(() => [
      grouped((tx) => increase(tx, 'key'), 'key'),
      grouped(async (tx) => {
        tx.claim('claim');
        await increase(tx, 'claim');
      }),
      grouped(async (tx) => {
        await tx.lock(storeId, ['lock']);
        await increase(tx, 'lock');
      }),
    ]),
  );
  const counts = await db.all(sql`select name, seq from entries where store_id = 'counter' order by name`);
  expect(counts).toEqual(['claim', 'key', 'lock'].map((name) => ({ name, seq: 20 })));
});
