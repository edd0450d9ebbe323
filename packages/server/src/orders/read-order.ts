import type { Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../refusal.ts';
import { etagOf } from './etag.ts';
import { type ShownOrder, show } from './orders.queries.ts';

/** An order with its items as response bytes, and its version. */
export async function readOrder(db: Queryable, storeId: string, id: string) {
  const wanted = asUuid(id);
  return versioned(wanted && (await show(db, storeId, wanted)));
}

export function versioned(order: ShownOrder | undefined | ''): { body: Buffer; etag: string } {
  if (!order) throw notFound('order');
  return { body: order.body, etag: etagOf(order.seq) };
}
