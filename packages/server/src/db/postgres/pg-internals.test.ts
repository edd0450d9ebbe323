import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { cleanUpAfter } from '../../../test/cleanup.ts';
import { engine, testDatabase } from '../../../test/database.ts';
import { sql } from '../sql.ts';
import { openPostgres } from './open-postgres.ts';
import { hasExpectedInternals } from './pg-internals.ts';

describe('the driver check', () => {
  test('accepts the installed version', () => {
    expect(hasExpectedInternals(pg.Client)).toBe(true);
  });

  /** A driver whose connection differs from the installed one's. */
  const driverWith = (change: (connection: any) => void) =>
    class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config);
        change((this as any).connection);
      }
    };

  test.each<[string, (connection: any) => void]>([
    ['keeps its stream under another name', (connection) => Object.defineProperty(connection, 'stream', { get() {} })],
    ['does not call attachListeners', (connection) => Object.assign(connection, { connect() {} })],
    ['cannot be changed', (connection) => Object.freeze(connection)],
    ['emits no rows', (connection) => Object.assign(connection, { emit: () => false })],
  ])('rejects one that %s', (_, change) => {
    expect(hasExpectedInternals(driverWith(change))).toBe(false);
  });
});

describe.runIf(engine === 'postgres')('with the internals of the driver', () => {
  async function open() {
    const database = await testDatabase();
    cleanUpAfter(database.drop);
    const db = openPostgres(database.DATABASE_URL as string);
    cleanUpAfter(() => db.close());
    return db;
  }

  test('values are decoded', async () => {
    const db = await open();
    const text = 'чай 🍵 é \u0080';
    const statement = sql`select ${text}::text as text, ${db.dialect.bytes(sql`${text}::text`)} as bytes,
      ${Number.MAX_SAFE_INTEGER}::bigint as number, ${[text, null]}::text[] as list, ${JSON.stringify([text])}::json as json,
      true as is_on, null as nothing, ''::text as blank, ''::bpchar as no_bytes`;
    const expected = {
      text,
      bytes: Buffer.from(text),
      number: Number.MAX_SAFE_INTEGER,
      list: [text, null],
      json: [text],
      is_on: true,
      nothing: null,
      blank: '',
      no_bytes: Buffer.alloc(0),
    };
    expect(await db.one(statement)).toEqual(expected);
    expect(await db.fastReads.one(statement)).toEqual(expected);
    expect(await db.transaction((tx) => tx.one(statement))).toEqual(expected);
  });

  test('errors and transactions are those of the driver', async () => {
    const db = await open();
    await db.script((exec) => exec('create table t (id bigint primary key)'));
    await expect(db.fastReads.one(sql`select cast(${'чай'} as text)::bigint`)).rejects.toThrow('"чай"');
    const results = await db.transaction((tx) => {
      return Promise.all([
        tx.run(sql`insert into t values (1)`),
        tx.run(sql`insert into t values (2), (3)`),
        tx.all(sql`select id from t order by id`),
      ]);
    });
    expect(results).toEqual([1, 2, [{ id: 1 }, { id: 2 }, { id: 3 }]]);
    // Not awaited: the commit fails.
    const duplicate = db.transaction(async (tx) => void tx.run(sql`insert into t values (1)`));
    await expect(duplicate).rejects.toMatchObject({ code: '23505' });
    expect(await db.all(sql`select count(*) as count from t`)).toEqual([{ count: 3 }]);
  });
});
