import { randomBytes, randomUUID } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { cleanUpAfter } from '../../../test/cleanup.ts';
import { engine, testDatabase } from '../../../test/database.ts';
import { everyRead } from '../../../test/every-read.ts';
import { startService } from '../../../test/service.ts';
import { loadDemo } from '../../demo/load.ts';
import { addPicture } from '../../files/pictures.ts';
import { MINUTE } from '../../time/duration.ts';
import type { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { databaseFile, openDatabase } from '../open.ts';
import { raw, sql } from '../sql.ts';
import { copyToPostgres, locationOf } from './copy-to-postgres.ts';

const HOSTILE = 'tab\tline\nreturn\rslash\\N \\. quote\' " emoji 🫖 «чай» \u0001\u2028';

/** An installation on SQLite, and an empty PostgreSQL database. */
async function installation(damages?: string) {
  const database = await testDatabase();
  const { DATA_DIR, DATABASE_URL: url = '' } = database;
  database.isChecked = damages !== undefined;
  cleanUpAfter(() => database.drop());
  const embedded = { DATA_DIR, drop: async () => {} };
  const copy = async (keep = true, keyIds = ['installation']) =>
    (await copyToPostgres({ file: databaseFile(DATA_DIR), url, keyIds, keep, onProgress: () => {} })).copied;
  const target = () => {
    const db = openDatabase({ databaseUrl: url, dataDir: DATA_DIR });
    cleanUpAfter(() => db.close());
    return db;
  };
  // The request log would be written after the copy.
  const env = { REQUEST_LOG_DAYS: '0' };
  const service = await startService({ database: embedded, env, ...(damages && { damages }) });
  const demo = () => loadDemo(service.db, service.config.SECRET_KEY, service.clock.now);
  return { service, embedded, url, copy, target, demo };
}

const tablesOf = (file: Sqlite.Database) =>
  file
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[];

/** Adds a row to every table that is empty. */
function fillEmpty(file: Sqlite.Database, known: Record<string, string>) {
  for (const table of tablesOf(file)) {
    if (file.prepare(`select 1 from ${table} limit 1`).get()) continue;
    const columns = file.prepare('select name, type from pragma_table_info(?)').all(table) as {
      name: string;
      type: string;
    }[];
    const cellOf = ({ name, type }: (typeof columns)[number]) => {
      if (known[name]) return known[name];
      if (type === 'INTEGER') return name.startsWith('is_') ? 1 : Number.MAX_SAFE_INTEGER;
      return /(^|_)id$|_by$/.test(name) && table !== 'secret_keys' ? randomUUID() : HOSTILE;
    };
    const row = columns.map(cellOf);
    file.prepare(`insert into ${table} values (${row.map(() => '?').join(', ')})`).run(...row);
  }
}

const sorted = (rows: Record<string, unknown>[]) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('hex') : value])
          .sort(),
      ),
    )
    .sort();

/** Names and definitions of all indexes and constraints, and the options of tables. */
const schemaOf = (db: Database) =>
  db.all(
    sql`select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
        where connamespace = 'public'::regnamespace
        union all select indexname, indexdef from pg_indexes where schemaname = 'public'
        union all select relname, reloptions::text from pg_class where relnamespace = 'public'::regnamespace
        order by 1, 2`,
  );

describe.runIf(engine === 'postgres')('a copy to PostgreSQL', () => {
  test('has every row of every table, and the schema of a new database', async () => {
    const { service, embedded, copy, target, demo } = await installation('rows of nothing in every table');
    const { db } = service;
    const access = await demo();
    const order = {
      items: [{ sku: 'COF-01', quantity: 1 }],
      notes: HOSTILE.replaceAll('\u0001', ''),
      externalId: '\\N',
    };
    expect((await service.post('/api/v1/orders', order, access.apiKey)).status).toBe(201);
    const store = await db.one<{ owner_id: string }>(sql`select owner_id from stores where id = ${access.storeId}`);
    const endpoint = await db.one<{ id: string }>(
      sql`select id from webhook_endpoints where store_id = ${access.storeId}`,
    );
    const file = new Sqlite(databaseFile(embedded.DATA_DIR));
    cleanUpAfter(() => file.close());
    file.pragma('foreign_keys = ON');
    // Every byte.
    const decoded = [{ width: 9, height: 9, bytes: Buffer.from(Array.from({ length: 256 }, (_, index) => index)) }];
    await db.transaction((tx) =>
      addPicture(tx, access.storeId, { place: 'logo' }, decoded, { at: service.clock.now, maxMiB: 1 }),
    );
    const firstOf = (table: string) => file.prepare(`select id from ${table} limit 1`).pluck().get() as string;
    fillEmpty(file, {
      ...{ store_id: access.storeId, owner_id: String(store?.owner_id), endpoint_id: String(endpoint?.id) },
      ...{ product_id: firstOf('products'), warehouse_id: firstOf('warehouses'), status_id: firstOf('order_statuses') },
    });
    file.prepare('delete from nodes').run();

    const there = target();
    await migrate(there);
    const schema = await schemaOf(there);
    const counts = await copy();
    expect(await schemaOf(there)).toEqual(schema);
    const tables = tablesOf(file).filter(
      (table) => !['schema_migrations', 'nodes', 'order_search_stores'].includes(table),
    );
    expect(Object.keys(counts).sort()).toEqual([...tables, 'order_search'].sort());
    for (const table of tables) {
      const [here, copied] = await Promise.all(
        [db, there].map((one) => one.all<Record<string, unknown>>(sql`select * from ${raw(table)}`)),
      );
      expect([table, counts[table], sorted(copied ?? [])]).toEqual([table, here?.length, sorted(here ?? [])]);
      expect(here?.length, table).toBeGreaterThan(0);
    }
    expect(counts.order_search).toBe(counts.orders);
  });

  test('gives the same responses, to the same keys, sessions, cursors and repeated requests', async () => {
    const { service, embedded, url, copy, demo } = await installation();
    const access = await demo();
    const visitor = browser(service);
    await visitor.signIn(access.email, access.password);
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const order = { items: [{ sku: 'COF-01', quantity: 1 }] };
    const created = await service.post('/api/v1/orders', order, access.apiKey, headers);
    const page = await service.get('/api/v1/orders?order=updatedAt:asc&limit=7', access.apiKey);
    // Lets the last uses of key and session be written.
    await service.get('/api/v1/credentials', access.apiKey);
    await service.db.transaction(async () => {});
    const before = await everyRead(service, access.storeId, access.apiKey, visitor);
    await copy();

    const moved = await startService({
      database: { DATA_DIR: embedded.DATA_DIR, DATABASE_URL: url, drop: async () => {} },
    });
    moved.clock.now = service.clock.now;
    const same = browser(moved);
    for (const [name, value] of visitor.jar) same.jar.set(name, value);
    const after = await everyRead(moved, access.storeId, access.apiKey, same);
    expect(
      Object.entries(before)
        .filter(([, { status }]) => status !== 200)
        .map(([path]) => path),
    ).toEqual([]);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [path, reply] of Object.entries(before)) expect([path, after[path]]).toEqual([path, reply]);

    const repeated = await moved.post('/api/v1/orders', order, access.apiKey, headers);
    expect([repeated.status, repeated.text]).toEqual([created.status, created.text]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    const next = `/api/v1/orders?order=updatedAt:asc&limit=7&cursor=${page.body.page.nextCursor}`;
    expect((await moved.get(next, access.apiKey)).text).toBe((await service.get(next, access.apiKey)).text);
    moved.clock.now += MINUTE;
    const edit = await moved.patch(`/api/v1/orders/${created.body.data.id}`, { status: 'packing' }, access.apiKey, {
      'if-match': created.headers.get('etag') as string,
    });
    expect(edit.status).toBe(200);
  });

  test('replaces an earlier copy of the same installation, until a program has used it', async () => {
    const { service, copy, target } = await installation();
    const { storeId, key } = await service.shop();
    await copy();
    await service.post('/api/v1/references/warehouses', { name: 'Later' }, key);
    await expect(copy(true, ['another'])).rejects.toThrow('not empty');
    expect((await copy()).warehouses).toBe(1);
    const there = target();
    expect(await there.all(sql`select name from warehouses where store_id = ${storeId}`)).toEqual([{ name: 'Later' }]);
    await migrate(there);
    await expect(copy()).rejects.toThrow('not empty');
  });

  test('is refused by a database that holds anything else', async () => {
    const { copy, target } = await installation();
    const there = target();
    await there.script((exec) => exec('create table notes (id bigint)'));
    await expect(copy()).rejects.toThrow('it has the table notes');
    await there.script((exec) => exec('drop table notes'));
    await migrate(there);
    await there.run(sql`insert into owners (id, email, email_key, name, password_hash, created_at)
                        values (${randomUUID()}, 'a', 'a', 'a', 'a', 1)`);
    await expect(copy()).rejects.toThrow('it has the table owners');
  });

  test('fails, and changes nothing, when rows do not arrive or a table is unknown', async () => {
    const { service, embedded, copy, target } = await installation();
    await service.shop();
    const there = target();
    await migrate(there);
    await there.script((exec) =>
      exec(`create function shorten() returns trigger language plpgsql as $$ begin new.name := ''; return new; end $$;
            create trigger shorten before insert on stores for each row execute function shorten()`),
    );
    await expect(copy(false)).rejects.toThrow('The copy of stores differs in name.');
    await there.script((exec) => exec('drop trigger shorten on stores'));
    const file = new Sqlite(databaseFile(embedded.DATA_DIR));
    file.exec('alter table shops add column mood text; create table surprises (id integer) strict');
    await expect(copy(false)).rejects.toThrow('differ in surprises.id, shops.mood');
    file.exec('drop table surprises; alter table shops drop column mood');
    file.close();
    expect(await there.all(sql`select id from stores`)).toEqual([]);
    await service.shop();
    expect((await copy(false)).stores).toBe(2);
    await expect(service.shop()).rejects.toThrow('has moved to');
    await expect(copy(false)).rejects.toThrow('has moved to');
  });
});

test('an address is shown without its password and parameters', () => {
  expect(locationOf('postgres://anna:secret@db.example:5433/shop?sslmode=require&password=x')).toBe(
    'postgres://anna@db.example:5433/shop',
  );
  expect(locationOf('postgres://db.example/shop')).toBe('postgres://db.example/shop');
});
