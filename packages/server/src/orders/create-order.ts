import type { OrderCreate, OrderItem } from '@store-sales/contract';
import { totalsOf } from '@store-sales/contract/totals';
import type { Actor } from '../actor.ts';
import { matchCustomer } from '../customers/match-customer.ts';
import { tick } from '../db/clock.ts';
import { type Database, isTaken, type Queryable, type Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { FieldErrors } from '../domain-error.ts';
import { iso } from '../instant.ts';
import { recordEvents } from '../webhooks/outbox/outbox.ts';
import { chosenDeliveryType, chosenPaymentType } from './chosen-types.ts';
import { addressOf, type OrderDocument, writeDocument, writeItems } from './document.ts';
import { indexOrder } from './index-orders.ts';
import { lineRow, newLine, productFinder } from './order-lines.ts';
import * as queries from './orders.queries.ts';

export interface NewOrder {
  storeId: string;
  currency: string;
  source: 'api' | 'manual' | 'site';
  actor: Actor;
  order: OrderCreate;
}

export interface Created {
  id: string;
  /** The external id already exists: an earlier request created the order. */
  replayed: boolean;
  /** The current order as a response. */
  response: queries.OrderResponse | undefined;
}

/** Creates the order, or returns the existing one with the same external id. */
export async function createOrder(db: Database, request: NewOrder, now: number): Promise<Created> {
  const { storeId, order } = request;
  const { externalId } = order;
  const earlier = async (at: Queryable): Promise<Created | undefined> => {
    const known = externalId === undefined ? undefined : await queries.findByExternalId(at, storeId, externalId);
    return known && { id: known.id, replayed: true, response: await queries.show(at, storeId, known.id) };
  };
  try {
    const { id, replayed, response } = await db.transaction(
      async (tx) => {
        const known = await earlier(tx);
        if (known) return known;
        const id = await addOrder(tx, request, now);
        // Not awaited: the query is pipelined with the commit and saves a round trip.
        return { id, replayed: false, response: queries.show(tx, storeId, id) };
      },
      { storeId },
    );
    return { id, replayed, response: await response };
  } catch (error) {
    // Of concurrent requests with one external id, the unique constraint lets one through; the others roll back.
    const winner = isTaken(db, error) ? await earlier(db) : undefined;
    if (winner) return winner;
    throw error;
  }
}

/** Creates an order in the caller's transaction. The caller ensures that the external id is new. */
export async function addOrder(tx: Transaction, { storeId, currency, source, actor, order }: NewOrder, now: number) {
  const fieldErrors = new FieldErrors();
  const { delivery = {}, paymentTypeId } = order;
  const [findProduct, deliveryType, paymentType] = await Promise.all([
    productFinder(tx, storeId, order.items),
    delivery.typeId === undefined ? undefined : chosenDeliveryType(tx, storeId, delivery.typeId, fieldErrors),
    paymentTypeId === undefined ? undefined : chosenPaymentType(tx, storeId, paymentTypeId, fieldErrors),
  ]);
  const lines = order.items.map((line, index) => newLine(line, index, findProduct, fieldErrors));
  const charges = {
    discount: order.discount ?? 0,
    deliveryCost: delivery.cost ?? 0,
    deliveryDiscount: delivery.discount ?? 0,
  };
  const totals = totalsOf(lines, charges, fieldErrors);
  fieldErrors.throwIfAny();

  const contact = { name: '', phone: '', email: '', ...order.customer };
  const match = await matchCustomer(tx, storeId, contact, now);
  const clock = await tick(tx, storeId, now, { count: match?.changes ? 2 : 1, orders: 1 });
  if (match?.changes) await match.write(clock.at, clock.seq - 1);

  const id = uuid(clock.at);
  const items = lines.map(
    (line, index): OrderItem => ({ id: uuid(clock.at), ...line, lineTotal: totals.lineTotals[index] as number }),
  );
  const document: OrderDocument = {
    id,
    number: clock.number,
    externalId: order.externalId ?? '',
    createdAt: iso(clock.at),
    updatedAt: iso(clock.at),
    totalAmount: totals.totalAmount,
    discountTotal: totals.discountTotal,
    promoCode: order.promoCode ?? '',
    currency,
    customer: { id: match?.customerId ?? null, ...contact },
    delivery: {
      typeId: deliveryType?.id ?? null,
      type: deliveryType?.name ?? '',
      cost: charges.deliveryCost,
      discount: charges.deliveryDiscount,
      ...addressOf(delivery),
    },
    paymentType: paymentType ?? null,
    source,
    notes: order.notes ?? '',
  };
  const row = {
    id,
    number: clock.number,
    external_id: order.externalId ?? null,
    created_at: clock.at,
    seq: clock.seq,
    customer_id: match?.customerId ?? null,
    source,
    total_amount: totals.totalAmount,
    document: writeDocument(document),
    items: writeItems(items),
  };
  queries.insertOrder(tx, storeId, row, items.map(lineRow));
  indexOrder(tx, storeId, document, items);
  const created = {
    type: 'order.created',
    orderId: id,
    externalId: order.externalId ?? '',
    at: clock.at,
    actor,
  } as const;
  recordEvents(tx, storeId, [created], now);
  return id;
}
