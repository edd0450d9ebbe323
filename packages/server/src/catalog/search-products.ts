import type { FoundProduct } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { nameKey } from '../names.ts';
import * as queries from './search.queries.ts';

const MAX_MATCHES = 20;

/** Active products whose name, SKU or external id starts with the text; without a text, the first by name. */
export async function searchProducts(db: Queryable, storeId: string, q: string): Promise<FoundProduct[]> {
  const text = q.trim();
  const found = [
    ...(await queries.startingWith(db, storeId, 'name_key', nameKey(text), MAX_MATCHES)),
    ...(text ? await queries.startingWith(db, storeId, 'sku', text, MAX_MATCHES) : []),
    ...(text ? await queries.startingWith(db, storeId, 'external_id', text, MAX_MATCHES) : []),
  ];
  const unique = new Map(found.map((row) => [row.id, row]));
  return [...unique.values()].slice(0, MAX_MATCHES).map(({ id, name, sku, external_id, price }) => ({
    id,
    name,
    sku: sku ?? '',
    externalId: external_id ?? '',
    price,
  }));
}
