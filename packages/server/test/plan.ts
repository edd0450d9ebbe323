import type { Database, Queryable } from '../src/db/database.ts';
import { raw, type Sql, sql } from '../src/db/sql.ts';

export interface PlanOptions {
  /** Plan nodes of PostgreSQL to disable (`seqscan`, `sort` …), because they are the cheapest for a test's few rows. */
  without?: readonly string[];
  /** The generic plan instead of the one for these values. */
  isGeneric?: boolean;
}

/** The output of EXPLAIN. */
export async function planOf(db: Database, statement: Sql, { without = [], isGeneric = false }: PlanOptions = {}) {
  if (db.dialect.engine === 'sqlite') {
    const steps = await db.all<{ detail: string }>(sql`explain query plan ${statement}`);
    return steps.map(({ detail }) => detail).join('\n');
  }
  return db.transaction(async (tx) => {
    for (const node of without) await tx.run(sql`select set_config(${`enable_${node}`}, 'off', true)`);
    const explain = (planned: Sql) => tx.all<{ 'QUERY PLAN': string }>(sql`explain ${planned}`);
    if (!isGeneric) return textOf(await explain(statement));
    await tx.run(sql`set local plan_cache_mode = force_generic_plan`);
    await tx.run(raw(`prepare planned as ${statement.text((index) => `$${index}`)}`));
    const values = statement.values.map((value) => `'${value}'`).join(', ');
    const lines = await explain(raw(`execute planned(${values})`));
    await tx.run(sql`deallocate planned`);
    return textOf(lines);
  });
}

/** The plans of all statements that read rows. */
export async function plansOf(db: Database, work: (recording: Queryable) => Promise<unknown>, options?: PlanOptions) {
  const statements: Sql[] = [];
  const record =
    <Method extends 'all' | 'one'>(method: Method) =>
    (statement: Sql) => {
      statements.push(statement);
      return db[method](statement);
    };
  await work({ ...db, all: record('all'), one: record('one') } as Queryable);
  return (await Promise.all(statements.map((statement) => planOf(db, statement, options)))).join('\n');
}

const textOf = (lines: readonly { 'QUERY PLAN': string }[]) => lines.map((line) => line['QUERY PLAN']).join('\n');
