import { MAX_METADATA_KEYS, type OrderChange, type OrderItem } from '@store-sales/contract';
import { totalsOf } from '@store-sales/contract/totals';
import { findNamed, type NamedProducts } from '../../catalog/named-products.ts';
import type { Queryable } from '../../db/database.ts';
import type { FieldErrors } from '../../domain-error.ts';
import { type OrderDocument, readItems } from '../document.ts';
import * as queries from '../orders.queries.ts';
import { chosenDeliveryType, chosenPaymentType } from './chosen-types.ts';
import { type LineDraft, type NewLine, newLine } from './order-lines.ts';
import type { Discounts, OrderPromo } from './order-promo.ts';

type Metadata = OrderDocument['metadata'];

/** A line after the edit; a new one gets its id when the order is written. */
type EditedLine = LineDraft & { id: string | undefined; lineTotal: number };

export interface EditedLines {
  before: OrderItem[];
  after: EditedLine[];
}

/** What an edit refers to. */
export type EditFacts = Awaited<ReturnType<typeof readEdit>>;

export async function readEdit(tx: Queryable, storeId: string, { items, delivery, paymentTypeId }: OrderChange) {
  const [products, deliveryType, paymentType] = await Promise.all([
    // The schema requires the quantity of a new line.
    findNamed(tx, storeId, (items?.filter(({ id }) => id === undefined) ?? []) as NewLine[]),
    delivery?.typeId ? queries.findDeliveryType(tx, storeId, delivery.typeId.toLowerCase()) : undefined,
    paymentTypeId ? queries.findPaymentType(tx, storeId, paymentTypeId.toLowerCase()) : undefined,
  ]);
  return { products, deliveryType, paymentType };
}

/** The discounts on the order after the change, for the lines after it. */
type DiscountsAfter = (before: Discounts, lines: readonly LineDraft[]) => Discounts;

interface EditedOrder {
  document: OrderDocument;
  promo: OrderPromo;
  lines: EditedLines | undefined;
}

/**
 * The order after a change of texts, types and amounts. `lines` is undefined if the change cannot affect an amount.
 * Errors are collected, so that they are reported together with those of the statuses.
 */
export function editOrder(
  before: OrderDocument,
  { items: stored, promo_code_id, promo_discount }: queries.CurrentOrder,
  change: OrderChange,
  facts: EditFacts,
  discountsAfter: DiscountsAfter,
  fieldErrors: FieldErrors,
): EditedOrder {
  const promoBefore = { code: before.promoCode, id: promo_code_id, discount: promo_discount };
  const { typeId, ...delivery } = change.delivery ?? {};
  const document: OrderDocument = {
    ...before,
    customer: { ...before.customer, ...change.customer },
    delivery: { ...before.delivery, ...delivery, ...deliveryTypeAfter(before, typeId, facts, fieldErrors) },
    paymentType: paymentTypeAfter(before, change.paymentTypeId, facts, fieldErrors),
    notes: change.notes ?? before.notes,
    metadata: metadataAfter(before.metadata, change.metadata, fieldErrors),
  };
  if (!changesAmounts(change)) return { document, promo: promoBefore, lines: undefined };

  const items = readItems(stored);
  const edited = linesAfter(items, change.items, facts.products, fieldErrors);
  const discounts = { promo: promoBefore, discount: orderDiscount(before, items) };
  const { promo, discount } = discountsAfter(discounts, edited);
  const charges = {
    discount,
    deliveryCost: document.delivery.cost,
    deliveryDiscount: document.delivery.discount,
  };
  const { lineTotals, totalAmount, discountTotal } = totalsOf(edited, charges, fieldErrors);
  const after = edited.map((line, index) => ({ ...line, lineTotal: lineTotals[index] as number }));
  const amounts = { totalAmount, discountTotal, promoCode: promo.code };
  return { document: { ...document, ...amounts }, promo, lines: { before: items, after } };
}

const changesAmounts = ({ items, discount, promoCode, delivery }: OrderChange) =>
  [items, discount, promoCode, delivery?.cost, delivery?.discount].some((value) => value !== undefined);

/** The discount on the whole order: the total discount without those on its lines. */
export const orderDiscount = ({ discountTotal }: OrderDocument, lines: readonly { discount: number }[]) =>
  lines.reduce((rest, { discount }) => rest - discount, discountTotal);

/** A key without text is removed; the others that were not sent stay. */
function metadataAfter(before: Metadata, sent: Metadata = {}, fieldErrors: FieldErrors): Metadata {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...sent }).filter(([key, value]) => value !== '' || !(key in sent)),
  );
  if (Object.keys(after).length > MAX_METADATA_KEYS)
    fieldErrors.add('/metadata', 'too_large', `must leave the order with at most ${MAX_METADATA_KEYS} keys`);
  return after;
}

/** The current type may be sent again although it has been disabled or renamed since. */
function deliveryTypeAfter(
  { delivery }: OrderDocument,
  sent: string | undefined,
  { deliveryType }: EditFacts,
  fieldErrors: FieldErrors,
) {
  if (sent === '') return { typeId: null, type: '' };
  if (sent === undefined || sent.toLowerCase() === delivery.typeId) return {};
  const chosen = chosenDeliveryType(sent, deliveryType, fieldErrors);
  return chosen && { typeId: chosen.id, type: chosen.name };
}

function paymentTypeAfter(
  { paymentType: current }: OrderDocument,
  sent: string | undefined,
  { paymentType }: EditFacts,
  fieldErrors: FieldErrors,
) {
  if (sent === '') return null;
  if (sent === undefined || sent.toLowerCase() === current?.id) return current;
  return chosenPaymentType(sent, paymentType, fieldErrors) ?? null;
}

/** The order's lines after the change; all of them stay if none were sent. */
function linesAfter(
  before: readonly OrderItem[],
  sent: OrderChange['items'],
  products: NamedProducts,
  fieldErrors: FieldErrors,
): EditedLine[] {
  if (!sent) return [...before];
  const unused = new Map(before.map((item) => [item.id, item]));
  const known = new Set(unused.keys());
  return sent.map((line, index): EditedLine => {
    if (line.id === undefined)
      return { id: undefined, ...newLine(line as NewLine, index, products, fieldErrors), lineTotal: 0 };
    const id = line.id.toLowerCase();
    const own = unused.get(id);
    if (!known.has(id)) fieldErrors.add(`/items/${index}/id`, 'not_found', 'does not match any line of this order');
    else if (!own) fieldErrors.add(`/items/${index}/id`, 'repeated', 'was sent more than once');
    unused.delete(id);
    const { quantity, unitPrice, discount } = { ...(own ?? noLine), ...line };
    return { ...(own ?? noLine), quantity, unitPrice, discount };
  });
}

/** Stands for an unknown line, so that errors in the totals are reported too. */
const noLine: OrderItem = {
  id: '',
  productId: '',
  externalProductId: '',
  name: '',
  sku: '',
  quantity: 1,
  unitPrice: 0,
  discount: 0,
  lineTotal: 0,
};
