import type { Queryable } from '../db/database.ts';
import { findProducts, type NamedProduct } from './named-products.queries.ts';

export type { NamedProduct };

/** How a line of a request names its product: by exactly one of these. */
export interface ProductName {
  productId?: string;
  sku?: string;
  externalProductId?: string;
}

/** The products that lines name. */
export type NamedProducts = Awaited<ReturnType<typeof findNamed>>;

/** Finds the products that lines name, with one statement for all of them. */
export async function findNamed(db: Queryable, storeId: string, lines: readonly ProductName[]) {
  const valuesOf = (pick: (line: ProductName) => string | undefined) => [
    ...new Set(lines.map(pick).filter((value) => value !== undefined)),
  ];
  const found = lines.length
    ? await findProducts(db, storeId, {
        ids: valuesOf((line) => line.productId?.toLowerCase()),
        skus: valuesOf((line) => line.sku),
        externalIds: valuesOf((line) => line.externalProductId),
      })
    : [];
  const byId = new Map(found.map((product) => [product.id, product]));
  const bySku = new Map(found.map((product) => [product.sku, product]));
  const byExternalId = new Map(found.map((product) => [product.external_id, product]));
  return {
    all: [...byId.values()],
    /** The field of a line that names its product, and the product. */
    of: (line: ProductName): [field: keyof ProductName, product: NamedProduct | undefined] =>
      line.productId !== undefined
        ? ['productId', byId.get(line.productId.toLowerCase())]
        : line.sku !== undefined
          ? ['sku', bySku.get(line.sku)]
          : ['externalProductId', byExternalId.get(line.externalProductId as string)],
  };
}
