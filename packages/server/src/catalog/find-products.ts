import type { Product } from '@store-sales/contract';
import { DEFAULT_LOW_STOCK, type ProductPageQuery, type ProductSort } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { rowsByIds } from '../db/in-list.ts';
import { type ColumnSort, listWindow, type Next, type Paging } from '../db/lists/list.ts';
import { findByTerms } from '../db/search/record-terms.ts';
import { wordQuery } from '../text/search-terms.ts';
import * as find from './find.queries.ts';
import { listCategories } from './import.queries.ts';
import * as queries from './products.queries.ts';
import { type Shop, toProduct } from './products.ts';

/** Maximum matches of a search. */
const MAX_MATCHES = 500;

const PAGE_SIZE = 50;
/**
 * Maximum bounded searches per page: no index combines a filter by state or by several categories with the sort. 20 of
 * them cover 100,000 products.
 */
const MAX_SEARCHES = 20;

const columnSorts: { [Sort in ProductSort]?: ColumnSort } = {
  'name:asc': { column: 'name_key', ascending: true },
  'name:desc': { column: 'name_key', ascending: false },
  'price:asc': { column: 'price', ascending: true },
  'price:desc': { column: 'price', ascending: false },
  'stock:asc': { column: 'stock', ascending: true },
  'stock:desc': { column: 'stock', ascending: false },
};

/** A page of the catalog for its owner, newest first unless sorted otherwise. */
export async function findProducts(
  db: Queryable,
  paging: Paging,
  { storeId, currency }: Shop,
  { q, category, active, stock, sort = stock && 'stock:asc', cursor }: ProductPageQuery,
  lowStock = DEFAULT_LOW_STOCK,
): Promise<{ data: Product[]; page: Next }> {
  const ids = q === undefined ? undefined : await findByTerms(db, 'products', storeId, wordQuery(q), MAX_MATCHES);
  const byColumn = sort && columnSorts[sort];
  const source = {
    ...queries.source,
    ...(ids && { rows: rowsByIds(db, queries.source.table, storeId, ids) }),
    sort: byColumn,
  };
  const branch = category === undefined ? [] : await withDescendants(db, storeId, category.toLowerCase());
  const [only] = branch;
  const byStock = byColumn?.column === 'stock';
  const inStock = stock === undefined ? [] : [find.ofStock(stock, lowStock)];
  const unindexed = active === undefined ? [] : [find.isActive(active === 'true')];
  if (!byStock) unindexed.push(...inStock);
  // There is an index for one category by time, but none for several or by another column.
  const isServed = branch.length === 1 && !byColumn;
  if (branch.length && !isServed) unindexed.push(find.ofCategories(db, branch));
  const equal = [
    ...(only !== undefined && isServed ? [queries.equal.categoryId(only)] : []),
    ...(byStock ? [find.hasStock, ...inStock] : []),
  ];
  const data: Product[] = [];
  let from: string | null | undefined = cursor;
  for (let round = 1; ; round++) {
    const query = {
      limit: PAGE_SIZE - data.length,
      ...(from && { cursor: from }),
      ...((sort === 'updatedAt:asc' || sort === 'updatedAt:desc') && { order: sort }),
    };
    const window = listWindow(paging, source, storeId, query, equal, unindexed);
    const found = await queries.page(db, storeId, window, (row) => toProduct(row, currency));
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
