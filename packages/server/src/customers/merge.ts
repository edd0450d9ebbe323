import type { Transaction } from '../db/database.ts';
import { notFound } from '../domain-error.ts';
import * as queries from './edit.queries.ts';
import { writeCustomers } from './import.queries.ts';

export interface Pair {
  kept: queries.LockedCustomer;
  merged: queries.LockedCustomer;
}

/** Locks both customers until the transaction ends, so that neither gets an order. */
export async function lockPair(tx: Transaction, storeId: string, keptId: string, mergedId: string): Promise<Pair> {
  const found = await queries.lockForMerge(tx, storeId, [keptId, mergedId]);
  const kept = found.find(({ id }) => id === keptId);
  const merged = found.find(({ id }) => id === mergedId);
  if (!kept || !merged) throw notFound('customer');
  return { kept, merged };
}

/** Fills in what the kept customer lacks, and deletes the other one, which has no orders any more. */
export async function absorb(tx: Transaction, storeId: string, { kept, merged }: Pair, at: number, seq: number) {
  const { created_at, updated_at, ...fields } = kept;
  const filled = {
    ...fields,
    external_id: kept.external_id ?? merged.external_id,
    name: kept.name || merged.name,
    ...(!kept.phone_key && { phone: merged.phone, phone_key: merged.phone_key }),
    ...(!kept.email_key && { email: merged.email, email_key: merged.email_key }),
  };
  // First, because external ids are unique.
  await queries.deleteCustomer(tx, storeId, merged.id);
  const isChanged = JSON.stringify(filled) !== JSON.stringify(fields);
  if (isChanged) await writeCustomers(tx, storeId, [{ ...filled, seq }], at);
}
