import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../sql.ts';
import { change } from '../write/plan.ts';
import { openSqlite } from './open-sqlite.ts';

const dir = mkdtempSync(join(tmpdir(), 'store-sales-group-commit-'));
const db = openSqlite(join(dir, 'group-commit.db'), { maxBatchMs: Number.POSITIVE_INFINITY });
await db.script(async (exec) => {
  await exec('create table entries (name text primary key) strict');
  await exec(
    'create table store_clocks (store_id text primary key, seq integer, ts integer, last_number integer) strict',
  );
  await exec("insert into store_clocks values ('store', 0, 0, 0)");
});
const storeId = 'store';
afterAll(async () => {
  await db.close();
  rmSync(dir, { recursive: true, force: true });
});

const names = async () =>
  (await db.all<{ name: string }>(sql`select name from entries order by name`)).map((r) => r.name);
const add = (name: string, after: () => void | Promise<void> = () => {}) =>
  db.transaction(async (tx) => {
    await tx.run(sql`insert into entries (name) values (${name})`);
    await after();
    return name;
  });
const clear = () => db.run(sql`delete from entries`);

test('a transaction of a batch fails alone, at any position', async () => {
  for (let bad = 0; bad < 4; bad++) {
    await clear();
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name, index) =>
        add(name, () => {
          if (index === bad) throw new Error(`failed ${name}`);
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([0, 1, 2, 3].map((index) => index !== bad));
    expect(await names()).toEqual(['a', 'b', 'c', 'd'].filter((_, index) => index !== bad));
  }
});

test('each sees the changes of those before it, and of two that violate a constraint one fails', async () => {
  await clear();
  const outcomes = await Promise.allSettled([add('same'), add('same'), add('other')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await names()).toEqual(['other', 'same']);
});

test('no transaction resolves before the shared commit', async () => {
  await clear();
  const seen: string[][] = [];
  // Another connection sees only committed data.
  const reader = openSqlite(join(dir, 'group-commit.db'));
  const addAndRead = async (name: string) => {
    await add(name);
    seen.push((await reader.all<{ name: string }>(sql`select name from entries order by name`)).map((row) => row.name));
  };
  await Promise.all(['a', 'b', 'c'].map(addAndRead));
  await reader.close();
  expect(seen).toEqual(Array(3).fill(['a', 'b', 'c']));
});

test('onCommit actions of a failed transaction do not run', async () => {
  await clear();
  const ran: string[] = [];
  const work = (name: string, fails: boolean) =>
    db.transaction(async (tx) => {
      tx.onCommit(() => ran.push(name));
      await tx.run(sql`insert into entries (name) values (${name})`);
      if (fails) throw new Error('failed');
    });
  await Promise.allSettled([work('a', false), work('b', true), work('c', false)]);
  expect(ran).toEqual(['a', 'c']);
});

/** Rows of the search are written after the plans of a batch. */
const writeLast = (name: string, ...last: string[]) => {
  const added = (each: string) => () => sql`insert into entries (name) values (${each})`;
  return db.write({
    storeId,
    now: 0,
    keys: [],
    read: async (tx) => expect(await tx.all(sql`select 1 from entries where name like 'last%'`)).toEqual([]),
    apply: () => ({
      writes: [...last.map((each) => change('order_search', added(each))), change('orders', added(name))],
      result: undefined,
    }),
  });
};

test('last writes run after all transactions of a batch, without those of failed ones', async () => {
  await clear();
  await add('taken');
  const outcomes = await Promise.allSettled([
    writeLast('a', 'last a'),
    writeLast('taken', 'last taken'),
    writeLast('c', 'last c1', 'last c2'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await names()).toEqual(['a', 'c', 'last a', 'last c1', 'last c2', 'taken']);
});

test('no last writes are left after a transaction that fails alone, and one that fails rolls back its batch', async () => {
  await clear();
  await add('taken');
  await expect(writeLast('taken', 'last')).rejects.toThrow('UNIQUE');
  await writeLast('a');
  expect(await names()).toEqual(['a', 'taken']);
  const outcomes = await Promise.allSettled([writeLast('b', 'taken'), writeLast('c')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await names()).toEqual(['a', 'taken']);
});

test('FTS5 writes one segment for all transactions of a batch', async () => {
  await db.script((exec) => exec('create virtual table texts using fts5 (words)'));
  await Promise.all(
    Array.from({ length: 10 }, (_, number) =>
      db.write({
        storeId,
        now: 0,
        keys: [],
        read: async () => {},
        apply: () => ({
          writes: [
            change('order_search', () => sql`insert into texts (rowid, words) values (${number}, 'word')`),
            change('orders', () => sql`insert into entries (name) values (${`text ${number}`})`),
          ],
          result: undefined,
        }),
      }),
    ),
  );
  expect(await db.all(sql`select segid from texts_idx`)).toHaveLength(1);
});

test('stores are served round-robin, each in its own order', async () => {
  await clear();
  const order: string[] = [];
  const write = (storeId: string | undefined, name: string) =>
    db.transaction(async () => void order.push(name), storeId === undefined ? {} : { storeId });
  const writes = Array.from({ length: 100 }, (_, index) => write('a', `a${index}`));
  writes.push(write('b', 'b0'), write(undefined, 'none'), write('b', 'b1'));
  await Promise.all(writes);
  expect(order.slice(0, 6)).toEqual(['a0', 'b0', 'none', 'a1', 'b1', 'a2']);
  expect(order.filter((name) => name.startsWith('a'))).toEqual(Array.from({ length: 100 }, (_, index) => `a${index}`));
});

test('a long transaction has its own commit, and lazy ones share only with each other', async () => {
  await clear();
  let released = () => {};
  const blocked = new Promise<void>((resolve) => {
    released = resolve;
  });
  const order: string[] = [];
  const first = add('first').then(() => order.push('first'));
  const long = db
    .transaction(
      async (tx) => {
        await tx.run(sql`insert into entries (name) values ('long')`);
        await blocked;
      },
      { isLong: true },
    )
    .then(() => order.push('long'));
  await first;
  expect(await names()).toEqual(['first']);
  released();
  await long;
  await Promise.all([
    db.transaction((tx) => tx.run(sql`insert into entries (name) values ('lazy')`), { isLazy: true }),
    add('safe'),
  ]);
  expect(order).toEqual(['first', 'long']);
  expect(await names()).toEqual(['first', 'lazy', 'long', 'safe']);
});

test('a write outside of the queue is refused at once, instead of waiting for the writer of the same process', async () => {
  await clear();
  const outside = db.one(sql`insert into entries (name) values ('outside') returning name`);
  await expect(outside).rejects.toThrow(/readonly/);
  expect(await names()).toEqual([]);
});
