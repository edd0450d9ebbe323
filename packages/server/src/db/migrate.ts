import { setTimeout as sleep } from 'node:timers/promises';
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
import { secretKeys } from './migrations/009-secret-keys.ts';
import { nodesAndRepairs } from './migrations/010-nodes-and-repairs.ts';
import { endpointSwitching } from './migrations/011-endpoint-switching.ts';
import { phoneKeys } from './migrations/012-phone-keys.ts';
import { aliveNodesBelow, type Node, saveNode } from './nodes.ts';
import { all, empty, join, raw, sql } from './sql.ts';

interface Described {
  name: string;
  /**
   * Programs of the schema version before it do not work with the result; it runs only when none of them is alive.
   * Counts from migration 010 on, which creates the table of nodes. Left out: they do (the migration is additive).
   */
  isBreaking?: boolean;
}

/** Runs in one transaction. */
interface StatementMigration extends Described {
  statements(dialect: Dialect): string[];
}

/** Changes the rows of a large table in batches along its primary key, each batch in a transaction of its own. */
interface BatchMigration extends Described {
  batch(dialect: Dialect): {
    table: string;
    primaryKey: string[];
    /** Assignments of the update. */
    set: string;
    /** True for rows that are not changed yet, so that an interrupted migration can start again from the beginning. */
    isPending: string;
  };
}

export type Migration = StatementMigration | BatchMigration;

/** In order, for ever: a migration that has been released is never changed or removed. */
export const released: readonly Migration[] = [
  initial,
  webhookCare,
  history,
  stampedDocuments,
  unfinishedChanges,
  salesDays,
  cheaperDeliveries,
  queueOfEndpoint,
  secretKeys,
  nodesAndRepairs,
  endpointSwitching,
  phoneKeys,
];

export const SCHEMA_VERSION = released.length;

/** The first schema version with a table of nodes. */
const NODES_VERSION = released.indexOf(nodesAndRepairs) + 1;

/** At about 60 µs a row, other writers wait no longer than about 100 ms for a batch. */
const BATCH_SIZE = 2000;
/** The embedded engine has one writer; others retry every 16 ms or sooner and get it in this pause. */
const BATCH_PAUSE_MS = 20;
const PROGRESS_MS = 3000;

export class SchemaTooNew extends Error {
  override name = 'SchemaTooNew';
}

export class OlderNodesAlive extends Error {
  override name = 'OlderNodesAlive';
}

export interface MigrateOptions {
  /** A test passes its own. */
  migrations?: readonly Migration[];
  /** Recorded as running in the transaction that checks the schema, so that no breaking migration can start in between. */
  node?: Node | undefined;
  batchSize?: number;
  /** Called every few seconds while a large table is changed. */
  onProgress?: (progress: { migration: string; rows: number }) => void;
}

/**
 * Applies the missing migrations and returns their names. Any number of processes may call it at once: each step
 * (a migration, or one batch of it) runs under a lock and finds out first what is left to do.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = released, node } = options;
  const applied: string[] = [];
  await ensureTable(db);
  for (let isDone = false; !isDone; ) {
    const next = await locked(db, async (exec, tx) => {
      const schema = await schemaOf(tx);
      refuseNewer(schema, migrations.length);
      const migration = migrations[schema.version];
      const version = schema.version + 1;
      if (!migration) {
        isDone = true;
        if (node) await saveNode(tx, node);
        return undefined;
      }
      if (migration.isBreaking) await refuseOlderNodes(tx, migration, version);
      if ('batch' in migration) {
        // From the first batch on: older programs must not start on what is half done.
        if (migration.isBreaking)
          await tx.run(sql`update schema_migrations set lowest_version = ${version} where version = ${schema.version}`);
        return { migration, version };
      }
      for (const statement of migration.statements(db.dialect)) await exec(statement);
      await record(tx, migration, version);
      applied.push(migration.name);
      return undefined;
    });
    if (next && (await runBatches(db, next.migration, next.version, options))) applied.push(next.migration.name);
  }
  return applied;
}

/** Returns whether this process was the one that finished it. */
async function runBatches(
  db: Database,
  migration: BatchMigration,
  version: number,
  { batchSize = BATCH_SIZE, onProgress }: MigrateOptions,
): Promise<boolean> {
  const { table, primaryKey, set, isPending } = migration.batch(db.dialect);
  const [rows, key] = [raw(table), raw(primaryKey.join(', '))];
  const isSame = all(primaryKey.map((column) => raw(`${table}.${column} = x.${column}`)));
  let position: readonly unknown[] | undefined;
  let changed = 0;
  let reportedAt = performance.now();
  for (;;) {
    const outcome = await locked(db, async (_, tx) => {
      if ((await versionOf(tx)) >= version) return 'finished by another process';
      const values = join(
        (position ?? []).map((value) => sql`${value}`),
        ', ',
      );
      const next = sql`select ${key} from ${rows} ${position ? sql`where (${key}) > (${values})` : empty} order by ${key}`;
      const last = await tx.one<Record<string, unknown>>(sql`${next} limit 1 offset ${batchSize - 1}`);
      // Keys and not a range: SQLite searches a range of two columns by the first of them only.
      changed += await tx.run(
        sql`update ${rows} set ${raw(set)} from (${next} limit ${batchSize}) x where ${isSame} and ${raw(isPending)}`,
      );
      position = last && primaryKey.map((column) => last[column]);
      if (position) return 'more';
      await record(tx, migration, version);
      return 'finished';
    });
    if (outcome !== 'more') return outcome === 'finished';
    if (onProgress && performance.now() - reportedAt > PROGRESS_MS) {
      reportedAt = performance.now();
      onProgress({ migration: migration.name, rows: changed });
    }
    if (db.dialect.engine === 'sqlite') await sleep(BATCH_PAUSE_MS);
  }
}

/** An absent `lowest_version` means that older programs work with it. */
const record = (tx: Queryable, { name, isBreaking }: Migration, version: number) =>
  tx.run(
    sql`insert into schema_migrations (version, name, applied_at, lowest_version)
        values (${version}, ${name}, ${Date.now()}, ${isBreaking ? version : null})`,
  );

/** The version of the database; 0 before the first migration. */
export const versionOf = async (db: Queryable): Promise<number> => (await schemaOf(db)).version;

export interface Schema {
  version: number;
  /** Programs of an older schema version do not work with the database. */
  lowest: number;
}

export async function schemaOf(db: Queryable): Promise<Schema> {
  const row = await db.one<Schema>(
    sql`select coalesce(max(version), 0) as version, coalesce(max(lowest_version), 0) as lowest from schema_migrations`,
  );
  return { version: Number(row?.version ?? 0), lowest: Number(row?.lowest ?? 0) };
}

/** A newer schema is accepted as long as every migration this program does not know is additive. */
export function refuseNewer({ version, lowest }: Schema, known = SCHEMA_VERSION) {
  if (lowest > known)
    throw new SchemaTooNew(
      `the database has schema version ${version}, which needs a program of schema version ${lowest} or later; this one has ${known}: upgrade the program`,
    );
}

async function refuseOlderNodes(tx: Queryable, { name }: Migration, version: number) {
  if (version <= NODES_VERSION) return;
  const nodes = await aliveNodesBelow(tx, version);
  if (!nodes.length) return;
  const list = nodes.map(
    ({ id, program_version, schema_version, seen_ms }) =>
      `${id} (program ${program_version}, schema version ${schema_version}, seen ${Math.round(seen_ms / 1000)} s ago)`,
  );
  throw new OlderNodesAlive(
    `migration ${name} (schema version ${version}) does not work with older programs, and these are running: ${list.join(', ')}. Stop them, then start again; one that was killed counts as running for 30 s.`,
  );
}

/** Runs work that no other process runs at the same time, in one transaction. */
async function locked<Result>(
  db: Database,
  work: (exec: (text: string) => Promise<void>, tx: Queryable) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined;
  await db.script(async (exec, tx) => {
    if (db.dialect.engine === 'postgres') await lockRow(tx);
    result = await work(exec, tx);
  });
  return result as Result;
}

/** The second process waits here until the first has committed. A row is locked because not every cluster can lock a table. */
async function lockRow(tx: Queryable) {
  await tx.run(
    sql`insert into schema_migrations (version, name, applied_at) values (0, 'turn', 0)
        on conflict (version) do update set name = excluded.name`,
  );
  await tx.run(sql`delete from schema_migrations where version = 0`);
}

/** Outside of the lock: a change of the table waits for everybody who waits for its row. */
async function ensureTable(db: Database) {
  const { integer, instant, text } = db.dialect.types;
  // lowest_version: the lowest schema version of a program that works with the migration; absent where any does.
  await once(
    db,
    `create table if not exists schema_migrations
       (version ${integer} primary key, name ${text} not null, applied_at ${instant} not null, lowest_version ${integer})`,
  );
  const columns = await db.all<{ name: string }>(
    db.dialect.engine === 'sqlite'
      ? sql`select name from pragma_table_info('schema_migrations')`
      : sql`select column_name as name from information_schema.columns
            where table_name = 'schema_migrations' and table_schema = current_schema()`,
  );
  if (!columns.some(({ name }) => name === 'lowest_version'))
    await once(db, `alter table schema_migrations add column lowest_version ${integer}`);
}

/** Runs a statement that another process may run at the same moment. */
async function once(db: Database, statement: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.script((exec) => exec(statement));
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === '42701' || message.includes('duplicate column')) return;
      // PostgreSQL lets two sessions pass "if not exists" at once; the slower of them fails on a catalog index.
      if (attempt === 5 || (code !== '23505' && code !== '42P07')) throw error;
    }
  }
}
