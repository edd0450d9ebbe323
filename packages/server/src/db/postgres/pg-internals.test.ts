import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { cleanUpAfter } from '../../../test/cleanup.ts';
import { engine, testDatabase } from '../../../test/database.ts';
import { startService } from '../../../test/service.ts';
import { sql } from '../sql.ts';
import { openPostgres } from './open-postgres.ts';
import { hasExpectedInternals } from './pg-internals.ts';

const isUnexpected = () => false;

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

describe.runIf(engine === 'postgres')('with the internals of the driver and without', () => {
  async function openBoth() {
    const database = await testDatabase();
    cleanUpAfter(database.drop);
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const fast = openPostgres(database.DATABASE_URL as string, { warn });
    cleanUpAfter(() => fast.close());
    expect(warnings).toEqual([]);
    const plain = openPostgres(database.DATABASE_URL as string, { warn, checkDriver: isUnexpected });
    cleanUpAfter(() => plain.close());
    expect(warnings).toEqual(['unexpected version of the pg package: using its public API only, which is slower']);
    return { fast, plain };
  }

  test('values are the same', async () => {
    const { fast, plain } = await openBoth();
    const text = 'чай 🍵 é \u0080';
    const statement = sql`select ${text}::text as text, ${fast.dialect.bytes(sql`${text}::text`)} as bytes,
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
    for (const db of [fast, plain]) {
      expect(await db.one(statement)).toEqual(expected);
      expect(await db.fastReads.one(statement)).toEqual(expected);
      expect(await db.transaction((tx) => tx.one(statement))).toEqual(expected);
    }
  });

  test('errors and transactions are the same', async () => {
    const { fast, plain } = await openBoth();
    for (const db of [fast, plain]) {
      await db.script((exec) => exec('drop table if exists t; create table t (id bigint primary key)'));
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
    }
  });

  test('the API sends the same bytes', async () => {
    const database = await testDatabase();
    cleanUpAfter(database.drop);
    const fast = await startService({ database });
    const plain = await startService({ database, checkDriver: isUnexpected });
    const { storeId, key } = await fast.shop();
    await addProduct(fast, storeId, { sku: 'TEA', name: 'чай 🍵 é' });
    const order = { externalId: '1', items: [{ sku: 'TEA', quantity: 1 }] };
    expect((await fast.post('/api/v1/orders', order, key)).status).toBe(201);
    const path = '/api/v1/orders?with=items';
    const expected = await fast.get(path, key);
    expect(expected.text).toContain('чай 🍵 é');
    expect((await plain.get(path, key)).text).toBe(expected.text);
  });
});
