import { setTimeout as sleep } from 'node:timers/promises';
import { byStore } from '../cluster/by-store.ts';
import type { Database, Queryable } from '../database.ts';
import { aliveNodesBelow, type Node, saveNode } from '../installation/nodes.ts';
import { all, empty, join, raw, type Sql, sql } from '../sql.ts';
import { MOVED_VERSION } from '../sqlite/moving.ts';
import { initial } from './001-initial.ts';
import { columnTypes, type Engine } from './column-types.ts';

interface MigrationInfo {
  name: string;
  /**
   * Programs of older schema versions do not work with the result, so it runs only when none of them is running. A
   * migration without it is additive.
   */
  isBreaking?: boolean;
}

/** Runs in one transaction. */
interface StatementMigration extends MigrationInfo {
  statements(engine: Engine): string[];
}

/** Changes the rows of a large table in batches by primary key, each in its own transaction. */
interface BatchMigration extends MigrationInfo {
  batch(engine: Engine): {
    table: string;
    /** Columns of UUIDs. */
    primaryKey: string[];
    /** Assignments of the update. */
    set: string;
    /** True for rows that are not changed yet, so that an interrupted migration can restart from the beginning. */
    isPending: string;
  };
}

export type Migration = StatementMigration | BatchMigration;

/** From the first release on, a migration is never changed, moved or removed; what it imports is never changed either. */
export const released: readonly Migration[] = [initial];

export const SCHEMA_VERSION = released.length;

/** A row of `schema_migrations` with this version is not a migration. It marks a copy: see copy-to-postgres.ts. */
export const COPY_MARK = -1;

export const setMark = (db: Queryable, mark: number) =>
  db.run(
    sql`insert into schema_migrations (version, name, applied_at) values (${mark}, 'mark', ${Date.now()})
        on conflict (version) do nothing`,
  );

/** At about 60 µs per row, a batch delays other writers by about 100 ms at most. */
const BATCH_SIZE = 2000;
/** SQLite has a single writer. Other processes retry at least every 16 ms, so they get the lock in this pause. */
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
  /** Saved as running in the transaction that checks the schema, so that no breaking migration can start in between. */
  node?: Node | undefined;
  batchSize?: number;
  /** For `copy`, which alone leaves the mark of a copy that no program has used yet. */
  keepsCopyMark?: boolean;
  /** Called every few seconds while a large table is changed. */
  onProgress?: (progress: { migration: string; rows: number }) => void;
}

/**
 * Applies the missing migrations and returns their names. Any number of processes may call it at the same time: each
 * step (a migration, or one batch of it) takes a lock and then reads what is left to do.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = released, node, keepsCopyMark } = options;
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
        if (!keepsCopyMark) await tx.run(sql`delete from schema_migrations where version = ${COPY_MARK}`);
        if (node) await saveNode(tx, node);
        return undefined;
      }
      if (migration.isBreaking) await refuseOlderNodes(tx, migration, version);
      if ('batch' in migration) {
        // Set before the first batch: older programs must not start on a half-finished migration.
        if (migration.isBreaking)
          await tx.run(sql`update schema_migrations set lowest_version = ${version} where version = ${schema.version}`);
        return { migration, version };
      }
      for (const statement of migration.statements(db.dialect.engine)) await exec(statement);
      await record(tx, migration, version);
      applied.push(migration.name);
      return undefined;
    });
    if (next && (await runBatches(db, next.migration, next.version, options))) applied.push(next.migration.name);
  }
  return applied;
}

/** Returns whether this process finished it. */
async function runBatches(
  db: Database,
  migration: BatchMigration,
  version: number,
  { batchSize = BATCH_SIZE, onProgress }: MigrateOptions,
): Promise<boolean> {
  const { table, primaryKey, set, isPending } = migration.batch(db.dialect.engine);
  const [rows, key] = [raw(table), raw(primaryKey.join(', '))];
  const uuids = Object.fromEntries(primaryKey.map((column) => [column, 'uuid' as const]));
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
      // Keys instead of a range, because SQLite uses only the first column of a row-value range.
      const update = (keys: Sql, there = empty) =>
        tx.run(sql`update ${rows} set ${raw(set)} from ${keys} where ${isSame} and ${raw(isPending)} ${there}`);
      const batch = sql`${next} limit ${batchSize}`;
      const isOnWorkers = tx.dialect.isDistributed && primaryKey[0] === 'store_id';
      if (!isOnWorkers) changed += await update(sql`(${batch}) x`);
      else
        for (const part of byStore(tx.dialect, await tx.all<{ store_id: string }>(batch)))
          changed += await update(tx.dialect.records('x', uuids, part.rows), part.at(`${table}.store_id`));
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

/** If `lowest_version` is null, older programs work with the migration. */
const record = (tx: Queryable, { name, isBreaking }: Migration, version: number) =>
  tx.run(
    sql`insert into schema_migrations (version, name, applied_at, lowest_version)
        values (${version}, ${name}, ${Date.now()}, ${isBreaking ? version : null})`,
  );

/** The version of the database; 0 before the first migration. */
export const versionOf = async (db: Queryable): Promise<number> => (await schemaOf(db)).version;

export interface Schema {
  version: number;
  /** The lowest schema version of programs that work with the database. */
  lowest: number;
}

export async function schemaOf(db: Queryable): Promise<Schema> {
  const row = await db.one<Schema>(
    sql`select coalesce(max(version), 0) as version, coalesce(max(lowest_version), 0) as lowest from schema_migrations`,
  );
  return { version: Number(row?.version ?? 0), lowest: Number(row?.lowest ?? 0) };
}

/** A newer schema is accepted if every migration that this program does not know is additive. */
export function refuseNewer({ version, lowest }: Schema, known = SCHEMA_VERSION) {
  if (version === MOVED_VERSION)
    throw new SchemaTooNew('this database belongs to an installation that has moved to PostgreSQL');
  if (lowest > known)
    throw new SchemaTooNew(
      `the database has schema version ${version} and needs a program with schema version ${lowest} or later, but this one has ${known}: upgrade the program`,
    );
}

async function refuseOlderNodes(tx: Queryable, { name }: Migration, version: number) {
  const nodes = await aliveNodesBelow(tx, version);
  if (!nodes.length) return;
  const list = nodes.map(
    ({ id, program_version, schema_version, seen_ms }) =>
      `${id} (program ${program_version}, schema version ${schema_version}, seen ${Math.round(seen_ms / 1000)} s ago)`,
  );
  throw new OlderNodesAlive(
    `migration ${name} (schema version ${version}) does not work with older programs, and these are running: ${list.join(', ')}. Stop them, then start again; a killed process counts as running for 30 s.`,
  );
}

/** Runs work in one transaction, in one process at a time. */
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

/** A second process waits here until the first has committed. Locks a row because not every cluster can lock a table. */
export async function lockRow(tx: Queryable) {
  await tx.run(
    sql`insert into schema_migrations (version, name, applied_at) values (0, 'lock', 0)
        on conflict (version) do update set name = excluded.name`,
  );
  await tx.run(sql`delete from schema_migrations where version = 0`);
}

/**
 * On PostgreSQL, two sessions can pass "if not exists" together. The slower one then fails: on a catalog index, because
 * the table exists, or because its row type does.
 */
const ALREADY_CREATED = new Set(['23505', '42P07', '42710']);

async function ensureTable(db: Database) {
  const { integer, instant, text } = columnTypes[db.dialect.engine];
  // lowest_version: the lowest schema version of a program that works with the migration; null if any does.
  const statement = `create table if not exists schema_migrations
    (version ${integer} primary key, name ${text} not null, applied_at ${instant} not null, lowest_version ${integer})`;
  for (let attempt = 1; ; attempt++) {
    try {
      await db.script((exec) => exec(statement));
      return;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (attempt === 5 || !ALREADY_CREATED.has(code)) throw error;
    }
  }
}
