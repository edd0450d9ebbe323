import type { Product } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { rowsByIds } from '../db/in-list.ts';
import { listWindow, type Next, type Paging } from '../db/lists/list.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import * as browse from './browse.queries.ts';
import * as find from './find.queries.ts';
import * as queries from './products.queries.ts';
import { type Shop, toProduct } from './products.ts';

export type { ShownCategory } from './browse.queries.ts';

/** On the order page. */
const PAGE_SIZE = 60;
const MAX_CATEGORIES = 200;
/** Categories of a branch whose products are shown together; those of the rest are on their own pages. */
const MAX_BRANCH = 128;

const order = 'createdAt:desc';

/** A category as its address names it, with its subcategories; without an id, the top level. */
export async function browseCategories(db: Queryable, storeId: string, id?: string) {
  const validId = id === undefined ? undefined : asUuid(id);
  const category = validId ? await browse.findCategory(db, storeId, validId) : undefined;
  if (id !== undefined && !category) throw notFound('category');
  return { category, categories: await browse.childCategories(db, storeId, category?.id, MAX_CATEGORIES) };
}

/**
 * A page of the active products of a store, or of a category and its descendants, newest first. Read from indexes, so
 * that its cost does not depend on the size of the catalog.
 */
export async function browseProducts(
  db: Queryable,
  paging: Paging,
  { storeId, currency }: Shop,
  {
    category,
    cursor,
    limit = PAGE_SIZE,
  }: { category?: string | undefined; cursor?: string | undefined; limit?: number },
): Promise<{ data: Product[]; page: Next }> {
  const branch = category === undefined ? [] : await browse.branchOf(db, storeId, category, MAX_BRANCH);
  const query = { order, limit, ...(cursor && { cursor }) } as const;
  const equal = [find.isActive(true)];
  let source: Parameters<typeof listWindow>[1] = queries.source;
  if (branch.length > 1) {
    const after = cursor ? paging.cursors.read({ resource: source.table, storeId, order }, cursor) : undefined;
    const branchIds = branch.map(({ id }) => id);
    const ids = (await browse.newestOf(db, storeId, branchIds, after, limit + 1)).map(({ id }) => id);
    source = { ...source, rows: rowsByIds(db, source.table, storeId, ids) };
  } else if (category) equal.push(queries.equal.categoryId(category));
  const window = listWindow(paging, source, storeId, query, equal);
  return queries.page(db, storeId, window, (row) => toProduct(row, currency));
}

export const isSoldOut = ({ stock }: Product) => stock !== null && stock <= 0;

/** Shown with the price before the reduction. */
export const isReduced = (product: Product): product is Product & { oldPrice: number } =>
  product.oldPrice !== null && product.oldPrice > product.price;

export const newestProductIds = async (db: Queryable, storeId: string, limit: number) =>
  (await browse.newestIds(db, storeId, limit)).map(({ id }) => id);
