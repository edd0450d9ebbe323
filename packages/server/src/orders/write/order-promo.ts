import type { OrderChange, StatusGroup } from '@store-sales/contract';
import { promoDiscount, reachesMinimum } from '@store-sales/contract/totals';
import type { StoreClock } from '../../db/clock/store-clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { FieldErrors } from '../../domain-error.ts';
import {
  applyPromo,
  findPromo,
  findPromoById,
  isSameCode,
  type PromoRequest,
  type PromoRow,
  refusalMessage,
  termsOf,
} from '../../promo/apply-promo.ts';
import type { CurrentOrder } from '../orders.queries.ts';

/** The promo code of an order: the text it shows, and the code of the store that it uses, if it uses one. */
export interface OrderPromo {
  code: string;
  id: string | null;
  /** What it takes off: part of the discount on the order. */
  discount: number;
}

export const textOnly = (code = ''): OrderPromo => ({ code, id: null, discount: 0 });

/** A code that an order is to use. One that does not apply is reported. */
export function newPromo(
  code: string | undefined,
  row: PromoRow | undefined,
  request: PromoRequest,
  fieldErrors: FieldErrors,
  clock: StoreClock,
): OrderPromo {
  if (!code?.trim()) return textOnly();
  const outcome = applyPromo(row, request, clock);
  if ('refusal' in outcome) return refused(outcome, fieldErrors);
  return { code: outcome.row.code, id: outcome.row.id, discount: outcome.discount };
}

function refused(outcome: Parameters<typeof refusalMessage>[0], fieldErrors: FieldErrors): OrderPromo {
  fieldErrors.add('/promoCode', `promo_${outcome.refusal}`, refusalMessage(outcome));
  return textOnly();
}

/** A cancelled order keeps its code and its discount, but is not one of the uses. */
export const usedPromo = (id: string | null, group: StatusGroup) => (group === 'cancelled' ? null : id);

/** The codes that an edit of amounts refers to: the one that was sent, and the one that the order uses. */
export interface PromoFacts {
  sent: PromoRow | undefined;
  own: PromoRow | undefined;
}

export const noPromo: PromoFacts = { sent: undefined, own: undefined };

export async function readPromo(
  tx: Queryable,
  storeId: string,
  { promo_code_id }: CurrentOrder,
  { promoCode, items, discount }: OrderChange,
): Promise<PromoFacts> {
  const isComputed = promo_code_id !== null && (items !== undefined || discount !== undefined);
  const [sent, own] = await Promise.all([
    promoCode ? findPromo(tx, storeId, promoCode) : undefined,
    isComputed ? findPromoById(tx, storeId, promo_code_id) : undefined,
  ]);
  return { sent, own };
}

export interface Discounts {
  promo: OrderPromo;
  /** All discounts on the order, with that of the code. */
  discount: number;
}

/** As text: the amounts are the sender's. The order no longer uses a code whose text is replaced. */
export function promoAsText({ promo, discount: before }: Discounts, change: OrderChange): Discounts {
  const discount = change.discount ?? before;
  const code = change.promoCode ?? promo.code;
  if (!isSameCode(code, promo.code)) return { promo: textOnly(code), discount };
  return { promo: { ...promo, code, discount: Math.min(promo.discount, discount) }, discount };
}

/**
 * What the code takes off after an edit: a new code has to apply now; that of the order keeps its terms, and follows
 * the lines. A discount that was sent is beside that of the code.
 */
export function promoAfter(
  before: Discounts,
  change: OrderChange,
  { sent, own }: PromoFacts,
  { lines, now }: Pick<PromoRequest, 'lines' | 'now'>,
  fieldErrors: FieldErrors,
  clock: StoreClock,
): Discounts {
  const other = change.discount ?? before.discount - before.promo.discount;
  const together = (promo: OrderPromo) => ({ promo, discount: other + promo.discount });
  if (change.promoCode !== undefined && !isSameCode(change.promoCode, before.promo.code))
    return together(newPromo(change.promoCode, sent, { lines, discount: other, now }, fieldErrors, clock));
  if (!own) return together(before.promo);
  const terms = termsOf(own);
  if (change.items && !reachesMinimum(terms, lines))
    return together(refused({ refusal: 'minimum', row: own }, fieldErrors));
  return together({ ...before.promo, discount: promoDiscount(terms, lines, other) });
}
