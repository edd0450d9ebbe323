import type { Database } from '../src/db/database.ts';
import { raw, type Sql, sql } from '../src/db/sql.ts';

export interface Wish {
  /** Ways of PostgreSQL's that are cheapest with a test's few rows (`seqscan`, `sort` …): the question is what happens with many. */
  without?: readonly string[];
  /** The plan that is kept for whatever values, in place of the one for these. */
  isKept?: boolean;
}

/** The engine's own account of how it runs a statement. */
export async function planOf(db: Database, statement: Sql, { without = [], isKept = false }: Wish = {}) {
  if (db.dialect.engine === 'sqlite') {
    const steps = await db.all<{ detail: string }>(sql`explain query plan ${statement}`);
    return steps.map(({ detail }) => detail).join('\n');
  }
  return db.transaction(async (tx) => {
    for (const way of without) await tx.run(sql`select set_config(${`enable_${way}`}, 'off', true)`);
    const explain = (planned: Sql) => tx.all<{ 'QUERY PLAN': string }>(sql`explain ${planned}`);
    if (!isKept) return told(await explain(statement));
    await tx.run(sql`set local plan_cache_mode = force_generic_plan`);
    await tx.run(raw(`prepare planned as ${statement.text((index) => `$${index}`)}`));
    const values = statement.values.map((value) => `'${value}'`).join(', ');
    const lines = await explain(raw(`execute planned(${values})`));
    await tx.run(sql`deallocate planned`);
    return told(lines);
  });
}

const told = (lines: readonly { 'QUERY PLAN': string }[]) => lines.map((line) => line['QUERY PLAN']).join('\n');
