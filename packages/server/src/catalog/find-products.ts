import type { Product } from '@store-sales/contract';
import type { ProductPage, ProductPageQuery } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { rowsAmong } from '../db/in-list.ts';
import { listWindow, type Paging } from '../db/list.ts';
import { nameKey } from '../names.ts';
import * as find from './find.queries.ts';
import { listCategories } from './import.queries.ts';
import * as queries from './products.queries.ts';
import { type Shop, shown } from './products.ts';

/** Maximum matches of each kind, independent of the size of the store. */
const MAX_MATCHES = 500;

const PAGE_SIZE = 50;
/**
 * Maximum bounded searches per page: no index combines a filter by state or by several categories with the sort. 20 of
 * them cover 100,000 products.
 */
const MAX_SEARCHES = 20;

/** A page of the catalog for its owner, newest first. */
export async function findProducts(
  db: Queryable,
  paging: Paging,
  { storeId, currency }: Shop,
  { q, category, active, cursor }: ProductPageQuery,
): Promise<ProductPage> {
  const ids = q === undefined ? undefined : await search(db, storeId, q.trim());
  const source = ids ? { ...queries.source, rows: rowsAmong(db, queries.source.table, storeId, ids) } : queries.source;
  const branch = category === undefined ? [] : await withDescendants(db, storeId, category.toLowerCase());
  const [only] = branch;
  const unserved = active === undefined ? [] : [find.isActive(active === 'true')];
  // There is an index for one category, but none for several.
  if (branch.length > 1) unserved.push(find.ofCategories(db, branch));
  const equal = only !== undefined && branch.length === 1 ? [queries.equal.categoryId(only)] : [];
  const data: Product[] = [];
  let from: string | null | undefined = cursor;
  for (let round = 1; ; round++) {
    const query = { limit: PAGE_SIZE - data.length, ...(from && { cursor: from }) };
    const window = listWindow(paging, source, storeId, query, equal, unserved);
    const found = await queries.page(db, window, (row) => shown(row, currency));
    data.push(...found.data);
    from = found.page.nextCursor;
    if (!from || data.length === PAGE_SIZE || round === MAX_SEARCHES) return { data, page: found.page };
  }
}

/** A category and its descendants. An unknown id is returned alone and matches no products. */
async function withDescendants(db: Queryable, storeId: string, id: string): Promise<string[]> {
  const children = new Map<string | null, string[]>();
  for (const { id: child, parent_id: parent } of await listCategories(db, storeId)) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(child);
    else children.set(parent, [child]);
  }
  const branch = [id];
  for (const each of branch) branch.push(...(children.get(each) ?? []));
  return branch;
}

/**
 * Products matching a text by a prefix of the SKU or external id, or by any part of the name. If a key matches, the
 * substring search over all names is skipped, since a SKU is hardly ever part of a name.
 */
async function search(db: Queryable, storeId: string, text: string): Promise<string[]> {
  const name = nameKey(text);
  const keyed = [
    ...(await find.byPrefix(db, storeId, 'sku', text, MAX_MATCHES)),
    ...(await find.byPrefix(db, storeId, 'external_id', text, MAX_MATCHES)),
  ];
  const named = [
    await find.byPrefix(db, storeId, 'name_key', name, MAX_MATCHES),
    keyed.length ? [] : await find.byPartOfName(db, storeId, name, MAX_MATCHES),
  ];
  return [...new Set([...keyed, ...named.flat()].map(({ id }) => id))];
}
