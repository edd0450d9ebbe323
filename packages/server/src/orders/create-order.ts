import type { OrderCreate, OrderItem } from '@store-sales/contract';
import { totalsOf } from '@store-sales/contract/totals';
import type { Actor } from '../actor.ts';
import { findCandidate, matchCustomer } from '../customers/match-customer.ts';
import { tick } from '../db/clock.ts';
import { type Database, isTaken, type Queryable, type Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { FieldErrors } from '../domain-error.ts';
import { iso } from '../instant.ts';
import { recordEvents } from '../webhooks/outbox/outbox.ts';
import { chosenDeliveryType, chosenPaymentType } from './chosen-types.ts';
import { addressOf, type OrderDocument, writeDocument, writeItems } from './document.ts';
import { indexOrder } from './index-orders.ts';
import { insertOrder } from './insert-orders.queries.ts';
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
  const findEarlier = async (at: Queryable) =>
    externalId === undefined ? undefined : queries.findByExternalId(at, storeId, externalId);
  const replay = async (at: Queryable, { id }: { id: string }): Promise<Created> => ({
    id,
    replayed: true,
    response: await queries.show(at, storeId, id),
  });
  try {
    const { id, replayed, response } = await db.transaction(
      async (tx) => {
        const [earlier, named] = await Promise.all([findEarlier(tx), readNamed(tx, request)]);
        if (earlier) return replay(tx, earlier);
        const id = await writeOrder(tx, request, named, now);
        // Not awaited: the query is pipelined with the commit and saves a round trip.
        return { id, replayed: false, response: queries.show(tx, storeId, id) };
      },
      { storeId, group: { key: externalId && `external id ${externalId}` } },
    );
    return { id, replayed, response: await response };
  } catch (error) {
    // Of concurrent requests with one external id, the unique constraint lets one through; the others roll back.
    const winner = isTaken(db, error) ? await findEarlier(db) : undefined;
    if (winner) return replay(db, winner);
    throw error;
  }
}

/** Creates an order in the caller's transaction. The caller ensures that the external id is new. */
export const addOrder = async (tx: Transaction, request: NewOrder, now: number) =>
  writeOrder(tx, request, await readNamed(tx, request), now);

/** What an order refers to, read in one round trip; what is wrong with it is reported later. */
async function readNamed(tx: Transaction, { storeId, order }: NewOrder) {
  const contact = { name: '', phone: '', email: '', ...order.customer };
  const [sold, customer] = await Promise.all([readSold(tx, storeId, order), findCandidate(tx, storeId, contact)]);
  return { ...sold, contact, customer };
}

/** What is sold, and how it is delivered and paid. */
type Sale = Pick<OrderCreate, 'items' | 'discount' | 'delivery' | 'paymentTypeId'>;

async function readSold(db: Queryable, storeId: string, { items, delivery = {}, paymentTypeId }: Sale) {
  const fieldErrors = new FieldErrors();
  const [findProduct, deliveryType, paymentType] = await Promise.all([
    productFinder(db, storeId, items),
    delivery.typeId === undefined ? undefined : chosenDeliveryType(db, storeId, delivery.typeId, fieldErrors),
    paymentTypeId === undefined ? undefined : chosenPaymentType(db, storeId, paymentTypeId, fieldErrors),
  ]);
  return { fieldErrors, findProduct, deliveryType, paymentType };
}

function priced(
  { items, discount = 0, delivery = {} }: Sale,
  { findProduct, fieldErrors }: Pick<Awaited<ReturnType<typeof readSold>>, 'findProduct' | 'fieldErrors'>,
) {
  const lines = items.map((line, index) => newLine(line, index, findProduct, fieldErrors));
  const charges = { discount, deliveryCost: delivery.cost ?? 0, deliveryDiscount: delivery.discount ?? 0 };
  return { lines, charges, totals: totalsOf(lines, charges, fieldErrors) };
}

/** The errors of a sale that only records and totals show. */
export async function errorsOfSale(db: Queryable, storeId: string, sale: Sale) {
  const sold = await readSold(db, storeId, sale);
  priced(sale, sold);
  return sold.fieldErrors.list;
}

async function writeOrder(
  tx: Transaction,
  { storeId, currency, source, actor, order }: NewOrder,
  { fieldErrors, findProduct, deliveryType, paymentType, contact, customer }: Awaited<ReturnType<typeof readNamed>>,
  now: number,
) {
  const { delivery = {} } = order;
  const { lines, charges, totals } = priced(order, { findProduct, fieldErrors });
  fieldErrors.throwIfAny();

  const match = matchCustomer(tx, storeId, contact, customer, now);
  const [clock] = await Promise.all([
    tick(tx, storeId, now, { count: match?.changes ? 2 : 1, orders: 1 }),
    match?.locked,
  ]);
  if (match?.changes) match.write(clock.at, clock.seq - 1);

  const id = uuid(clock.at);
  const items = lines.map(
    (line, index): OrderItem => ({ id: uuid(clock.at), ...line, lineTotal: totals.lineTotals[index] as number }),
  );
  const document: OrderDocument = {
    id,
    externalId: order.externalId ?? '',
    createdAt: iso(clock.at),
    updatedAt: iso(clock.at),
    totalAmount: totals.totalAmount,
    discountTotal: totals.discountTotal,
    promoCode: order.promoCode ?? '',
    currency,
    customer: { id: match?.customerId ?? null, ...contact },
    delivery: {
      type: deliveryType?.name ?? '',
      cost: charges.deliveryCost,
      discount: charges.deliveryDiscount,
      ...addressOf(delivery),
      typeId: deliveryType?.id ?? null,
    },
    source,
    notes: order.notes ?? '',
    number: clock.number,
    paymentType: paymentType ?? null,
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
    ...writeDocument(document),
    items: writeItems(items),
  };
  insertOrder(tx, storeId, row, items.map(lineRow));
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
