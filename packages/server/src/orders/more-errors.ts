import { MAX_ORDER_ITEMS, type OrderChange, type OrderCreate } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { cursorErrors } from '../db/list.ts';
import { asUuid } from '../db/uuid.ts';
import { type AnyFieldError, DomainError, FieldErrors } from '../domain-error.ts';
import type { MoreErrors, RejectedRequest } from '../http/bind.ts';
import { isStorable } from '../http/validate.ts';
import type { Services } from '../services.ts';
import { requestedStatuses } from './change-order.ts';
import { chosenDeliveryType, chosenPaymentType } from './chosen-types.ts';
import { errorsOfSale } from './create-order.ts';
import { readDocument } from './document.ts';
import { editOrder } from './edit-order.ts';
import { statusId } from './list-orders.ts';
import { type NewLine, productFinder, reportProduct } from './order-lines.ts';
import * as queries from './orders.queries.ts';

type Given = Record<string, unknown>;

/** What only rules and the records of the store show to be wrong, in requests that their schema rejects. */
export const moreErrorsOfOrders = ({ db, cursors }: Services): MoreErrors => ({
  async createOrder(storeId, { body, isSound }) {
    const externalId = textOf(asObject(body).externalId);
    // Of a repetition only the shape counts.
    if (externalId && (await queries.findByExternalId(db, storeId, externalId))) return [];
    return isSound(...saleFields) ? errorsOfSale(db, storeId, body as OrderCreate) : errorsOfBody(db, storeId, body);
  },
  async changeOrder(storeId, request) {
    const { status, statusId, paymentStatus, paymentStatusId } = asObject(request.body);
    const asked = { ...oneOf({ status, statusId }), ...oneOf({ paymentStatus, paymentStatusId }) };
    const { fieldErrors } = await requestedStatuses(db, storeId, asked, queries.findStatus);
    return [...fieldErrors.list, ...(await errorsOfEdit(db, storeId, request))];
  },
  async listOrders(storeId, { query }) {
    const statuses = await Promise.all([
      errorsOfStatus(db, 'status', storeId, query),
      errorsOfStatus(db, 'paymentStatus', storeId, query),
    ]);
    return [...statuses.flat(), ...cursorErrors(cursors, 'orders', storeId, query)];
  },
});

/** The fields of a body that its totals depend on, and the types, which are checked with them. */
const saleFields = ['/items', '/discount', '/delivery', '/paymentTypeId'];

async function errorsOfEdit(db: Queryable, storeId: string, { params, body, isSound }: RejectedRequest) {
  const id = asUuid(params.id ?? '');
  const order = id && isSound(...saleFields) ? await queries.documentOf(db, storeId, id) : undefined;
  if (!order) return errorsOfBody(db, storeId, body);
  const fieldErrors = new FieldErrors();
  const { customer, promoCode, notes, ...sale } = body as OrderChange;
  await editOrder(db, storeId, readDocument(order), sale, fieldErrors);
  return fieldErrors.list;
}

/** A status by its code or its id, if it is named in exactly one way. */
function oneOf<Name extends string>(given: { [Field in Name]: unknown }): { [Field in Name]?: string } {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const [[name, value] = []] = named;
  const text = name?.endsWith('Id') ? uuidOf(value) : textOf(value);
  return named.length === 1 && name && text ? ({ [name]: text } as { [Field in Name]?: string }) : {};
}

/** Looks only at what could be the key of a record: the schema reports everything else. */
async function errorsOfBody(db: Queryable, storeId: string, body: unknown): Promise<AnyFieldError[]> {
  const fieldErrors = new FieldErrors();
  const { items, delivery, paymentTypeId } = asObject(body);
  // A longer list is an error by itself.
  const lines = (Array.isArray(items) && items.length <= MAX_ORDER_ITEMS ? items : []).map(productKey);
  const deliveryTypeId = uuidOf(asObject(delivery).typeId);
  const paymentId = uuidOf(paymentTypeId);
  const find = await productFinder(
    db,
    storeId,
    lines.flatMap((line) => line ?? []),
  );
  for (const [index, line] of lines.entries()) if (line) reportProduct(find(line), index, fieldErrors);
  if (deliveryTypeId) await chosenDeliveryType(db, storeId, deliveryTypeId, fieldErrors);
  if (paymentId) await chosenPaymentType(db, storeId, paymentId, fieldErrors);
  return fieldErrors.list;
}

const asObject = (value: unknown): Given => (value !== null && typeof value === 'object' ? (value as Given) : {});
const textOf = (value: unknown) => (typeof value === 'string' && isStorable(value) ? value : undefined);
const uuidOf = (value: unknown) => (typeof value === 'string' ? asUuid(value) : undefined);

/** The product of a line, if it is named in exactly one way. */
function productKey(line: unknown): NewLine | undefined {
  const { productId, sku, externalProductId } = asObject(line);
  const keys = [
    ...(uuidOf(productId) ? [{ productId: uuidOf(productId) }] : []),
    ...(textOf(sku) ? [{ sku: textOf(sku) }] : []),
    ...(textOf(externalProductId) ? [{ externalProductId: textOf(externalProductId) }] : []),
  ];
  return keys.length === 1 ? ({ quantity: 1, ...keys[0] } as NewLine) : undefined;
}

async function errorsOfStatus(db: Queryable, kind: 'status' | 'paymentStatus', storeId: string, query: Given) {
  try {
    await statusId(db, kind, storeId, textOf(query[`filter[${kind}]`]) || undefined);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.fieldErrors as AnyFieldError[];
    throw error;
  }
}
