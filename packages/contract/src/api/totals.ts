import type { FieldErrorCode } from './errors.ts';

export interface FieldErrorCollector {
  add(pointer: string, code: FieldErrorCode, message: string): void;
}

export interface PricedLine {
  quantity: number;
  unitPrice: number;
  discount: number;
}

export interface Charges {
  discount: number;
  deliveryCost: number;
  deliveryDiscount: number;
}

export interface Totals {
  lineTotals: number[];
  discountTotal: number;
  totalAmount: number;
}

/** Same as `MAX_AMOUNT`, which is not imported: the browser bundle would include the schemas. */
const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

/** Computes the totals of an order exactly. No intermediate amount may exceed 2^53 − 1 or be negative. */
export function totalsOf(lines: readonly PricedLine[], charges: Charges, fieldErrors: FieldErrorCollector): Totals {
  const lineTotals = lines.map((line, index) => {
    const full = BigInt(line.unitPrice) * BigInt(line.quantity);
    if (full > LIMIT)
      fieldErrors.add(`/items/${index}/unitPrice`, 'overflow', 'times quantity must not exceed 2^53 − 1');
    const total = full - BigInt(line.discount);
    if (total < 0n) fieldErrors.add(`/items/${index}/discount`, 'negative', 'must not exceed unitPrice × quantity');
    return total;
  });
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  // A line that is reported as negative does not count, or the order's discount would be reported too.
  const goods = sum(lineTotals.filter((total) => total > 0n));
  const discount = BigInt(charges.discount);
  const discountTotal = sum(lines.map((line) => BigInt(line.discount))) + discount;
  const withDelivery = goods - discount + BigInt(charges.deliveryCost);
  const totalAmount = withDelivery - BigInt(charges.deliveryDiscount);
  if (charges.deliveryDiscount > charges.deliveryCost)
    fieldErrors.add('/delivery/discount', 'negative', 'must not exceed the cost of delivery');
  else if (totalAmount < 0n) fieldErrors.add('/discount', 'negative', 'must not exceed the rest of the order');
  if ([goods, discountTotal, withDelivery].some((amount) => amount > LIMIT))
    fieldErrors.add('/items', 'overflow', 'must not add up to more than 2^53 − 1');
  return {
    lineTotals: lineTotals.map(Number),
    discountTotal: Number(discountTotal),
    totalAmount: Number(totalAmount),
  };
}
