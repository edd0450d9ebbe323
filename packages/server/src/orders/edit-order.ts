import type { OrderChange, OrderItem } from '@store-sales/contract';
import { totalsOf } from '@store-sales/contract/totals';
import type { Queryable } from '../db/database.ts';
import type { FieldErrors } from '../domain-error.ts';
import { chosenDeliveryType, chosenPaymentType } from './chosen-types.ts';
import type { OrderDocument } from './document.ts';
import { type LineDraft, type NewLine, newLine, productFinder } from './order-lines.ts';
import * as queries from './orders.queries.ts';

/** A line after the edit; a new one gets its id when the order is written. */
type EditedLine = LineDraft & { id: string | undefined; lineTotal: number };

export interface EditedLines {
  before: OrderItem[];
  after: EditedLine[];
}

/**
 * The order after a change of texts, types and amounts. `lines` is undefined if the change cannot affect an amount.
 * Errors are collected, so that they are reported together with those of the statuses.
 */
export async function editOrder(
  db: Queryable,
  storeId: string,
  before: OrderDocument,
  change: OrderChange,
  fieldErrors: FieldErrors,
): Promise<{ document: OrderDocument; lines: EditedLines | undefined }> {
  const { typeId, ...delivery } = change.delivery ?? {};
  const [type, paymentType, lines] = await Promise.all([
    deliveryTypeAfter(db, storeId, before, typeId, fieldErrors),
    paymentTypeAfter(db, storeId, before, change.paymentTypeId, fieldErrors),
    changesAmounts(change) ? linesAfter(db, storeId, before.id, change.items, fieldErrors) : undefined,
  ]);
  const document: OrderDocument = {
    ...before,
    promoCode: change.promoCode ?? before.promoCode,
    customer: { ...before.customer, ...change.customer },
    delivery: { ...before.delivery, ...delivery, ...type },
    paymentType,
    notes: change.notes ?? before.notes,
  };
  if (!lines) return { document, lines };

  const charges = {
    discount: change.discount ?? orderDiscount(before, lines.before),
    deliveryCost: document.delivery.cost,
    deliveryDiscount: document.delivery.discount,
  };
  const { lineTotals, totalAmount, discountTotal } = totalsOf(lines.after, charges, fieldErrors);
  const after = lines.after.map((line, index) => ({ ...line, lineTotal: lineTotals[index] as number }));
  return { document: { ...document, totalAmount, discountTotal }, lines: { before: lines.before, after } };
}

const changesAmounts = ({ items, discount, delivery }: OrderChange) =>
  [items, discount, delivery?.cost, delivery?.discount].some((value) => value !== undefined);

/** The discount on the whole order: the total discount without those on its lines. */
export const orderDiscount = ({ discountTotal }: OrderDocument, lines: readonly { discount: number }[]) =>
  lines.reduce((rest, { discount }) => rest - discount, discountTotal);

/** The current type may be sent again although it has been disabled or renamed since. */
async function deliveryTypeAfter(
  db: Queryable,
  storeId: string,
  { delivery }: OrderDocument,
  sent: string | undefined,
  fieldErrors: FieldErrors,
) {
  if (sent === '') return { typeId: null, type: '' };
  if (sent === undefined || sent.toLowerCase() === delivery.typeId) return {};
  const chosen = await chosenDeliveryType(db, storeId, sent, fieldErrors);
  return chosen && { typeId: chosen.id, type: chosen.name };
}

async function paymentTypeAfter(
  db: Queryable,
  storeId: string,
  { paymentType }: OrderDocument,
  sent: string | undefined,
  fieldErrors: FieldErrors,
) {
  if (sent === '') return null;
  if (sent === undefined || sent.toLowerCase() === paymentType?.id) return paymentType;
  return (await chosenPaymentType(db, storeId, sent, fieldErrors)) ?? null;
}

/** The order's lines before and after; all of them stay if none were sent. */
async function linesAfter(
  db: Queryable,
  storeId: string,
  orderId: string,
  sent: OrderChange['items'],
  fieldErrors: FieldErrors,
): Promise<EditedLines> {
  const isNew = (line: { id?: string }) => line.id === undefined;
  const [before, findProduct] = await Promise.all([
    queries.itemsOf(db, storeId, orderId),
    // The schema requires the quantity of a new line.
    productFinder(db, storeId, (sent?.filter(isNew) ?? []) as NewLine[]),
  ]);
  if (!sent) return { before, after: before };

  const unused = new Map(before.map((item) => [item.id, item]));
  const known = new Set(unused.keys());
  const after = sent.map((line, index): EditedLine => {
    if (line.id === undefined)
      return { id: undefined, ...newLine(line as NewLine, index, findProduct, fieldErrors), lineTotal: 0 };
    const id = line.id.toLowerCase();
    const own = unused.get(id);
    if (!known.has(id)) fieldErrors.add(`/items/${index}/id`, 'not_found', 'does not match any line of this order');
    else if (!own) fieldErrors.add(`/items/${index}/id`, 'repeated', 'was sent more than once');
    unused.delete(id);
    const { quantity, unitPrice, discount } = { ...(own ?? noLine), ...line };
    return { ...(own ?? noLine), quantity, unitPrice, discount };
  });
  return { before, after };
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
