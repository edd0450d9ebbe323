import type { Database, Queryable } from '../database.ts';
import { lockRow } from '../migrations/migrate.ts';
import { sql } from '../sql.ts';
import { REFERENCE_TABLES } from './serialize-reference-writes.ts';

/** Stay on the coordinator: they belong to the installation and are never joined with others. */
const COORDINATOR_TABLES = new Set(['schema_migrations', 'secret_keys', 'nodes']);

/** The others are distributed by `store_id`; the scope of an entry in the history is a store or an account. */
const KEY_COLUMNS: Record<string, string> = { history: 'scope_id', sessions: 'token_hash' };

/** There is no cluster, or a migration has added tables since the others were distributed. */
export class NotDistributed extends Error {
  override name = 'NotDistributed';
}

/**
 * Distributes the tables that are not distributed yet over the workers of a Citus cluster, by store, and returns their
 * names. All in one transaction, after `migrate`. The service must not run meanwhile: its statements would wait.
 */
export async function distribute(db: Database): Promise<string[]> {
  await requireCluster(db);
  let tables: string[] = [];
  await db.script(async (exec, tx) => {
    await lockRow(tx);
    tables = await localTables(tx);
    if (!tables.length) return;
    // A key to a table that is not distributed yet would be refused.
    const foreignKeys = await foreignKeysOf(tx, tables);
    for (const { name, table } of foreignKeys) await exec(`alter table ${table} drop constraint ${name}`);
    for (const table of tables)
      await tx.run(
        REFERENCE_TABLES.includes(table)
          ? sql`select create_reference_table(${table})`
          : sql`select create_distributed_table(${table}, ${KEY_COLUMNS[table] ?? 'store_id'})`,
      );
    for (const { name, table, definition } of foreignKeys)
      await exec(`alter table ${table} add constraint ${name} ${definition}`);
  });
  return tables;
}

/**
 * Removes the rows that tables had before they were distributed, which Citus leaves on the coordinator, out of sight but on
 * its disk; returns the tables. Only after the commit of the distribution: until then they are the only copy.
 */
export async function removeLocalRows(db: Database): Promise<string[]> {
  const tables = await db.all<{ name: string }>(
    sql`select c.relname::text as name from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
        where c.relnamespace = current_schema()::regnamespace and (p.partmethod <> 'n' or p.repmodel = 't')
          and pg_relation_size(c.oid) > 0
        order by c.relname`,
  );
  for (const { name } of tables)
    await db.script(
      async (_, tx) => void (await tx.run(sql`select truncate_local_data_after_distributing_table(${name})`)),
    );
  return tables.map(({ name }) => name);
}

export async function requireCluster(db: Database) {
  // The dialect knows it from the first connection on.
  await db.one(sql`select 1 as one`);
  if (!db.dialect.isDistributed)
    throw new NotDistributed(
      'the database has no extension citus: DATABASE_URL must name the coordinator of a cluster',
    );
}

/** A cluster on which nothing is distributed serves as a plain PostgreSQL does. */
export async function requireDistributed(db: Database) {
  if (!db.dialect.isDistributed) return;
  const local = await localTables(db);
  const all = await db.one<{ count: number }>(sql`select count(*) as count from citus_tables`);
  if (local.length && all?.count)
    throw new NotDistributed(`not distributed: ${local.join(', ')}; run store-sales migrate --citus, then start again`);
}

/** Reference tables first. */
async function localTables(tx: Queryable): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    sql`select c.relname::text as name from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
          and not exists (select from pg_dist_partition p
                          where p.logicalrelid = c.oid and (p.partmethod <> 'n' or p.repmodel = 't'))
        order by c.relname`,
  );
  const names = rows.map(({ name }) => name).filter((name) => !COORDINATOR_TABLES.has(name));
  return [
    ...names.filter((name) => REFERENCE_TABLES.includes(name)),
    ...names.filter((name) => !REFERENCE_TABLES.includes(name)),
  ];
}

/** The foreign keys from and to these tables. */
const foreignKeysOf = (tx: Queryable, tables: readonly string[]) =>
  tx.all<{ name: string; table: string; definition: string }>(
    sql`select conname::text as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
        from pg_constraint
        where contype = 'f' and connamespace = current_schema()::regnamespace
          and (conrelid::regclass::text = any(${tables}::text[]) or confrelid::regclass::text = any(${tables}::text[]))
        order by conname`,
  );
