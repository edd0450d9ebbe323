import { addressFields, type Order } from '@store-sales/contract';
import { stringify } from 'csv-stringify/sync';
import type { Queryable } from '../../db/database.ts';
import * as queries from '../orders.queries.ts';

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Orders per page; memory use does not grow with the store. */
const PAGE_SIZE = 500;

/**
 * Streams all orders of the store for programs, oldest first. `onOrders` is called with the number of orders in each
 * chunk.
 */
export async function* exportOrders(
  db: Queryable,
  storeId: string,
  format: ExportFormat,
  onOrders: (count: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const write = format === 'csv' ? csv : ndjson;
  if (format === 'csv') yield Buffer.from(stringify([Object.keys(columns)]));
  for await (const found of allOrders(db, storeId)) {
    yield write(found);
    onOrders(found.length);
  }
}

async function* allOrders(db: Queryable, storeId: string) {
  for (let last = 0; ; ) {
    const found = await queries.ordersAfter(db, storeId, last, PAGE_SIZE);
    const end = found.at(-1);
    if (!end) return;
    yield found;
    last = end.number;
  }
}

const lineEnd = Buffer.from('\n');

const ndjson = (orders: readonly queries.ExportedOrder[]) =>
  Buffer.concat(orders.flatMap(({ body }) => [body, lineEnd]));

/** Prefixes cells that a spreadsheet would evaluate as a formula with an apostrophe. */
const csv = (orders: readonly queries.ExportedOrder[]) =>
  Buffer.from(
    stringify(
      orders.map(({ body }) => {
        const order = JSON.parse(body.toString()) as Order;
        return Object.values(columns).map((read) => read(order));
      }),
      { escape_formulas: true, cast: { boolean: String } },
    ),
  );

const columns: Readonly<Record<string, (order: Order) => string | number | boolean | null>> = {
  id: (order) => order.id,
  number: (order) => order.number,
  externalId: (order) => order.externalId,
  createdAt: (order) => order.createdAt,
  updatedAt: (order) => order.updatedAt,
  status: (order) => order.status.code,
  statusName: (order) => order.status.name,
  paymentStatus: (order) => order.paymentStatus.code,
  paymentStatusName: (order) => order.paymentStatus.name,
  isPaid: (order) => order.paymentStatus.isPaid,
  totalAmount: (order) => order.totalAmount,
  paidAmount: (order) => order.paidAmount,
  discountTotal: (order) => order.discountTotal,
  promoCode: (order) => order.promoCode,
  currency: (order) => order.currency,
  customerName: (order) => order.customer.name,
  customerPhone: (order) => order.customer.phone,
  customerEmail: (order) => order.customer.email,
  deliveryType: (order) => order.delivery.type,
  deliveryCost: (order) => order.delivery.cost,
  deliveryDiscount: (order) => order.delivery.discount,
  ...Object.fromEntries(addressFields.map((field) => [field, (order: Order) => order.delivery[field]])),
  trackingNumber: (order) => order.delivery.trackingNumber,
  paymentType: (order) => order.paymentType?.name ?? '',
  source: (order) => order.source,
  notes: (order) => order.notes,
  items: (order) => (order.items ?? []).map(itemText).join('; '),
};

/** `2 × Green tea [TEA-1] = 30000` */
const itemText = ({ quantity, name, sku, lineTotal }: NonNullable<Order['items']>[number]) =>
  `${quantity} × ${name}${sku && ` [${sku}]`} = ${lineTotal}`;
