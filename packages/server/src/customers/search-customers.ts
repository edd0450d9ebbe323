import type { Queryable } from '../db/database.ts';
import { nameKey } from '../names.ts';
import { readPhone } from './contact.ts';
import * as queries from './search.queries.ts';

/** Shorter prefixes match too many customers. */
const MIN_DIGITS = 4;

/** Ids of customers whose name or phone starts with the text, at most `limit` of each. */
export async function searchCustomers(db: Queryable, storeId: string, text: string, limit: number): Promise<string[]> {
  const name = nameKey(text);
  const found = name ? await queries.byName(db, storeId, name, limit) : [];
  for (const prefix of phonePrefixes(text)) found.push(...(await queries.byPhone(db, storeId, prefix, limit)));
  return [...new Set(found.map(({ id }) => id))].slice(0, limit);
}

/**
 * Prefixes of `phoneKey` that the text may mean: Russian numbers are stored with 7, and typed with 8, +7 or neither.
 */
function phonePrefixes(text: string): string[] {
  const { digits, hasPlus } = readPhone(text);
  if (digits.length < MIN_DIGITS || !/^[\p{Nd}\s()+.-]+$/u.test(text.normalize('NFKC'))) return [];
  if (hasPlus) return [digits];
  if (digits.startsWith('8')) return [digits, `7${digits.slice(1)}`];
  return digits.startsWith('9') ? [digits, `7${digits}`] : [digits];
}
