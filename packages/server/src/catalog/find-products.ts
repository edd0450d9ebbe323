import type { ProductPage, ProductPageQuery } from '@store-sales/contract/console';
import { rowsAmong } from '../db/among.ts';
import type { Cursors } from '../db/cursor.ts';
import type { Queryable } from '../db/database.ts';
import { listWindow } from '../db/list.ts';
import { nameKey } from '../names.ts';
import * as find from './find.store.ts';
import * as store from './products.store.ts';
import { type Shop, shown } from './products.ts';

/** What a search takes into account of each kind, whatever the store holds. */
const MOST = 500;

/** A page of the catalog as its owner asked for it, newest first. */
export async function findProducts(
  db: Queryable,
  cursors: Cursors,
  { storeId, currency }: Shop,
  { q, category, active, cursor }: ProductPageQuery,
): Promise<ProductPage> {
  const ids = q === undefined ? undefined : await search(db, storeId, q.trim());
  const window = listWindow(
    cursors,
    ids ? { ...store.source, rows: rowsAmong(db, store.source.table, storeId, ids) } : store.source,
    storeId,
    { ...(cursor && { cursor }) },
    category === undefined ? [] : [store.equal.categoryId(category.toLowerCase())],
    active === undefined ? [] : [find.isActive(active === 'true')],
  );
  return store.page(db, window, (row) => shown(row, currency));
}

/** The products a text may mean: by the beginning of an article or external id, or by any part of the name. */
async function search(db: Queryable, storeId: string, text: string): Promise<string[]> {
  const name = nameKey(text);
  const found = await Promise.all([
    find.byPrefix(db, storeId, 'sku', text, MOST),
    find.byPrefix(db, storeId, 'external_id', text, MOST),
    find.byPrefix(db, storeId, 'name_key', name, MOST),
    find.byPartOfName(db, storeId, name, MOST),
  ]);
  return [...new Set(found.flat().map(({ id }) => id))];
}
