import type { Product, ProductQuery } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { type Key, listWindow, type Paging } from '../db/lists/list.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import { iso } from '../time/instant.ts';
import * as queries from './products.queries.ts';

/** The caller's store; prices are in its currency. */
export interface Shop {
  storeId: string;
  currency: string;
}

/** A page of products as response bytes. */
export async function listProducts(db: Queryable, paging: Paging, { storeId, currency }: Shop, query: ProductQuery) {
  const { 'filter[externalId]': externalId, 'filter[sku]': sku, 'filter[categoryId]': categoryId } = query;
  const equal = [
    ...(externalId === undefined ? [] : [queries.equal.externalId(externalId)]),
    ...(sku === undefined ? [] : [queries.equal.sku(sku)]),
    ...(categoryId === undefined ? [] : [queries.equal.categoryId(categoryId.toLowerCase())]),
  ];
  const window = listWindow(paging, { ...queries.source, syncOrder: 'updatedAt:asc' }, storeId, query, equal);
  return queries.pageAsJson(db, storeId, window, currency, query.with === 'stock');
}

/** Finds a product by id, else by external id, else by SKU. */
export async function readProduct(
  db: Queryable,
  { storeId, currency }: Shop,
  id: string,
  { withStock = false } = {},
): Promise<Product> {
  const uuid = asUuid(id);
  // Stored text never contains NUL, and PostgreSQL rejects it.
  const found = id.includes('\0')
    ? undefined
    : ((uuid && (await queries.findBy(db, storeId, 'id', uuid))) ??
      (await queries.findBy(db, storeId, 'externalId', id)) ??
      (await queries.findBy(db, storeId, 'sku', id)));
  if (!found) throw notFound('product');
  const product = toProduct(found, currency);
  if (!withStock) return product;
  const stock = await queries.stockByWarehouse(db, storeId, product.id);
  return {
    ...product,
    stockByWarehouse: stock.map(({ warehouse_id, quantity }) => ({ warehouseId: warehouse_id, quantity })),
  };
}

export const hasProducts = async (db: Queryable, storeId: string) => (await queries.first(db, storeId)) !== undefined;
/** The products with these ids, by id. */
export async function productsById(db: Queryable, { storeId, currency }: Shop, ids: readonly string[]) {
  const found = ids.length ? await queries.findByIds(db, storeId, ids) : [];
  return new Map(found.map((row) => [row.id, toProduct(row, currency)]));
}

export const toProduct = (row: Omit<queries.ProductRow, keyof Key>, currency: string): Product => ({
  id: row.id,
  externalId: row.external_id ?? '',
  sku: row.sku ?? '',
  name: row.name,
  description: row.description,
  price: row.price,
  currency,
  categoryId: row.category_id,
  categoryExternalId: row.category_external_id ?? '',
  imageUrl: row.image_url,
  isActive: row.is_active,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  stock: row.stock,
  oldPrice: row.old_price,
});
