import { lockClock, saveClock } from '../clock/store-clock.ts';
import type { Dialect } from '../dialect.ts';
import type { Transaction } from '../queryable.ts';
import type { Sql } from '../sql.ts';
import { type Change, type TableName, tableOrder, type Write, type WritePlan } from './plan.ts';

// biome-ignore lint/suspicious/noExplicitAny: each plan has facts and a result of its own.
export type AnyPlan = WritePlan<any, any>;

export type Outcome = { result: unknown } | { error: unknown };

export interface PlansRun {
  /** One for each plan, in their order; not valid before the commit. */
  outcomes: Outcome[];
  /** Resolves when all is written. */
  written: Promise<unknown>;
}

/** How a statement is run that writes a table. */
export type RunWrite = (statement: Sql, table: TableName) => Promise<number>;

/** Maximum rows of an insert that has a parameter for each value: an engine accepts 32,766 of them at least. */
const MAX_VALUE_ROWS = 500;

/**
 * Runs plans of one store in a transaction: locks the clock, reads for all plans, applies one after the other, and
 * writes what they want table by table. A plan that is rejected writes nothing, and leaves the others as they are.
 */
export async function runPlans(
  tx: Transaction,
  plans: readonly AnyPlan[],
  runWrite: RunWrite = (statement) => tx.run(statement),
): Promise<PlansRun> {
  const [{ storeId }] = plans as [AnyPlan];
  // Issued together, so that PostgreSQL needs one round trip; the first statement waits for the lock.
  const [locked, ...reads] = await Promise.all([
    lockClock(tx, storeId),
    ...plans.map((plan) => settled(plan.read(tx))),
  ]);
  let clock = locked;
  const changes: Change<unknown>[] = [];
  const outcomes = plans.map((plan, index): Outcome => {
    const read = reads[index] as PromiseSettledResult<unknown>;
    if (read.status === 'rejected') return { error: read.reason };
    // Numbers that a rejected plan has drawn are drawn again by the next one.
    const own = clock.at(plan.now);
    try {
      const applied = plan.apply(read.value, own) as Change<unknown>;
      clock = own;
      changes.push(applied);
      return { result: applied.result };
    } catch (error) {
      return { error };
    }
  });
  const saved = clock.seq > locked.seq ? [saveClock(tx, storeId, clock)] : [];
  const writes = changes.flatMap((change) => change.writes);
  return { outcomes, written: Promise.all([...saved, runWrites(tx, writes, runWrite)]) };
}

/** Runs what plans want to write: table by table in the fixed order, the rows of a table together. */
export async function runWrites(
  tx: Transaction,
  writes: readonly Write[],
  runWrite: RunWrite = (statement) => tx.run(statement),
) {
  const running: Promise<unknown>[] = [];
  for (const name of tableOrder) {
    const here = writes.filter(({ table }) => table === name);
    for (const each of here)
      if ('statement' in each)
        for (const statement of [each.statement(tx.dialect)].flat()) running.push(runWrite(statement, name));
    const rows = here.flatMap((each) => ('rows' in each ? each.rows : []));
    const into = here.find((each) => 'into' in each)?.into;
    if (!into || !rows.length) continue;
    for (const part of partsOf(rows, tx.dialect))
      for (const statement of [into.insert(tx.dialect, part as never[])].flat()) {
        const inserted = runWrite(statement, name);
        running.push(inserted.then((count) => into.onCommit && tx.onCommit(() => into.onCommit?.(count))));
      }
  }
  await Promise.all(running);
}

/** PostgreSQL gets an array for each column, whatever the number of rows. */
function partsOf<Row>(rows: readonly Row[], { insertsArrays }: Dialect): (readonly Row[])[] {
  if (rows.length <= MAX_VALUE_ROWS || insertsArrays) return [rows];
  const count = Math.ceil(rows.length / MAX_VALUE_ROWS);
  return Array.from({ length: count }, (_, part) => rows.slice(part * MAX_VALUE_ROWS, (part + 1) * MAX_VALUE_ROWS));
}

const settled = (read: Promise<unknown>): Promise<PromiseSettledResult<unknown>> =>
  read.then(
    (value) => ({ status: 'fulfilled', value }),
    (reason) => ({ status: 'rejected', reason }),
  );

/** Runs one plan; when it resolves, all is written. */
export async function runPlan<Facts, Result>(
  tx: Transaction,
  plan: WritePlan<Facts, Result>,
  runWrite?: RunWrite,
): Promise<Result> {
  const { outcomes, written } = await runPlans(tx, [plan], runWrite);
  await written;
  const [outcome] = outcomes as [Outcome];
  if ('error' in outcome) throw outcome.error;
  return outcome.result as Result;
}
