import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../sql.ts';
import { openSqlite } from './open-sqlite.ts';

const dir = mkdtempSync(join(tmpdir(), 'store-sales-turns-'));
const db = openSqlite(join(dir, 'turns.db'));
await db.script((exec) => exec('create table noted (name text primary key) strict'));
afterAll(async () => {
  await db.close();
  rmSync(dir, { recursive: true, force: true });
});

const names = async () =>
  (await db.all<{ name: string }>(sql`select name from noted order by name`)).map((r) => r.name);
const add = (name: string, after: () => void | Promise<void> = () => {}) =>
  db.transaction(async (tx) => {
    await tx.run(sql`insert into noted (name) values (${name})`);
    await after();
    return name;
  });
const clear = () => db.run(sql`delete from noted`);

test('of transactions that wait together each fails alone, wherever it stands among them', async () => {
  for (let bad = 0; bad < 4; bad++) {
    await clear();
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name, index) =>
        add(name, () => {
          if (index === bad) throw new Error(`refused ${name}`);
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([0, 1, 2, 3].map((index) => index !== bad));
    expect(await names()).toEqual(['a', 'b', 'c', 'd'].filter((_, index) => index !== bad));
  }
});

test('each sees what those before it did, and the constraint decides between two', async () => {
  await clear();
  const outcomes = await Promise.allSettled([add('same'), add('same'), add('other')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await names()).toEqual(['other', 'same']);
});

test('nobody is answered before the commit that all of them share', async () => {
  await clear();
  const seen: string[][] = [];
  // Another connection, as another process would have: it sees what is committed.
  const reader = openSqlite(join(dir, 'turns.db'));
  const looked = async (name: string) => {
    await add(name);
    seen.push((await reader.all<{ name: string }>(sql`select name from noted order by name`)).map((row) => row.name));
  };
  await Promise.all(['a', 'b', 'c'].map(looked));
  await reader.close();
  expect(seen).toEqual(Array(3).fill(['a', 'b', 'c']));
});

test('what runs after a commit does not run for the one that failed', async () => {
  await clear();
  const ran: string[] = [];
  const work = (name: string, fails: boolean) =>
    db.transaction(async (tx) => {
      tx.onCommit(() => ran.push(name));
      await tx.run(sql`insert into noted (name) values (${name})`);
      if (fails) throw new Error('refused');
    });
  await Promise.allSettled([work('a', false), work('b', true), work('c', false)]);
  expect(ran).toEqual(['a', 'c']);
});

test('stores take turns, and each keeps its order', async () => {
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

test('a long one shares its commit with nobody, and lazy ones only with each other', async () => {
  await clear();
  let released = () => {};
  const held = new Promise<void>((resolve) => {
    released = resolve;
  });
  const order: string[] = [];
  const first = add('first').then(() => order.push('first'));
  const long = db
    .transaction(
      async (tx) => {
        await tx.run(sql`insert into noted (name) values ('long')`);
        await held;
      },
      { isLong: true },
    )
    .then(() => order.push('long'));
  await first;
  expect(await names()).toEqual(['first']);
  released();
  await long;
  await Promise.all([
    db.transaction((tx) => tx.run(sql`insert into noted (name) values ('lazy')`), { isLazy: true }),
    add('safe'),
  ]);
  expect(order).toEqual(['first', 'long']);
  expect(await names()).toEqual(['first', 'lazy', 'long', 'safe']);
});
