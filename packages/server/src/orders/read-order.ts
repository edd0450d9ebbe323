import type { Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import { type OrderResponse, show } from './orders.queries.ts';

/** An order with its items as response bytes, and its version. */
export async function readOrder(db: Queryable, storeId: string, id: string) {
  const validId = asUuid(id);
  return versioned(validId && (await show(db, storeId, validId)));
}

export function versioned(order: OrderResponse | undefined | ''): { body: Buffer; etag: string } {
  if (!order) throw notFound('order');
  return { body: order.body, etag: etagOf(order.seq) };
}

/** The version of an order: its change number, unique within the store. */
export const etagOf = (seq: number) => `"${seq}"`;

/** Whether an `If-Match` header names this version. Weak tags never match (RFC 9110). */
export const matchesEtag = (header: string, seq: number) =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etagOf(seq));
