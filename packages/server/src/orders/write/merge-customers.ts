import type { Actor } from '../../actor.ts';
import { nameOf } from '../../customers/edit-customers.ts';
import { absorb, findPair } from '../../customers/merge.ts';
import * as unfinished from '../../db/batches/unfinished-changes.ts';
import { lockClock, tick } from '../../db/clock/store-clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { asUuid } from '../../db/uuid.ts';
import { invalidField, notFound } from '../../domain-error.ts';
import { recordHistory } from '../../history/history.ts';
import * as queries from './merge-customers.queries.ts';

export interface Merge {
  storeId: string;
  keptId: string;
  /** Its orders move to the kept customer. From then on it is only read. */
  mergedId: string;
  actor: Actor;
  now: number;
}

const kind = 'customer_merge' as const;

/**
 * Merges two customers. Up to a batch of orders, that is one transaction; more are moved batch by batch, and the last
 * transaction marks the customer as merged. After each of them every order has an existing customer and a new
 * `updatedAt`. A merge that was cut off is recorded and resumed at the next start.
 */
export async function mergeCustomers(db: Database, { keptId, mergedId, ...rest }: Merge): Promise<void> {
  const [kept, merged] = [asUuid(keptId), asUuid(mergedId)];
  if (!kept || !merged) throw notFound('customer');
  if (kept === merged) throw invalidField('/otherId', 'not_allowed', 'must be another customer');
  const merge = { ...rest, keptId: kept, mergedId: merged };
  const options = { isLong: true, storeId: merge.storeId };
  let isRecorded = false;
  try {
    while (!(await db.transaction((tx) => mergeBatch(tx, merge), options))) isRecorded = true;
  } catch (error) {
    // The caller gets the error, so the merge must not be resumed at the next start.
    if (isRecorded) await unfinished.remove(db, { kind, storeId: merge.storeId, id: merge.mergedId });
    throw error;
  }
}

/** Returns whether the merge is finished. */
async function mergeBatch(tx: Transaction, merge: Merge): Promise<boolean> {
  const { storeId, keptId, mergedId, actor, now } = merge;
  await lockClock(tx, storeId);
  const pair = await findPair(tx, storeId, keptId, mergedId);
  const limit = tx.dialect.ordersPerBatch;
  const left = await queries.countUpTo(tx, merge, limit + 1);
  const [count, isLast] = [Math.min(left, limit), left <= limit];
  const customers = isLast ? 2 : 0;
  const { seq, at } = await tick(tx, storeId, now, { count: count + customers });
  const after = seq - customers - count;
  const moved = count ? await queries.moveOldest(tx, merge, { after, at, limit: count }) : 0;
  if (moved !== count) throw new Error(`${count - moved} of ${count} orders are gone`);
  if (!isLast) {
    await unfinished.record(tx, { kind, storeId, id: mergedId, fields: { keptId }, actor, now });
    return false;
  }
  await absorb(tx, storeId, pair, at, seq);
  await unfinished.remove(tx, { kind, storeId, id: mergedId });
  const { kept, merged } = pair;
  const details = { merged: nameOf(merged), ...given({ phone: merged.phone, email: merged.email }) };
  const subject = { kind: 'customer', id: keptId, name: nameOf(kept) } as const;
  await recordHistory(tx, { scopeId: storeId, actor, action: 'merged', subject, details, at: now });
  return true;
}

const given = (texts: Record<string, string>) => Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
