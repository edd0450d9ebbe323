import type { Queryable } from '../db/database.ts';
import type { FieldErrors } from '../domain-error.ts';
import * as queries from './orders.queries.ts';

/** An enabled delivery type of the store; an unknown one is reported. */
export async function chosenDeliveryType(db: Queryable, storeId: string, id: string, fieldErrors: FieldErrors) {
  const type = await queries.findDeliveryType(db, storeId, id.toLowerCase());
  if (!type) fieldErrors.add('/delivery/typeId', 'not_found', 'does not match any enabled delivery type of this store');
  return type;
}

/** An enabled payment type of the store; an unknown one is reported. */
export async function chosenPaymentType(db: Queryable, storeId: string, id: string, fieldErrors: FieldErrors) {
  const type = await queries.findPaymentType(db, storeId, id.toLowerCase());
  if (!type) fieldErrors.add('/paymentTypeId', 'not_found', 'does not match any enabled payment type of this store');
  return type;
}
