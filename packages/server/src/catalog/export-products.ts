import type { Product } from '@store-sales/contract';
import type { ProductExportQuery } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import type { Paging } from '../db/lists/list.ts';
import { type ExportColumns, pagesOf } from '../imports/console-export.ts';
import { amountCell, textCell } from '../imports/csv-cells.ts';
import { readStock, readWarehouses } from '../stock/ledger.ts';
import { findProducts } from './find-products.ts';
import type { ProductColumn } from './import-products.ts';
import type { Shop } from './products.ts';

interface ExportedProduct extends Product {
  /** By warehouse. */
  quantities: ReadonlyMap<string, number>;
}

/** The products that match the filters of the list, in the columns of the import. */
export async function exportedProducts(
  db: Queryable,
  paging: Paging,
  shop: Shop,
  { decimal = 'point', ...query }: ProductExportQuery,
  lowStock: number,
) {
  const { storeId } = shop;
  const warehouses = await readWarehouses(db, storeId);
  const columns: readonly (readonly [ProductColumn, (product: ExportedProduct) => string])[] = [
    ['externalId', ({ externalId }) => textCell(externalId)],
    ['sku', ({ sku }) => textCell(sku)],
    ['name', ({ name }) => textCell(name)],
    ['description', ({ description }) => textCell(description)],
    ['price', ({ price }) => amountCell(price, decimal)],
    ['oldPrice', ({ oldPrice }) => (oldPrice === null ? '' : amountCell(oldPrice, decimal))],
    ['categoryExternalId', ({ categoryId, categoryExternalId }) => textCell(categoryExternalId || (categoryId ?? ''))],
    ['imageUrl', ({ imageUrl }) => textCell(imageUrl)],
    ['isActive', ({ isActive }) => String(isActive)],
    ...warehouses.map(
      ({ id, code }) =>
        [`stock:${code}`, ({ quantities }: ExportedProduct) => String(quantities.get(id) ?? '')] as const,
    ),
  ];
  async function* pages(): AsyncGenerator<ExportedProduct[]> {
    const found = pagesOf((cursor) =>
      findProducts(db, paging, shop, { ...query, ...(cursor && { cursor }) }, lowStock),
    );
    for await (const products of found) {
      const tracked = products.filter(({ stock }) => stock !== null).map(({ id }) => id);
      const { quantities } = await readStock(db, storeId, tracked);
      const byProduct = Map.groupBy(quantities, ({ product_id }) => product_id);
      yield products.map((product) => ({
        ...product,
        quantities: new Map(
          byProduct.get(product.id)?.map(({ warehouse_id, quantity }) => [warehouse_id, quantity] as const),
        ),
      }));
    }
  }
  return { columns: columns as ExportColumns<ExportedProduct>, pages: pages() };
}
