import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { checkDatabase } from './sound.ts';

/** The environment variables of a test's database. */
export interface TestDatabase {
  DATA_DIR: string;
  DATABASE_URL?: string;
  /** Set where its promises were checked, or are broken on purpose; otherwise `drop` checks them. */
  isChecked?: boolean;
  /** Kinds of problems that the test makes on purpose. */
  damages?: readonly string[];
  drop(): Promise<void>;
}

export const engine = process.env.TEST_DATABASE_URL ? 'postgres' : 'sqlite';

/** TEST_DATABASE_URL names the coordinator of a Citus cluster. */
export const isCitus = process.env.TEST_CITUS === '1';

/** A new empty database: a file, or with TEST_DATABASE_URL a database on that server. */
export const testDatabase = () => createDatabase('template1');

/** The same; on PostgreSQL it may have the tables already, which saves the time of the migrations. */
export const migratedDatabase = () => createDatabase(process.env.TEST_TEMPLATE_DATABASE ?? 'template1');

async function createDatabase(template: string): Promise<TestDatabase> {
  const dir = mkdtempSync(join(tmpdir(), 'store-sales-'));
  const removeDir = async () => rmSync(dir, { recursive: true, force: true });
  const server = process.env.TEST_DATABASE_URL;
  const checked = async (database: TestDatabase) => {
    if (!database.isChecked) await checkDatabase(database, database.damages);
    database.isChecked = true;
  };
  if (!server) {
    const database: TestDatabase = {
      DATA_DIR: dir,
      drop: () => checked(database).finally(removeDir),
    };
    return database;
  }

  const name = `store_sales_test_${randomBytes(6).toString('hex')}`;
  const nodes = isCitus ? await clusterNodes(server) : [server];
  for (const node of nodes) await onServer(node, `create database ${name} template ${template}`);
  const urls = nodes.map((node) => withName(node, name));
  if (isCitus && template === 'template1') await createCluster(urls);
  const remove = async () => {
    for (const node of nodes) await onServer(node, `drop database if exists ${name} with (force)`);
    await removeDir();
  };
  const database: TestDatabase = {
    DATA_DIR: dir,
    DATABASE_URL: urls[0] as string,
    drop: () => checked(database).finally(remove),
  };
  return database;
}

function withName(server: string, name: string) {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on a server; returns the rows of the last one. */
async function onServer<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

interface Node {
  nodename: string;
  nodeport: number;
}

/** The addresses of the coordinator, first, and of the workers. */
async function clusterNodes(coordinator: string): Promise<string[]> {
  const nodes = await onServer<Node>(
    coordinator,
    'select nodename, nodeport from pg_dist_node where groupid <> 0 order by groupid',
  );
  return [coordinator, ...nodes.map((node) => withHost(coordinator, node))];
}

function withHost(server: string, { nodename, nodeport }: Node) {
  const url = new URL(server);
  url.hostname = nodename;
  url.port = String(nodeport);
  return url.href;
}

/** Databases of one name on several servers become a cluster. */
async function createCluster([coordinator = '', ...workers]: string[]) {
  for (const url of [coordinator, ...workers]) await onServer(url, 'create extension citus');
  const of = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`;
  await onServer(
    coordinator,
    `select citus_set_coordinator_host(${of(coordinator)})`,
    ...workers.map((url) => `select citus_add_node(${of(url)})`),
  );
}

/** Nothing may be connected to a database that is copied; on Citus, a process of the server is. */
export async function makeTemplate(databaseUrl: string) {
  if (!isCitus) return;
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const node of await clusterNodes(process.env.TEST_DATABASE_URL as string))
    await onServer(
      node,
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    );
}
