import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engine, testDatabase } from '../../test/database.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import { sql } from './sql.ts';

/**
 * What keeps the way beyond one PostgreSQL open: only what Citus, YugabyteDB and CockroachDB have too, and every
 * statement within one store or owner, but for those named here. docs/scaling.md tells what follows from them.
 */

/** Tables that do not begin with a store or an owner, and why. */
const globalTables: Record<string, string> = {
  owners: 'is the owner',
  stores: 'is the store; its owner is in the row',
  sessions: 'found by a token, before the owner is known',
  schema_migrations: 'of the database, not of anyone in it',
  secret_keys: 'of the installation, not of anyone in it',
  nodes: 'the running programs of the database',
};

/** Statements that look across stores, and why. */
const acrossStores: Record<string, string> = {
  'keys/keys.queries.ts findByHash': 'a request tells its store only by its key',
  'keys/keys.queries.ts find': 'the command line names a key by its id alone',
  'webhooks/endpoints/endpoints.queries.ts find': 'the command line names an endpoint by its id alone',
  'webhooks/endpoints/endpoints.queries.ts findDelivery': 'the command line names a delivery by its id alone',
  'webhooks/dispatch/queue.queries.ts waitingStatement': 'a dispatcher serves every store of its database',
  'webhooks/dispatch/queue.queries.ts queueDepth': 'a figure of the whole database',
  'references/unfinished.queries.ts unfinished': 'a starting process finishes what was begun for any store',
  'orders/sales.queries.ts largeStores': 'a starting process sums up whatever takes long, whosever it is',
  'webhooks/endpoints/switch-off.queries.ts stoppingAnywhere':
    'a switch-off that was cut short is finished, whosever it is',
  'webhooks/log/prune.queries.ts deleteFigures': 'old figures go, whosever they are, as old deliveries do',
};

const OWNED = '(?:store|owner|scope)_id';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))
  .filter(({ name, text }) => name.startsWith('db/') || text.includes('sql`'));

/** Each function of the files that speak SQL, by file and name. */
const functions = files
  .filter(({ name }) => name.endsWith('.queries.ts'))
  .flatMap(({ name, text }) =>
    text.split(/^(?=(?:export )?(?:async )?(?:const|function) )/m).map((body) => ({
      name: `${name} ${/^(?:export )?(?:async )?(?:const|function) (\w+)/.exec(body)?.[1]}`,
      body,
    })),
  );

test('no statement uses what only PostgreSQL has', () => {
  const foreign =
    /advisory|\b(?:listen|notify) [a-z]|create (?:or replace )?(?:trigger|function|procedure|rule|sequence|extension|temp)|\b(?:big|small)?serial\b|generated (?:always|by default) as identity|deferrable|exclude using|lock table|\bctid\b|\bxmin\b|tablesample|merge into|listagg|inherits \(/i;
  const found = files
    .filter(({ text }) => foreign.test(text))
    .map(({ name, text }) => `${name}: ${foreign.exec(text)}`);
  expect(found).toEqual([]);
});

test('every statement names its store or owner, but for those that cannot', () => {
  const speaks = /\b(?:from|join|into|update)\s+(?:\$\{raw|[a-z_]+)/;
  const tables = /\b(?:from|join|into|update)\s+(\$\{raw|[a-z_]+)/g;
  const pinned = new RegExp(
    `${OWNED} = \\$\\{|x\\.${OWNED}|\\.id = \\$\\{storeId\\}|insert into [^(]+\\(\\s*${OWNED}|conditions\\(place|\\b\\w\\.${OWNED} = t\\.${OWNED}`,
  );
  const unpinned = functions.filter(({ body }) => {
    if (!body.includes('sql`') || !speaks.test(body) || pinned.test(body)) return false;
    return [...body.matchAll(tables)].some(([, table]) => table && !(table in globalTables));
  });
  expect(unpinned.map(({ name }) => name).sort()).toEqual(Object.keys(acrossStores).sort());
});

test('joins stay within a store or an owner', () => {
  const joined = /\bjoin ([a-z_]+) (\w+) on ([^\n]*)/g;
  const loose = functions.flatMap(({ name, body }) =>
    [...body.matchAll(joined)].flatMap(([text, table = '', , condition = '']) =>
      table in globalTables || new RegExp(OWNED).test(condition) ? [] : [`${name}: ${text}`],
    ),
  );
  expect(loose).toEqual([]);
});

describe('the schema', async () => {
  const place = await testDatabase();
  let db: Database;
  beforeAll(async () => {
    db = openDatabase({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
    await migrate(db);
  });
  afterAll(async () => {
    await db.close();
    await place.drop();
  });

  /** The first column of every index that must be unique, primary keys among them. */
  const uniqueIndexes = () =>
    db.all<{ name: string; first: string }>(
      engine === 'sqlite'
        ? sql`select m.name, c.name as first from sqlite_master m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
              where m.type = 'table' and i."unique" and c.seqno = 0`
        : sql`select c.relname as name, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid
              join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
              where i.indisunique and c.relnamespace = current_schema()::regnamespace`,
    );

  test('begins every key with the store or the owner, but for the tables that cannot', async () => {
    const indexes = await uniqueIndexes();
    expect(indexes.length).toBeGreaterThan(20);
    const others = indexes.filter(({ first }) => !new RegExp(`^${OWNED}$`).test(first)).map(({ name }) => name);
    expect([...new Set(others)].filter((name) => !(name in globalTables))).toEqual([]);
  });

  test.runIf(engine === 'postgres')('is tables and indexes, and nothing else', async () => {
    const mine = sql`current_schema()::regnamespace`;
    expect(
      await db.all(
        sql`select relname, relkind from pg_class where relnamespace = ${mine} and relkind not in ('r', 'i')`,
      ),
    ).toEqual([]);
    expect(await db.all(sql`select proname from pg_proc where pronamespace = ${mine}`)).toEqual([]);
    expect(await db.all(sql`select tgname from pg_trigger where not tgisinternal`)).toEqual([]);
    expect(await db.all(sql`select conname from pg_constraint where condeferrable or contype = 'x'`)).toEqual([]);
  });
});
