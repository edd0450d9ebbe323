import type { OrderChange } from '@store-sales/contract';
import type { EditedPart, OrderDetails } from '@store-sales/contract/console';
import { kopecks } from '../../shell/money.ts';
import { blank, type Draft, type DraftItem } from './new-order-draft.ts';

const units = (amount: number) => (amount ? amount / 100 : '');

/** The items and amounts of an order as values of the form. What its promo code takes off is beside the discount. */
export function draftOf({ order, promo }: Pick<OrderDetails, 'order' | 'promo'>): Draft {
  const items = order.items ?? [];
  const lineDiscounts = items.reduce((sum, { discount }) => sum + discount, 0);
  const { typeId, cost, discount } = order.delivery;
  return {
    ...blank,
    items: items.map((item) => ({
      id: item.id,
      productId: item.productId,
      name: item.name,
      sku: item.sku,
      quantity: item.quantity,
      unitPrice: item.unitPrice / 100,
      discount: units(item.discount),
    })),
    delivery: { ...blank.delivery, typeId, cost: units(cost), discount: units(discount) },
    paymentTypeId: order.paymentType?.id ?? null,
    discount: units(order.discountTotal - lineDiscounts - (promo?.discount ?? 0)),
    promoCode: order.promoCode,
  };
}

/** A line as the API takes it. The fields that an own line keeps are not sent. */
function changedLine(item: DraftItem, before: DraftItem | undefined) {
  const line = {
    quantity: Number(item.quantity),
    unitPrice: kopecks(item.unitPrice),
    discount: kopecks(item.discount),
  };
  if (!item.id || !before) return { productId: item.productId, ...line };
  return {
    id: item.id,
    ...(line.quantity !== Number(before.quantity) && { quantity: line.quantity }),
    ...(line.unitPrice !== kopecks(before.unitPrice) && { unitPrice: line.unitPrice }),
    ...(line.discount !== kopecks(before.discount) && { discount: line.discount }),
  };
}

const byId = (items: readonly DraftItem[]) => new Map(items.map((item) => [item.id, item]));

const linesOf = (draft: Draft, before: Draft) => {
  const own = byId(before.items);
  return draft.items.map((item) => changedLine(item, own.get(item.id)));
};

/** The parts of the form, as they are compared and named in the timeline. */
const partsOf = (draft: Draft, before: Draft) =>
  ({
    items: linesOf(draft, before),
    deliveryType: draft.delivery.typeId ?? '',
    deliveryCost: { cost: kopecks(draft.delivery.cost), discount: kopecks(draft.delivery.discount) },
    paymentType: draft.paymentTypeId ?? '',
    promoCode: draft.promoCode.trim(),
    discount: kopecks(draft.discount),
  }) satisfies Partial<Record<EditedPart, unknown>>;

type Part = keyof ReturnType<typeof partsOf>;

/** The parts in which two drafts differ. */
export function changedParts(draft: Draft, before: Draft): Part[] {
  const [mine, old] = [partsOf(draft, before), partsOf(before, before)];
  return (Object.keys(mine) as Part[]).filter((part) => JSON.stringify(mine[part]) !== JSON.stringify(old[part]));
}

/** Only what was changed in the form; undefined if nothing was. */
export function toOrderChange(draft: Draft, before: Draft): OrderChange | undefined {
  const parts = changedParts(draft, before);
  const values = partsOf(draft, before);
  const has = (part: Part) => parts.includes(part);
  if (!parts.length) return undefined;
  return {
    ...(has('items') && { items: values.items }),
    ...((has('deliveryType') || has('deliveryCost')) && {
      delivery: {
        ...(has('deliveryType') && { typeId: values.deliveryType }),
        ...(has('deliveryCost') && values.deliveryCost),
      },
    }),
    ...(has('paymentType') && { paymentTypeId: values.paymentType }),
    ...(has('promoCode') && { promoCode: values.promoCode }),
    ...(has('discount') && { discount: values.discount }),
  };
}

/** What was typed here, on top of what another person saved meanwhile. */
export function rebase(mine: Draft, before: Draft, theirs: Draft): Draft {
  const pick = <Value>(own: Value, old: Value, saved: Value) => (own === old ? saved : own);
  const delivery = {
    ...mine.delivery,
    typeId: pick(mine.delivery.typeId, before.delivery.typeId, theirs.delivery.typeId),
    cost: pick(mine.delivery.cost, before.delivery.cost, theirs.delivery.cost),
    discount: pick(mine.delivery.discount, before.delivery.discount, theirs.delivery.discount),
  };
  return {
    ...mine,
    items: rebaseItems(mine.items, before.items, theirs.items),
    delivery,
    paymentTypeId: pick(mine.paymentTypeId, before.paymentTypeId, theirs.paymentTypeId),
    promoCode: pick(mine.promoCode, before.promoCode, theirs.promoCode),
    discount: pick(mine.discount, before.discount, theirs.discount),
  };
}

function rebaseItems(mine: readonly DraftItem[], before: readonly DraftItem[], theirs: readonly DraftItem[]) {
  const [old, saved] = [byId(before), byId(theirs)];
  const kept = mine.flatMap((item): DraftItem[] => {
    const [was, now] = [old.get(item.id), saved.get(item.id)];
    if (!item.id || !was) return [item];
    const fields = ['quantity', 'unitPrice', 'discount'] as const;
    const typed = Object.fromEntries(fields.flatMap((name) => (item[name] === was[name] ? [] : [[name, item[name]]])));
    if (now) return [{ ...now, ...typed }];
    // A line that was edited here and removed there is added again.
    const { id: _removed, ...added } = item;
    return Object.keys(typed).length ? [added] : [];
  });
  return [...kept, ...theirs.filter(({ id }) => !old.has(id))];
}
