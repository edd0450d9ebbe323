import type { Transaction } from '../db/database.ts';
import { deleteTerms, writeTerms } from '../db/search/record-terms.ts';
import { notFound } from '../domain-error.ts';
import * as queries from './edit.queries.ts';
import { writeCustomers } from './import.queries.ts';
import { termChange } from './search-terms.ts';

export interface Pair {
  kept: queries.CurrentCustomer;
  merged: queries.CurrentCustomer;
}

export async function findPair(tx: Transaction, storeId: string, keptId: string, mergedId: string): Promise<Pair> {
  const found = await queries.findCustomers(tx, storeId, [keptId, mergedId]);
  const kept = found.find(({ id }) => id === keptId);
  const merged = found.find(({ id }) => id === mergedId);
  if (!kept || !merged) throw notFound('customer');
  return { kept, merged };
}

/**
 * Fills in what the kept customer lacks, and marks the other one, which has no orders any more, as merged into it. `seq` is
 * the last of two change numbers.
 */
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
  await queries.markMerged(tx, storeId, { mergedId: merged.id, keptId: kept.id, at, seq: seq - 1 });
  await deleteTerms(tx, 'customers', storeId, merged.id);
  const isChanged = JSON.stringify(filled) !== JSON.stringify(fields);
  if (!isChanged) return;
  await writeCustomers(tx, storeId, [{ ...filled, seq }], at);
  await writeTerms(tx, 'customers', storeId, [termChange(kept.id, kept, filled)]);
}
