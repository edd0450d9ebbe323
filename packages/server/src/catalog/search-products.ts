import type { FoundProduct } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { findByTerms } from '../db/search/record-terms.ts';
import { nameKey } from '../text/names.ts';
import { wordQuery } from '../text/search-terms.ts';
import * as queries from './search.queries.ts';

const MAX_RESULTS = 20;
/** Maximum matches that are sorted. */
const MAX_MATCHES = 500;

/** Active products that match a text, by name, those whose name starts with it first; without a text, the first by name. */
export async function searchProducts(db: Queryable, storeId: string, q: string): Promise<FoundProduct[]> {
  const found = await queries.startingWith(db, storeId, nameKey(q), MAX_RESULTS);
  if (found.length < MAX_RESULTS) {
    const ids = await findByTerms(db, 'products', storeId, wordQuery(q), MAX_MATCHES);
    found.push(...(await queries.byIds(db, storeId, ids, MAX_RESULTS)));
  }
  const unique = new Map(found.map((row) => [row.id, row]));
  return [...unique.values()].slice(0, MAX_RESULTS).map(({ id, name, sku, external_id, price, stock }) => ({
    id,
    name,
    sku: sku ?? '',
    externalId: external_id ?? '',
    price,
    stock,
  }));
}
