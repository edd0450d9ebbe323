import { DomainError } from '../../domain-error.ts';
import { DatabaseMoving, type Queryable } from '../database.ts';
import { COPY_MARK, lockRow, migrate } from '../migrations/migrate.ts';
import { type BulkLoad, bulkLoad } from '../postgres/bulk-load.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { serverUrls } from '../postgres/servers.ts';
import { raw, sql } from '../sql.ts';
import { type LockedDatabase, lockForCopy, markMoved, moveOf } from '../sqlite/moving.ts';

/** Belong to the database, not to the installation: its schema, the processes that use it, the row ids of its search. */
const NOT_COPIED = new Set(['schema_migrations', 'nodes', 'order_search_stores']);

/** Tables whose content the engines store differently, as a select with the columns of PostgreSQL. */
const sources: Record<string, string> = {
  // A row id is the number of the store and that of the order. A tsvector is written as quoted terms.
  order_search: `(select s.store_id, c.id & 4294967295 as number, '''' || replace(c.c0, ' ', ''' ''') || '''' as terms
                  from order_search_content c join order_search_stores s on s.number = c.id >> 32)`,
};

interface Table {
  name: string;
  /** A table of SQLite, or a select. */
  source: string;
  columns: { name: string; type: string }[];
}

export interface CopyOptions {
  /** The SQLite database, with all migrations applied. */
  file: string;
  /** The PostgreSQL database. */
  url: string;
  /** Identify the installation, without revealing its keys: a copy of the same one may be replaced. */
  keyIds: readonly string[];
  /** Leaves the SQLite database in service. */
  keep: boolean;
  onProgress(done: number, total: number): void;
}

/** The address of a database as it is shown: without password and parameters. */
export function locationOf(url: string): string {
  const servers = serverUrls(url).map((server) => new URL(server));
  const { protocol, username, pathname } = servers[0] as URL;
  const hosts = servers.map(({ host }) => host).join(',');
  return `${protocol}//${username && `${username}@`}${hosts}${pathname}`;
}

export interface Copied {
  /** Number of rows by table. */
  copied: Record<string, number>;
  /** How long the SQLite database accepted no writes. */
  lockedMs: number;
}

/**
 * Copies a SQLite database to PostgreSQL. Whenever the process is killed, exactly one of the two databases is in service,
 * because of the order of the steps:
 *
 * 1. SQLite is locked. A kill releases the lock.
 * 2. Everything is written in one transaction of PostgreSQL. A kill before its commit leaves nothing there.
 * 3. That transaction also marks the copy as unused; the first program that starts on it removes the mark. A kill between
 *    the two commits leaves SQLite in service, and a copy that the next run recognizes by the mark and replaces.
 * 4. SQLite is marked as moved by the transaction that has locked it since step 1, so nothing was written in between.
 */
export async function copyToPostgres(options: CopyOptions): Promise<Copied> {
  const { file, url, keyIds, keep } = options;
  await prepareTarget(options);
  let source: LockedDatabase | undefined;
  let lockedAt = 0;
  try {
    const copied = await bulkLoad(url, async (target) => {
      await lockRow(target);
      await requireFree(target, keyIds);
      const tables = await tablesOf(target);
      await target.exec(`truncate ${tables.map(({ name }) => name).join(', ')}`);
      const { drop, create } = await indexesOf(target);
      for (const statement of drop) await target.exec(statement);

      // From here on, the service accepts no writes.
      source = lockForCopy(file);
      lockedAt = performance.now();
      const movedTo = moveOf(source)();
      if (movedTo !== undefined) throw new DatabaseMoving(movedTo);
      requireSameTables(source, tables);
      const counts = await copyRows(source, target, tables, create, options);
      await target.exec(`analyze ${tables.map(({ name }) => name).join(', ')}`);
      for (const table of tables) await compare(source, target, table);
      await target.run(
        sql`insert into schema_migrations (version, name, applied_at) values (${COPY_MARK}, ${keyIds[0]}, ${Date.now()})
            on conflict (version) do update set name = excluded.name`,
      );
      return counts;
    });
    if (source && !keep) {
      markMoved(source, locationOf(url), Date.now());
      source.exec('commit');
    }
    return { copied, lockedMs: performance.now() - lockedAt };
  } finally {
    source?.close();
  }
}

async function prepareTarget({ url, keyIds }: CopyOptions) {
  const target = openPostgres(url);
  try {
    await requireFree(target, keyIds);
    await migrate(target, { keepsCopyMark: true });
  } finally {
    await target.close();
  }
}

/** Only an empty database, or an unused copy of the same installation. */
async function requireFree(target: Queryable, keyIds: readonly string[]) {
  const found = await target.all<{ name: string }>(
    sql`select quote_ident(relname) as name from pg_class
        where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by relname`,
  );
  const names = found.map(({ name }) => name);
  const isOurs = names.includes('schema_migrations');
  if (isOurs) {
    const mark = await target.one<{ name: string }>(
      sql`select name from schema_migrations where version = ${COPY_MARK}`,
    );
    if (mark && keyIds.includes(mark.name)) return;
  }
  for (const name of names) {
    if (name === 'schema_migrations') continue;
    if (!isOurs || (await target.one(sql`select 1 as one from ${raw(name)} limit 1`)))
      throw new DomainError('name_taken', `The target is not empty: it has the table ${name}. Create a new database.`);
  }
}

async function tablesOf(target: Queryable): Promise<Table[]> {
  const columns = await target.all<{ table: string; name: string; type: string }>(
    sql`select table_name as "table", column_name as name, data_type as type
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name, ordinal_position`,
  );
  const names = [...new Set(columns.map(({ table }) => table))].filter((name) => !NOT_COPIED.has(name));
  return names.map((name) => ({
    name,
    source: sources[name] ?? name,
    columns: columns.filter(({ table }) => table === name),
  }));
}

/** Compares the tables and columns with those of SQLite. */
function requireSameTables(source: LockedDatabase, tables: Table[]) {
  const columns = source
    .prepare(
      `select t.name || '.' || c.name from pragma_table_list t join pragma_table_info(t.name) c
       where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'`,
    )
    .pluck()
    .all() as string[];
  const isCompared = (column: string) => {
    const [table = ''] = column.split('.');
    return !NOT_COPIED.has(table) && !sources[table];
  };
  const here = new Set(columns.filter(isCompared));
  const there = new Set(
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)).filter(isCompared),
  );
  const differing = [...here, ...there].filter((column) => here.has(column) !== there.has(column));
  if (differing.length)
    throw new DomainError('invalid_body', `The schemas of the databases differ in ${differing.join(', ')}.`);
}

/** Copies all rows, then builds the indexes. Returns the number of rows by table. */
async function copyRows(
  source: LockedDatabase,
  target: BulkLoad,
  tables: Table[],
  createIndexes: string[],
  { onProgress }: CopyOptions,
) {
  const count = ({ source: from }: Table) => source.prepare(`select count(*) from ${from}`).pluck().get() as number;
  const counts = Object.fromEntries(tables.map((table) => [table.name, count(table)]));
  const rows = Object.values(counts).reduce((sum, each) => sum + each, 0);
  // Building the indexes takes about as long as copying the rows.
  const total = 2 * rows;
  let done = 0;
  function* counted(found: Iterable<unknown[]>) {
    for (const row of found) {
      if (++done % 1000 === 0) onProgress(done, total);
      yield row;
    }
  }
  for (const { name, source: from, columns } of tables) {
    const names = columns.map((column) => column.name);
    const select = source.prepare(`select ${names.join(', ')} from ${from}`).raw();
    await target.copyIn(name, names, counted(select.iterate() as Iterable<unknown[]>));
  }
  for (const [index, statement] of createIndexes.entries()) {
    onProgress(rows + (rows * index) / createIndexes.length, total);
    await target.exec(statement);
  }
  return counts;
}

/**
 * Statements that drop and create all indexes and constraints: building an index at the end is faster than extending it
 * row by row, and tables can be copied in any order.
 */
async function indexesOf(target: Queryable) {
  // Foreign keys depend on the others; they come first by the letter of their type.
  const constraints = await target.all<{ table: string; name: string; definition: string }>(
    sql`select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype in ('f', 'p', 'u') and connamespace = current_schema()::regnamespace
          and conrelid <> 'schema_migrations'::regclass
        order by contype, conrelid`,
  );
  const indexes = await target.all<{ name: string; definition: string }>(
    sql`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
        from pg_index join pg_class c on c.oid = indrelid
        where c.relnamespace = current_schema()::regnamespace
          and not exists (select from pg_constraint where conindid = indexrelid)
        order by indrelid`,
  );
  return {
    drop: [
      ...constraints.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
      ...indexes.map(({ name }) => `drop index ${name}`),
    ],
    create: [
      ...indexes.map(({ definition }) => definition),
      ...constraints
        .reverse()
        .map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ],
  };
}

/** What is compared of a column, by its type in PostgreSQL; the same SQL on both engines. */
const sums: Record<string, (column: string) => string[]> = {
  // In two parts, because SQLite cannot add up ten million times.
  bigint: (column) => [`sum(${column} / 1000000)`, `sum(${column} % 1000000)`],
  text: (column) => [`sum(octet_length(${column}))`],
  bytea: (column) => [`sum(octet_length(${column}))`],
  boolean: (column) => [`count(nullif(${column}, false))`],
};

/** Compares the number of rows, the sums of all numbers, and the lengths of all texts. */
async function compare(source: LockedDatabase, target: Queryable, { name, source: from, columns }: Table) {
  const totals = [
    { of: 'the number of rows', sum: 'count(*)' },
    ...columns.flatMap((column) => (sums[column.type]?.(column.name) ?? []).map((sum) => ({ of: column.name, sum }))),
  ];
  const select = totals.map(({ sum }, index) => `cast(${sum} as text) as sum${index}`).join(', ');
  const here = source.prepare(`select ${select} from ${from}`).get() as Record<string, string | null>;
  const there = await target.one<typeof here>(sql`select ${raw(select)} from ${raw(name)}`);
  const differing = totals.filter((_, index) => here[`sum${index}`] !== there?.[`sum${index}`]);
  if (differing.length)
    throw new DomainError(
      'unavailable',
      `The copy of ${name} differs in ${differing.map((one) => one.of).join(', ')}.`,
    );
}
