import type { FaultCode } from './errors.ts';

/** Where faults are noted, each at a pointer into the body of the order. */
export interface FaultList {
  add(pointer: string, code: FaultCode, message: string): void;
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

/** `MAX_AMOUNT`, written out: the browser, which adds up too, is spared the schemas. */
const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * The arithmetic of an order, exact: nothing on the way may pass 2^53 − 1 and nothing may become negative.
 * Faults are named at the field that causes them.
 */
export function totalsOf(lines: readonly PricedLine[], charges: Charges, faults: FaultList): Totals {
  const lineTotals = lines.map((line, index) => {
    const full = BigInt(line.unitPrice) * BigInt(line.quantity);
    if (full > LIMIT) faults.add(`/items/${index}/unitPrice`, 'overflow', 'times quantity must not pass 2^53 − 1');
    const total = full - BigInt(line.discount);
    if (total < 0n) faults.add(`/items/${index}/discount`, 'negative', 'must not exceed unitPrice × quantity');
    return total;
  });
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const goods = sum(lineTotals);
  const discount = BigInt(charges.discount);
  const discountTotal = sum(lines.map((line) => BigInt(line.discount))) + discount;
  const withDelivery = goods - discount + BigInt(charges.deliveryCost);
  const totalAmount = withDelivery - BigInt(charges.deliveryDiscount);
  if (charges.deliveryDiscount > charges.deliveryCost)
    faults.add('/delivery/discount', 'negative', 'must not exceed the cost of delivery');
  else if (totalAmount < 0n) faults.add('/discount', 'negative', 'must not exceed the rest of the order');
  if ([goods, discountTotal, withDelivery].some((amount) => amount > LIMIT))
    faults.add('/items', 'overflow', 'must not add up to more than 2^53 − 1');
  return {
    lineTotals: lineTotals.map(Number),
    discountTotal: Number(discountTotal),
    totalAmount: Number(totalAmount),
  };
}
