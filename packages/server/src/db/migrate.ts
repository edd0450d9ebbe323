import type { Database, Queryable } from './database.ts';
import type { Dialect } from './dialect.ts';
import { initial } from './migrations/001-initial.ts';
import { webhookCare } from './migrations/002-webhook-care.ts';
import { history } from './migrations/003-history.ts';
import { stampedDocuments } from './migrations/004-stamped-documents.ts';
import { unfinishedChanges } from './migrations/005-unfinished-changes.ts';
import { salesDays } from './migrations/006-sales-days.ts';
import { cheaperDeliveries } from './migrations/007-cheaper-deliveries.ts';
import { queueOfEndpoint } from './migrations/008-queue-of-endpoint.ts';
import { endpointSwitching } from './migrations/011-endpoint-switching.ts';
import { sql } from './sql.ts';

export interface Migration {
  name: string;
  statements(dialect: Dialect): string[];
}

/** In order, for ever: a migration that has been released is never changed or removed. */
const migrations: readonly Migration[] = [
  initial,
  webhookCare,
  history,
  stampedDocuments,
  unfinishedChanges,
  salesDays,
  cheaperDeliveries,
  queueOfEndpoint,
  endpointSwitching,
];

export const SCHEMA_VERSION = migrations.length;

export class SchemaTooNew extends Error {
  override name = 'SchemaTooNew';
}

/**
 * Brings the schema up and returns what was applied. Any number of nodes may call it at once: the first
 * holds its turn until its transaction ends, the others find nothing left to do.
 */
export async function migrate(db: Database): Promise<string[]> {
  const applied: string[] = [];
  await ensureTable(db);
  await db.script(async (exec, tx) => {
    if (db.dialect.engine === 'postgres') await waitInTurn(tx);
    const version = await versionOf(tx);
    refuseNewer(version);
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      for (const statement of migration.statements(db.dialect)) await exec(statement);
      await tx.run(
        sql`insert into schema_migrations (version, name, applied_at) values (${index + 1}, ${migration.name}, ${Date.now()})`,
      );
      applied.push(migration.name);
    }
  });
  return applied;
}

/** The version of the database; 0 before the first migration. */
export async function versionOf(db: Queryable): Promise<number> {
  const row = await db.one<{ version: number }>(
    sql`select coalesce(max(version), 0) as version from schema_migrations`,
  );
  return Number(row?.version ?? 0);
}

export function refuseNewer(version: number) {
  if (version > SCHEMA_VERSION)
    throw new SchemaTooNew(
      `the database has schema version ${version}, but this program knows only up to ${SCHEMA_VERSION}: upgrade the program`,
    );
}

/**
 * Whoever comes second waits here until the first has committed. A row and not the table is held: not every cluster
 * that speaks PostgreSQL can lock a table.
 */
async function waitInTurn(tx: Queryable) {
  await tx.run(
    sql`insert into schema_migrations (version, name, applied_at) values (0, 'turn', 0)
        on conflict (version) do update set name = excluded.name`,
  );
  await tx.run(sql`delete from schema_migrations where version = 0`);
}

async function ensureTable(db: Database) {
  const { integer, instant, text } = db.dialect.types;
  const statement = `create table if not exists schema_migrations
    (version ${integer} primary key, name ${text} not null, applied_at ${instant} not null)`;
  for (let attempt = 1; ; attempt++) {
    try {
      await db.script((exec) => exec(statement));
      return;
    } catch (error) {
      // PostgreSQL lets two sessions pass "if not exists" at once; the slower of them fails on a catalog index.
      const code = (error as { code?: string }).code;
      if (attempt === 5 || (code !== '23505' && code !== '42P07')) throw error;
    }
  }
}
