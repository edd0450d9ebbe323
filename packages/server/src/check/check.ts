import type { Queryable } from '../db/database.ts';
import { empty, raw, sql } from '../db/sql.ts';
import { accounts } from './accounts.ts';
import { categories, products } from './catalog.ts';
import { clocks } from './clocks.ts';
import { contacts, customers } from './customers.ts';
import { deliveries } from './deliveries.ts';
import { events } from './events.ts';
import { files } from './files.ts';
import { orderKeys, orders, searchOfOrders } from './orders.ts';
import { promoCodes } from './promo-codes.ts';
import { referencesBetweenRecords } from './references.ts';
import { checkRows, type RowRule } from './rows.ts';
import type { Problem, Rule, Scope } from './rule.ts';
import { searchOfRecords } from './search.ts';
import { statuses } from './statuses.ts';
import { stock } from './stock.ts';

/** The promises of the product about its data. */
export const rules: readonly Rule[] = [
  ...clocks,
  ...searchOfOrders,
  ...searchOfRecords,
  ...events,
  ...deliveries,
  ...contacts,
  ...categories,
  ...statuses,
  ...referencesBetweenRecords,
  ...stock,
  ...files,
  ...promoCodes,
  ...accounts,
];

// biome-ignore lint/suspicious/noExplicitAny: each rule checks the rows that it reads itself.
export const rowRules: readonly RowRule<any>[] = [orders, orderKeys, customers, products];

/** Tables that are only counted, beside those of the row rules. */
const counted = ['events', 'deliveries'];

/** Maximum problems that are listed of each kind. */
const MAX_LISTED = 100;

export interface CheckResult {
  checked: Record<string, number>;
  problems: Problem[];
}

/** Reads the database and returns what breaks a promise. It changes nothing and takes no locks. */
export async function check(
  db: Queryable,
  scope: Scope,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<CheckResult> {
  const checked: Record<string, number> = {};
  const problems: Problem[] = [];
  const listed = new Map<string, number>();
  const report = (problem: Problem) => {
    const count = (listed.get(problem.kind) ?? 0) + 1;
    listed.set(problem.kind, count);
    if (count <= MAX_LISTED) problems.push(problem);
  };

  const ofStore = scope.storeId ? sql`where store_id = ${scope.storeId}` : empty;
  const countRows = async (table: string) =>
    Number((await db.one<{ count: number }>(sql`select count(*) as count from ${raw(table)} ${ofStore}`))?.count);
  for (const table of counted) checked[table] = await countRows(table);
  let total = rules.length;
  for (const { table } of rowRules) total += await countRows(table);

  let done = 0;
  const advance = (count: number) => {
    done += count;
    onProgress(Math.min(done, total), total);
  };
  for (const rule of rowRules) checked[rule.table] = await checkRows(db, scope, rule, report, advance);
  for (const { kind, broken } of rules) {
    const found = await db.all<{ store_id: string; id: string; message: string }>(
      sql`select store_id, id, message from (${broken(db, scope)}) broken limit ${MAX_LISTED}`,
    );
    for (const { store_id, id, message } of found) report({ store: store_id, kind, id, message });
    advance(1);
  }
  return { checked, problems };
}
