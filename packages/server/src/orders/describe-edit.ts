import type { OrderItem } from '@store-sales/contract';
import { type EditedPart, editedParts, type LineCounts, type TotalChange } from '@store-sales/contract/console';
import { addressOf, type OrderDocument } from './document.ts';
import { type EditedLines, orderDiscount } from './edit-order.ts';

/** Details of an `order.edited` event. Old and new texts are left out, so that contacts are stored only in the order. */
export type EditDetails = {
  edited: EditedPart[];
  lines?: LineCounts;
  total?: TotalChange;
};

/** What an edit changed, for the timeline; undefined if it changed nothing. */
export function describeEdit(
  before: OrderDocument,
  after: OrderDocument,
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

const partsOf = (order: OrderDocument, lines: EditedLines['after'] = []): Record<EditedPart, unknown> => ({
  customer: order.customer,
  items: lines,
  delivery: addressOf(order.delivery),
  deliveryType: order.delivery.typeId,
  deliveryCost: [order.delivery.cost, order.delivery.discount],
  paymentType: order.paymentType?.id,
  promoCode: order.promoCode,
  discount: orderDiscount(order, lines),
  notes: order.notes,
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
