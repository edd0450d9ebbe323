import type { Order, OrderCreate, OrderItem } from '@store-sales/contract';
import { type PricedLine, totalsOf } from '@store-sales/contract/totals';
import type { Actor } from '../actor.ts';
import { matchCustomer } from '../customers/match-customer.ts';
import { tick } from '../db/clock.ts';
import { type Database, isTaken, type Queryable, type Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { iso } from '../instant.ts';
import { Faults } from '../refusal.ts';
import { recordEvents } from '../webhooks/outbox/outbox.ts';
import { addressOf, type OrderDocument, writeDocument, writeItems } from './document.ts';
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
  /** The current order. */
  shown: queries.ShownOrder | undefined;
}

/** Creates the order, or returns the existing one with the same external id. */
export async function createOrder(db: Database, request: NewOrder, now: number): Promise<Created> {
  const { storeId, order } = request;
  const { externalId } = order;
  const earlier = async (at: Queryable): Promise<Created | undefined> => {
    const known = externalId === undefined ? undefined : await queries.findByExternalId(at, storeId, externalId);
    return known && { id: known.id, replayed: true, shown: await queries.show(at, storeId, known.id) };
  };
  try {
    const { id, replayed, shown } = await db.transaction(
      async (tx) => {
        const known = await earlier(tx);
        if (known) return known;
        const id = await addOrder(tx, request, now);
        // Not awaited: the query is pipelined with the commit and saves a round trip.
        return { id, replayed: false, shown: queries.show(tx, storeId, id) };
      },
      { storeId },
    );
    return { id, replayed, shown: await shown };
  } catch (error) {
    // Of concurrent requests with one external id, the unique constraint lets one through; the others roll back.
    const winner = isTaken(db, error) ? await earlier(db) : undefined;
    if (winner) return winner;
    throw error;
  }
}

/** Creates an order in the caller's transaction. The caller ensures that the external id is new. */
export async function addOrder(tx: Transaction, { storeId, currency, source, actor, order }: NewOrder, now: number) {
  const faults = new Faults();
  const [lines, types] = await Promise.all([
    pricedLines(tx, storeId, order.items, faults),
    chosenTypes(tx, storeId, order, faults),
  ]);
  const { delivery = {} } = order;
  const charges = {
    discount: order.discount ?? 0,
    deliveryCost: delivery.cost ?? 0,
    deliveryDiscount: delivery.discount ?? 0,
  };
  const totals = totalsOf(lines, charges, faults);
  faults.throwIfAny();

  const contact = { name: '', phone: '', email: '', ...order.customer };
  const match = await matchCustomer(tx, storeId, contact, now);
  const clock = await tick(tx, storeId, now, { count: match?.changes ? 2 : 1, orders: 1 });
  if (match?.changes) await match.write(clock.at, clock.seq - 1);

  const id = uuid(clock.at);
  const items = lines.map(
    ({ product, ...line }, index): OrderItem => ({
      id: uuid(clock.at),
      productId: product.id,
      externalProductId: product.external_id ?? '',
      name: product.name,
      sku: product.sku ?? '',
      ...line,
      lineTotal: totals.lineTotals[index] as number,
    }),
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
      typeId: types.delivery?.id ?? null,
      type: types.delivery?.name ?? '',
      cost: charges.deliveryCost,
      discount: charges.deliveryDiscount,
      ...addressOf(delivery),
    },
    paymentType: types.payment ?? null,
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

const lineRow = (item: OrderItem): queries.LineRow => ({
  id: item.id,
  product_id: item.productId,
  quantity: item.quantity,
  unit_price: item.unitPrice,
  discount: item.discount,
  line_total: item.lineTotal,
});

type SoldLine = PricedLine & { product: queries.SoldProduct };

/** Lines with product and price, in the order they were sent. */
async function pricedLines(tx: Transaction, storeId: string, items: OrderCreate['items'], faults: Faults) {
  const given = (pick: (item: OrderCreate['items'][number]) => string | undefined) => [
    ...new Set(items.map(pick).filter((value) => value !== undefined)),
  ];
  const found = await queries.findProducts(tx, storeId, {
    ids: given((item) => item.productId?.toLowerCase()),
    skus: given((item) => item.sku),
    externalIds: given((item) => item.externalProductId),
  });
  const byId = new Map(found.map((product) => [product.id, product]));
  const bySku = new Map(found.map((product) => [product.sku, product]));
  const byExternalId = new Map(found.map((product) => [product.external_id, product]));

  return items.flatMap((item, index): SoldLine[] => {
    const [field, product] =
      item.productId !== undefined
        ? ['productId', byId.get(item.productId.toLowerCase())]
        : item.sku !== undefined
          ? ['sku', bySku.get(item.sku)]
          : ['externalProductId', byExternalId.get(item.externalProductId as string)];
    const pointer = `/items/${index}/${field}`;
    if (!product) faults.add(pointer, 'not_found', 'names no product of this store');
    else if (!product.is_active) faults.add(pointer, 'inactive', 'names a product that is switched off');
    const unitPrice = item.unitPrice ?? product?.price ?? 0;
    // An unknown product still counts in the totals with the price sent, so that errors in the totals are reported too.
    const known = product ?? { id: '', external_id: null, sku: null, name: '', price: 0, is_active: false };
    return [{ product: known, quantity: item.quantity, unitPrice, discount: item.discount ?? 0 }];
  });
}

async function chosenTypes(tx: Transaction, storeId: string, order: OrderCreate, faults: Faults) {
  const { typeId } = order.delivery ?? {};
  const delivery = typeId === undefined ? undefined : await queries.findDeliveryType(tx, storeId, typeId.toLowerCase());
  if (typeId !== undefined && !delivery)
    faults.add('/delivery/typeId', 'not_found', 'names no delivery type that this store has enabled');
  const { paymentTypeId } = order;
  const payment: Order['paymentType'] | undefined =
    paymentTypeId === undefined ? undefined : await queries.findPaymentType(tx, storeId, paymentTypeId.toLowerCase());
  if (paymentTypeId !== undefined && !payment)
    faults.add('/paymentTypeId', 'not_found', 'names no payment type that this store has enabled');
  return { delivery, payment };
}
