import type { OrderCreate, OrderItem } from '@store-sales/contract';
import { totalsOf } from '@store-sales/contract/totals';
import type { Actor } from '../../actor.ts';
import { findNamed } from '../../catalog/named-products.ts';
import { contactKeys, findCustomer, matchCustomer } from '../../customers/match-customer.ts';
import type { StoreClock } from '../../db/clock/store-clock.ts';
import type { Queryable } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import type { Change, WritePlan } from '../../db/write/plan.ts';
import { FieldErrors } from '../../domain-error.ts';
import { findPromo, useWrites } from '../../promo/apply-promo.ts';
import { readStock, StockLedger, trackedOf } from '../../stock/ledger.ts';
import { iso } from '../../time/instant.ts';
import { eventWrites } from '../../webhooks/outbox/outbox.ts';
import { addressOf, type OrderDocument, showOrder, trackingCode, writeDocument, writeItems } from '../document.ts';
import * as queries from '../orders.queries.ts';
import { chosenDeliveryType, chosenPaymentType } from './chosen-types.ts';
import { newLine } from './order-lines.ts';
import { newPromo, textOnly } from './order-promo.ts';
import { newOrder } from './order-rows.queries.ts';

export interface NewOrder {
  storeId: string;
  currency: string;
  source: 'api' | 'manual' | 'site';
  actor: Actor;
  order: OrderCreate;
  now: number;
}

export interface Created extends queries.OrderResponse {
  id: string;
  /** The external id already exists: an earlier request created the order. */
  replayed: boolean;
}

/** Creates the order, or returns the existing one with the same external id. */
export const createOrder = (request: NewOrder): WritePlan<Facts, Created> => ({
  storeId: request.storeId,
  now: request.now,
  keys: orderKeys(request.order),
  read: (tx) => readFacts(tx, request),
  apply: (facts, clock) =>
    facts.earlier ? { writes: [], result: { ...facts.earlier, replayed: true } } : newOrderOf(request, facts, clock),
});

/** What a new order depends on that others may change. */
export const orderKeys = ({ externalId, customer = {} }: OrderCreate) => [
  ...(externalId === undefined ? [] : [`external id ${externalId}`]),
  ...contactKeys(customer),
];

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** What an order refers to, in one round trip. */
async function readFacts(tx: Queryable, { storeId, source, order }: NewOrder) {
  const { externalId, items, delivery = {}, paymentTypeId } = order;
  const contact = { name: '', phone: '', email: '', ...order.customer };
  const [earlier, statuses, products, deliveryType, paymentType, customer, promo] = await Promise.all([
    externalId === undefined ? undefined : queries.findByExternalId(tx, storeId, externalId),
    queries.firstStatuses(tx, storeId),
    findNamed(tx, storeId, items),
    delivery.typeId === undefined ? undefined : queries.findDeliveryType(tx, storeId, delivery.typeId.toLowerCase()),
    paymentTypeId === undefined ? undefined : queries.findPaymentType(tx, storeId, paymentTypeId.toLowerCase()),
    findCustomer(tx, storeId, contact),
    source !== 'api' && order.promoCode ? findPromo(tx, storeId, order.promoCode) : undefined,
  ]);
  const stock = await readStock(tx, storeId, trackedOf(products));
  return { earlier, statuses, products, stock, deliveryType, paymentType, contact, customer, promo };
}

function newOrderOf(
  { storeId, currency, source, actor, order, now }: NewOrder,
  { statuses, products, stock, contact, customer, promo: row, ...types }: Facts,
  clock: StoreClock,
): Change<Created> {
  const fieldErrors = new FieldErrors();
  const { externalId = '', delivery = {} } = order;
  const lines = order.items.map((line, index) => newLine(line, index, products, fieldErrors));
  const deliveryType = chosenDeliveryType(delivery.typeId, types.deliveryType, fieldErrors);
  const paymentType = chosenPaymentType(order.paymentTypeId, types.paymentType, fieldErrors);
  const discount = order.discount ?? 0;
  // The sender of an order of the API has computed what the code takes off.
  const promo =
    source === 'api'
      ? textOnly(order.promoCode)
      : newPromo(order.promoCode, row, { lines, discount, now }, fieldErrors, clock);
  const charges = {
    discount: discount + promo.discount,
    deliveryCost: delivery.cost ?? 0,
    deliveryDiscount: delivery.discount ?? 0,
  };
  const totals = totalsOf(lines, charges, fieldErrors);
  fieldErrors.throwIfAny();

  const ledger = new StockLedger(stock, clock);
  const warehouses = lines.map(({ productId, quantity }) => ledger.take(productId, quantity));
  const match = matchCustomer(storeId, contact, customer, clock);
  const id = uuid(clock.time);
  const items = lines.map(
    (line, index): OrderItem => ({ id: uuid(clock.time), ...line, lineTotal: totals.lineTotals[index] as number }),
  );
  const document: OrderDocument = {
    id,
    externalId,
    createdAt: iso(clock.time),
    updatedAt: iso(clock.time),
    totalAmount: totals.totalAmount,
    discountTotal: totals.discountTotal,
    promoCode: promo.code,
    currency,
    customer: { id: match.customerId, ...contact },
    delivery: {
      type: deliveryType?.name ?? '',
      cost: charges.deliveryCost,
      discount: charges.deliveryDiscount,
      ...addressOf(delivery),
      typeId: deliveryType?.id ?? null,
      trackingNumber: delivery.trackingNumber ?? '',
    },
    source,
    notes: order.notes ?? '',
    number: clock.nextNumber(),
    metadata: order.metadata ?? {},
    paymentType: paymentType ?? null,
  };
  const events = eventWrites({ storeId, orderId: id, externalId, actor, now }, [{ type: 'order.created' }], clock);
  const keys = {
    storeId,
    statusId: statuses.status_id,
    paymentStatusId: statuses.payment_status_id,
    at: clock.time,
    seq: clock.seq,
  };
  const stored = {
    ...writeDocument(document),
    items: writeItems(items),
    paid_amount: 0,
    promo_code_id: promo.id,
    promo_discount: promo.discount,
    tracking_code: trackingCode(document.delivery.trackingNumber),
  };
  const shown = { ...statuses, tracking_template: deliveryType?.tracking_template ?? '' };
  return {
    writes: [
      ...match.writes,
      ...useWrites(storeId, null, promo.id, clock),
      ...newOrder(keys, document, items, stored, warehouses),
      ...ledger.writes(storeId, { kind: 'order', orderId: id, actor }),
      ...events,
    ],
    result: { id, replayed: false, body: showOrder(stored, shown), seq: keys.seq },
  };
}
