import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** The environment variables of a test's database. */
export interface TestDatabase {
  DATA_DIR: string;
  DATABASE_URL?: string;
  drop(): Promise<void>;
}

export const engine = process.env.TEST_DATABASE_URL ? 'postgres' : 'sqlite';

/** A new empty database: a file, or with TEST_DATABASE_URL a database on that server. */
export const testDatabase = () => createDatabase('template1');

/** The same; on PostgreSQL it may have the tables already, which saves the time of the migrations. */
export const migratedDatabase = () => createDatabase(process.env.TEST_TEMPLATE_DATABASE ?? 'template1');

async function createDatabase(template: string): Promise<TestDatabase> {
  const dir = mkdtempSync(join(tmpdir(), 'store-sales-'));
  const removeDir = async () => rmSync(dir, { recursive: true, force: true });
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return { DATA_DIR: dir, drop: removeDir };

  const name = `store_sales_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    DATA_DIR: dir,
    DATABASE_URL: url.href,
    async drop() {
      await onServer(server, `drop database if exists ${name} with (force)`);
      await removeDir();
    },
  };
}

async function onServer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
