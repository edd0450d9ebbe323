import type { OrderCreate, OrderItem } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import type { FieldErrors } from '../domain-error.ts';
import type { LineRow } from './insert-orders.queries.ts';
import * as queries from './orders.queries.ts';

export type NewLine = OrderCreate['items'][number];

/** A line before its order is written: without id and total. */
export type LineDraft = Omit<OrderItem, 'id' | 'lineTotal'>;

/** Finds the products of new lines, with one statement for all of them. */
export async function productFinder(tx: Queryable, storeId: string, lines: readonly NewLine[]) {
  const valuesOf = (pick: (line: NewLine) => string | undefined) => [
    ...new Set(lines.map(pick).filter((value) => value !== undefined)),
  ];
  const found = lines.length
    ? await queries.findProducts(tx, storeId, {
        ids: valuesOf((line) => line.productId?.toLowerCase()),
        skus: valuesOf((line) => line.sku),
        externalIds: valuesOf((line) => line.externalProductId),
      })
    : [];
  const byId = new Map(found.map((product) => [product.id, product]));
  const bySku = new Map(found.map((product) => [product.sku, product]));
  const byExternalId = new Map(found.map((product) => [product.external_id, product]));
  return (line: NewLine) =>
    line.productId !== undefined
      ? (['productId', byId.get(line.productId.toLowerCase())] as const)
      : line.sku !== undefined
        ? (['sku', bySku.get(line.sku)] as const)
        : (['externalProductId', byExternalId.get(line.externalProductId as string)] as const);
}

type ProductFinder = Awaited<ReturnType<typeof productFinder>>;

/** Reports a product that is unknown or inactive. `index` is the position of its line in the request. */
export function reportProduct([field, product]: ReturnType<ProductFinder>, index: number, fieldErrors: FieldErrors) {
  const pointer = `/items/${index}/${field}`;
  if (!product) fieldErrors.add(pointer, 'not_found', 'does not match any product of this store');
  else if (!product.is_active) fieldErrors.add(pointer, 'inactive', 'is an inactive product');
  return product;
}

/** A new line with its product and price. `index` is its position in the request. */
export function newLine(line: NewLine, index: number, find: ProductFinder, fieldErrors: FieldErrors): LineDraft {
  const product = reportProduct(find(line), index, fieldErrors);
  // An unknown product still counts in the totals with the price sent, so that errors in the totals are reported too.
  return {
    productId: product?.id ?? '',
    externalProductId: product?.external_id ?? '',
    name: product?.name ?? '',
    sku: product?.sku ?? '',
    quantity: line.quantity,
    unitPrice: line.unitPrice ?? product?.price ?? 0,
    discount: line.discount ?? 0,
  };
}

export const lineRow = (item: OrderItem): LineRow => ({
  id: item.id,
  product_id: item.productId,
  quantity: item.quantity,
  unit_price: item.unitPrice,
  discount: item.discount,
  line_total: item.lineTotal,
});
