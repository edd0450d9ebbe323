import { MAX_ORDER_ITEMS } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { type AnyFieldError, DomainError, FieldErrors } from '../domain-error.ts';
import type { RecordErrors } from '../http/bind.ts';
import { isStorable } from '../http/validate.ts';
import type { Services } from '../services.ts';
import { chosenDeliveryType, chosenPaymentType } from './chosen-types.ts';
import { statusId } from './list-orders.ts';
import { type NewLine, productFinder, reportProduct } from './order-lines.ts';

type Given = Record<string, unknown>;

/** What only the records of the store show to be wrong, in requests that their schema rejects. */
export const orderRecordErrors = ({ db }: Services): RecordErrors => ({
  createOrder: (storeId, { body }) => errorsOfBody(db, storeId, body),
  changeOrder: (storeId, { body }) => errorsOfBody(db, storeId, body),
  async listOrders(storeId, { query }) {
    const statuses = await Promise.all([
      errorsOfStatus(db, 'status', storeId, query),
      errorsOfStatus(db, 'paymentStatus', storeId, query),
    ]);
    return statuses.flat();
  },
});

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
