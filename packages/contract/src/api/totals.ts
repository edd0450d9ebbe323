import type { FieldErrorCode } from './errors.ts';
import { MAX_AMOUNT } from './values.ts';

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

/** What an order still costs, or was paid too much. An order that is cancelled or returned costs nothing. */
export function balanceOf(
  { totalAmount, paidAmount }: { totalAmount: number; paidAmount: number },
  isClosed: boolean,
): { due: number; overpaid: number } {
  const owed = isClosed ? 0 : totalAmount;
  return { due: Math.max(owed - paidAmount, 0), overpaid: Math.max(paidAmount - owed, 0) };
}

const LIMIT = BigInt(MAX_AMOUNT);

/** What a promo code takes off, and from which sum of the lines on. One of `percent` and `amount` is null. */
export interface PromoTerms {
  percent: number | null;
  amount: number | null;
  minTotal: number;
}

const fullPrice = ({ unitPrice, quantity }: PricedLine) => BigInt(unitPrice) * BigInt(quantity);
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** A line whose discount is larger than its price is reported, and does not count. */
const sumOfLines = (lines: readonly PricedLine[]) =>
  sum(lines.map((line) => fullPrice(line) - BigInt(line.discount)).filter((total) => total > 0n));

export const reachesMinimum = ({ minTotal }: PromoTerms, lines: readonly PricedLine[]) =>
  sumOfLines(lines) >= BigInt(minTotal);

/**
 * What a promo code takes off these lines: a percentage of their sum, rounded half up, or an amount; never more than
 * another discount on the order leaves of them.
 */
export function promoDiscount({ percent, amount }: PromoTerms, lines: readonly PricedLine[], discount: number): number {
  const goods = sumOfLines(lines);
  const wanted = percent === null ? BigInt(amount ?? 0) : (goods * BigInt(percent) + 50n) / 100n;
  const left = goods - BigInt(discount);
  return Number(left < 0n ? 0n : wanted < left ? wanted : left);
}

/** Computes the totals of an order exactly. No intermediate amount may exceed 2^53 − 1 or be negative. */
export function totalsOf(lines: readonly PricedLine[], charges: Charges, fieldErrors: FieldErrorCollector): Totals {
  const lineTotals = lines.map((line, index) => {
    const full = fullPrice(line);
    if (full > LIMIT)
      fieldErrors.add(`/items/${index}/unitPrice`, 'overflow', 'times quantity must not exceed 2^53 − 1');
    const total = full - BigInt(line.discount);
    if (total < 0n)
      fieldErrors.add(
        `/items/${index}/discount`,
        'negative',
        `would make the line total negative; at most ${full}, unitPrice × quantity`,
      );
    return total;
  });
  const goods = sumOfLines(lines);
  const discount = BigInt(charges.discount);
  const discountTotal = sum(lines.map((line) => BigInt(line.discount))) + discount;
  const withDelivery = goods - discount + BigInt(charges.deliveryCost);
  const totalAmount = withDelivery - BigInt(charges.deliveryDiscount);
  if (charges.deliveryDiscount > charges.deliveryCost)
    fieldErrors.add(
      '/delivery/discount',
      'negative',
      `would make the price of delivery negative; at most ${charges.deliveryCost}, the cost of delivery`,
    );
  else if (totalAmount < 0n)
    fieldErrors.add('/discount', 'negative', `would make the order total negative; at most ${totalAmount + discount}`);
  if ([goods, discountTotal, withDelivery].some((amount) => amount > LIMIT))
    fieldErrors.add('/items', 'overflow', 'must not add up to more than 2^53 − 1');
  return {
    lineTotals: lineTotals.map(Number),
    discountTotal: Number(discountTotal),
    totalAmount: Number(totalAmount),
  };
}
