import type { OrderItem } from '@store-sales/contract';
import { type EditedPart, editedParts, type LineCounts, type TotalChange } from '@store-sales/contract/console';
import { addressOf, type OrderDocument } from '../document.ts';
import { type EditedLines, orderDiscount } from './edit-order.ts';

/** Details of an `order.edited` event. Old and new texts are left out, so that contacts are stored only in the order. */
export type EditDetails = {
  edited: EditedPart[];
  lines?: LineCounts;
  total?: TotalChange;
};

/** With what has been paid, as far as the edit says so itself: what follows from a payment status is no edit. */
type PaidOrder = OrderDocument & { paid: number; promoDiscount: number };

/** What an edit changed, for the timeline; undefined if it changed nothing. */
export function describeEdit(
  before: PaidOrder,
  after: PaidOrder,
  lines: EditedLines | undefined,
): EditDetails | undefined {
  const [old, now] = [partsOf(before, lines?.before), partsOf(after, lines?.after)];
  const edited = editedParts.filter((part) => JSON.stringify(old[part]) !== JSON.stringify(now[part]));
  if (!edited.length) return undefined;
  return {
    edited,
    ...(lines && edited.includes('items') && { lines: countLines(lines) }),
    ...(before.totalAmount !== after.totalAmount && { total: { from: before.totalAmount, to: after.totalAmount } }),
  };
}

const partsOf = (order: PaidOrder, lines: EditedLines['after'] = []): Record<EditedPart, unknown> => ({
  customer: order.customer,
  items: lines,
  delivery: addressOf(order.delivery),
  deliveryType: order.delivery.typeId,
  deliveryCost: [order.delivery.cost, order.delivery.discount],
  paymentType: order.paymentType?.id,
  promoCode: order.promoCode,
  // That of the promo code follows from the code and the lines.
  discount: orderDiscount(order, lines) - order.promoDiscount,
  paidAmount: order.paid,
  tracking: order.delivery.trackingNumber,
  notes: order.notes,
  metadata: order.metadata,
});

/** How many lines were added, removed and changed. */
function countLines({ before, after }: EditedLines): LineCounts {
  const old = new Map(before.map((item) => [item.id, JSON.stringify(item)]));
  const kept = after.filter((line): line is OrderItem => line.id !== undefined);
  return {
    added: after.length - kept.length,
    removed: before.length - kept.length,
    changed: kept.filter((line) => JSON.stringify(line) !== old.get(line.id)).length,
  };
}
