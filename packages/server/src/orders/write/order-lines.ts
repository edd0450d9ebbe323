import type { OrderCreate, OrderItem } from '@store-sales/contract';
import type { NamedProducts } from '../../catalog/named-products.ts';
import type { FieldErrors } from '../../domain-error.ts';

export type NewLine = OrderCreate['items'][number];

/** A line before its order is written: without id and total. */
export type LineDraft = Omit<OrderItem, 'id' | 'lineTotal'>;

/** A new line with its product and price. `index` is its position in the request. */
export function newLine(line: NewLine, index: number, products: NamedProducts, fieldErrors: FieldErrors): LineDraft {
  const [field, product] = products.of(line);
  const pointer = `/items/${index}/${field}`;
  if (!product) fieldErrors.add(pointer, 'not_found', 'does not match any product of this store');
  else if (!product.is_active) fieldErrors.add(pointer, 'inactive', 'is an inactive product');
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
