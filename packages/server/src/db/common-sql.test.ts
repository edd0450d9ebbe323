import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engine, isCitus, testDatabase } from '../../test/database.ts';
import type { Database } from './database.ts';
import { migrate } from './migrations/migrate.ts';
import { openDatabase } from './open.ts';
import { sql } from './sql.ts';

/**
 * Keeps the SQL usable on Citus, YugabyteDB and CockroachDB: only features that they have, and every statement within
 * one store or owner, except those listed here. What Citus cannot route to one server fails here, without a cluster. See
 * docs/scaling.md.
 */

/** Tables whose keys do not begin with a store or an owner, and why. */
const globalTables: Record<string, string> = {
  owners: 'is the owner',
  stores: 'is the store; its owner is in the row',
  sessions: 'found by a token, before the owner is known',
  schema_migrations: 'belongs to the database',
  secret_keys: 'belongs to the installation',
  nodes: 'the running processes',
  order_search_idx: 'internal table of FTS5, on SQLite only',
  order_search_config: 'internal table of FTS5, on SQLite only',
  shops: 'found by its address, before the store is known',
};

/** Statements that read several stores, and why. */
const acrossStores: Record<string, string> = {
  'keys/keys.queries.ts findByHash': 'the store of a request is known only from its key',
  'keys/keys.queries.ts find': 'the command line names a key by its id alone',
  'promo/promo.queries.ts findAnywhere': 'the command line names a promo code by its id alone',
  'customers/erase.queries.ts findStore': 'the command line names a customer by its id alone',
  'webhooks/endpoints/endpoints.queries.ts findDelivery': 'the command line names a delivery by its id alone',
  'webhooks/dispatch/queue.queries.ts waitingStatement': 'a dispatcher serves every store of its database',
  'webhooks/dispatch/queue.queries.ts waitingOnShards': 'the same in a distributed database',
  'webhooks/dispatch/queue.queries.ts nextScheduledStatement': 'a dispatcher serves every store of its database',
  'webhooks/dispatch/queue.queries.ts scheduledStatement': 'a dispatcher serves every store of its database',
  'webhooks/dispatch/queue.queries.ts queueDepth': 'a metric of the whole database',
  'accounts/accounts.queries.ts rolesOf': 'a process asks for the roles of all people with an open stream',
  'live/live.queries.ts clocksOf': 'a process reads the change numbers of all stores that are open in a browser',
  'orders/orders.queries.ts json': 'its common table expressions have rows of the store only',
  'orders/sales/sales.queries.ts largeStores': 'a starting process prepares the sales figures of all large stores',
  'webhooks/endpoints/switch-off.queries.ts stoppingAnywhere':
    'disabling an endpoint is resumed in any store after a crash',
  'webhooks/endpoints/delete-endpoint.queries.ts deletedAnywhere':
    'deleting an endpoint is resumed in any store after a crash',
  'keys/expiry-mails.queries.ts storesWithExpiring': 'a mailer looks for keys of all stores that expire soon',
  'members/order-mails.queries.ts waiting': 'a mailer serves the members of all stores',
  'webhooks/endpoints/endpoint-mails.queries.ts failingSince': 'a mailer looks for failing endpoints of all stores',
  'mail/outbox.queries.ts countToRecipient': 'a mailbox is protected from all stores together',
  'mail/dead-mails.queries.ts listDead': 'the operator sees the failed mails of all stores',
  'mail/dead-mails.queries.ts retryDead': 'the command line names a mail by its id alone',
  'mail/queue.queries.ts nextStore': 'a mailer serves every store of its database',
  'mail/queue.queries.ts count': 'a metric of the whole database',
  'stock/stock.queries.ts quantityRows': 'its rows name their store',
  'webhooks/log/prune.queries.ts deleteFigures': 'old figures of all stores are deleted together',
};

const OWNED = '(?:store|owner|scope)_id';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))
  .filter(({ name, text }) => name.startsWith('db/') || text.includes('sql`'));

/** Each function of the *.queries.ts files, by file and name. */
const functions = files
  .filter(({ name }) => name.endsWith('.queries.ts'))
  .flatMap(({ name, text }) =>
    text.split(/^(?=(?:export )?(?:async )?(?:const|function) )/m).map((body) => ({
      name: `${name} ${/^(?:export )?(?:async )?(?:const|function) (\w+)/.exec(body)?.[1]}`,
      body,
    })),
  );

test('no statement uses a feature that only PostgreSQL has', () => {
  const foreign =
    /advisory|\b(?:listen|notify) [a-z]|gen_random_uuid|create (?:or replace )?(?:trigger|function|procedure|rule|sequence|extension|temp)|\b(?:big|small)?serial\b|generated (?:always|by default) as identity|deferrable|exclude using|lock table|\bctid\b|\bxmin\b|tablesample|merge into|listagg|inherits \(/i;
  const found = files
    .filter(({ text }) => foreign.test(text))
    .map(({ name, text }) => `${name}: ${foreign.exec(text)}`);
  expect(found).toEqual([]);
});

test('every statement names its store or owner, with listed exceptions', () => {
  const readsTable = /\b(?:from|join|into|update)\s+(?:\$\{raw|[a-z_]+)/;
  const tables = /\b(?:from|join|into|update)\s+(\$\{raw|[a-z_]+)/g;
  const pinned = new RegExp(
    `${OWNED} = \\$\\{|\\bat\\('|atStore(?:Of)?\\(|\\.id = \\$\\{storeId\\}|insert into [^(]+\\(\\s*${OWNED}|\\b\\w\\.${OWNED} = t\\.${OWNED}`,
  );
  const unpinned = functions.filter(({ body }) => {
    if (!body.includes('sql`') || !readsTable.test(body) || pinned.test(body)) return false;
    return [...body.matchAll(tables)].some(([, table]) => table && !(table in globalTables));
  });
  expect(unpinned.map(({ name }) => name).sort()).toEqual(Object.keys(acrossStores).sort());
});

/** The statements of a function, with what is inserted into them. */
const statementsOf = (body: string) => body.split('sql`').slice(1);

test('rows are inserted from values without subqueries, or from a select', () => {
  const found = functions.filter(({ body }) =>
    statementsOf(body).some((text) => /^insert[^`]*values \([^`]*\(select/.test(text)),
  );
  expect(found.map(({ name }) => name).filter((name) => !name.endsWith('termRows'))).toEqual([]);
});

test('rows of several stores are not locked by one statement', () => {
  const locking = /dialect\.(?:skipLocked\}|for(?:Update|Share|NoKeyUpdate|KeyShareOf))/;
  const found = functions.filter(({ name, body }) => name in acrossStores && locking.test(body));
  expect(found.map(({ name }) => name)).toEqual([]);
});

/** On every server of a cluster: see postgres/distribute.ts. */
const everywhere = new Set([...Object.keys(globalTables), 'api_keys']);

test('a left join names the store, which Citus does not conclude from the other table', () => {
  const found = functions.flatMap(({ name, body }) =>
    [...body.matchAll(/left join ([a-z_]+) \w+ on ([^\n]*)/g)].flatMap(([text, table = '', condition = '']) =>
      everywhere.has(table) || name in acrossStores || /_id = \$\{/.test(condition) ? [] : [`${name}: ${text}`],
    ),
  );
  expect(found).toEqual([]);
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
  const database = await testDatabase();
  let db: Database;
  beforeAll(async () => {
    db = openDatabase({ databaseUrl: database.DATABASE_URL, dataDir: database.DATA_DIR });
    await migrate(db);
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  /** The first column of every unique index, primary keys included. */
  const uniqueIndexes = () =>
    db.all<{ name: string; first: string }>(
      engine === 'sqlite'
        ? sql`select m.name, c.name as first from sqlite_master m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
              where m.type = 'table' and i."unique" and c.seqno = 0`
        : sql`select c.relname as name, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid
              join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
              where i.indisunique and c.relnamespace = current_schema()::regnamespace`,
    );

  test('begins every key with the store or the owner, with listed exceptions', async () => {
    const indexes = await uniqueIndexes();
    expect(indexes.length).toBeGreaterThan(20);
    const others = indexes.filter(({ first }) => !new RegExp(`^${OWNED}$`).test(first)).map(({ name }) => name);
    expect([...new Set(others)].filter((name) => !(name in globalTables))).toEqual([]);
  });

  test.runIf(engine === 'postgres' && !isCitus)('consists of tables and indexes only', async () => {
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
