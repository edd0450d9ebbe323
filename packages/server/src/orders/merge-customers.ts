import type { Actor } from '../actor.ts';
import { nameOf } from '../customers/edit-customers.ts';
import { absorb, lockPair } from '../customers/merge.ts';
import { tick } from '../db/clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { invalidField, notFound } from '../domain-error.ts';
import { recordHistory } from '../history/history.ts';
import * as queries from './merge-customers.queries.ts';
import * as unfinished from './statuses/unfinished-changes.queries.ts';

export interface Merge {
  storeId: string;
  keptId: string;
  /** Its orders move to the kept customer, and it is deleted. */
  mergedId: string;
  actor: Actor;
  now: number;
}

/**
 * Merges two customers. Up to a batch of orders, that is one transaction; more are moved batch by batch, and the last
 * transaction deletes the merged customer. After each of them every order has an existing customer and a new
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
    if (isRecorded) await unfinished.remove(db, merge.storeId, merge.mergedId);
    throw error;
  }
}

/** Returns whether the merge is finished. */
async function mergeBatch(tx: Transaction, merge: Merge): Promise<boolean> {
  const { storeId, keptId, mergedId, actor, now } = merge;
  const count = await queries.lockOldest(tx, merge, tx.dialect.ordersPerBatch);
  const pair = await lockPair(tx, storeId, keptId, mergedId);
  // An order may have come in before the customers were locked.
  const isLast = (await queries.countUpTo(tx, merge, count + 1)) === count;
  const { seq, at } = await tick(tx, storeId, now, { count: count + 1 });
  const moved = count ? await queries.moveOldest(tx, merge, { after: seq - count - 1, at, limit: count }) : 0;
  if (moved !== count) throw new Error(`${count - moved} of ${count} locked orders are gone`);
  if (!isLast) {
    const change = { kind: 'customer_merge', storeId, id: mergedId, fields: { keptId }, actor, now } as const;
    await unfinished.record(tx, change);
    return false;
  }
  await absorb(tx, storeId, pair, at, seq);
  await unfinished.remove(tx, storeId, mergedId);
  const { kept, merged } = pair;
  const details = { merged: nameOf(merged), ...given({ phone: merged.phone, email: merged.email }) };
  const subject = { kind: 'customer', id: keptId, name: nameOf(kept) } as const;
  await recordHistory(tx, { scopeId: storeId, actor, action: 'merged', subject, details, at: now });
  return true;
}

const given = (texts: Record<string, string>) => Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
