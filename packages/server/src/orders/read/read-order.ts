import type { Queryable } from '../../db/database.ts';
import { asUuid } from '../../db/uuid.ts';
import { notFound } from '../../domain-error.ts';
import { promoOf } from '../../promo/apply-promo.ts';
import { type OrderResponse, show, showWithPromo } from '../orders.queries.ts';

/** An order with its items as response bytes, and its version. */
export async function readOrder(db: Queryable, storeId: string, id: string) {
  const validId = asUuid(id);
  return versioned(validId && (await show(db, storeId, validId)));
}

/** With the promo code that it uses, for the console. */
export async function readOrderWithPromo(db: Queryable, storeId: string, id: string) {
  const validId = asUuid(id);
  const found = validId && (await showWithPromo(db, storeId, validId));
  if (!found) throw notFound('order');
  return { ...versioned(found), promo: await promoOf(db, storeId, found) };
}

export function versioned(order: OrderResponse | undefined | ''): { body: Buffer; etag: string } {
  if (!order) throw notFound('order');
  return { body: order.body, etag: etagOf(order.seq) };
}

/** The version of an order: its change number, unique within the store. */
export const etagOf = (seq: number) => `"${seq}"`;
