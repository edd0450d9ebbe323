import { addressFields, type Order } from '@store-sales/contract';
import { stringify } from 'csv-stringify/sync';
import { amountCell, phoneCell, textCell } from '../../imports/csv-cells.ts';
import { Pace } from '../../time/pace.ts';
import type { ExportedOrder } from '../orders.queries.ts';

export interface SpreadsheetOptions {
  timezone: string;
  /** A row per order, or a row per item. */
  rows: 'orders' | 'items';
  /** Spreadsheets whose language has a decimal comma expect semicolons between cells. */
  decimal: 'point' | 'comma';
}

type Item = NonNullable<Order['items']>[number];
type Value = string | number;

/** Characters in a piece of the file; a row more if it is long. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Serializes orders as CSV that is opened in a spreadsheet: amounts in units, local times, texts as texts. Yields the
 * event loop by time, as one order may have 500 rows.
 */
export async function* spreadsheetOf(
  chunks: AsyncIterable<readonly ExportedOrder[]>,
  options: SpreadsheetOptions,
): AsyncGenerator<Buffer> {
  const delimiter = options.decimal === 'comma' ? ';' : ',';
  // Spreadsheets begin a row at any line break that is not quoted, also at a single CR.
  const write = (rows: Value[][]) => Buffer.from(stringify(rows, { delimiter, quoted_match: /[\r\n]/ }));
  const columns = columnsOf(options);
  const pace = new Pace();
  let rows: Value[][] = [];
  let length = 0;
  yield write([Object.keys(columns)]);
  for await (const found of chunks)
    for (const line of linesOf(found, options.rows)) {
      const row = Object.values(columns).map((read) => read(line));
      rows.push(row);
      for (const value of row) length += typeof value === 'string' ? value.length : 1;
      if (pace.isTimeUp()) await pace.pause();
      if (length < PIECE_LENGTH) continue;
      yield write(rows);
      rows = [];
      length = 0;
    }
  if (rows.length) yield write(rows);
}

/** The rows of the file, one at a time. */
function* linesOf(orders: readonly ExportedOrder[], rows: SpreadsheetOptions['rows']): Generator<Line> {
  for (const { body } of orders) {
    const order = JSON.parse(body.toString()) as Order;
    const items = rows === 'items' && order.items?.length ? order.items : [undefined];
    for (const [index, item] of items.entries()) yield { order, item, isFirst: index === 0 };
  }
}

interface Line {
  order: Order;
  /** In a row per item. */
  item: Item | undefined;
  /** Whether this is the first row of the order. */
  isFirst: boolean;
}

type Columns = Record<string, (line: Line) => Value>;

function columnsOf({ timezone, rows, decimal }: SpreadsheetOptions): Columns {
  const amount = (kopecks: number) => amountCell(kopecks, decimal);
  /** Only in the first row of an order, so that the sum of the column is right. */
  const once = (read: (order: Order) => number) => (line: Line) => (line.isFirst ? amount(read(line.order)) : '');
  const typed = (read: (order: Order) => string | null) => (line: Line) => textCell(read(line.order) ?? '');
  // Every spreadsheet reads this form as a date and time.
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: timezone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' },
  });
  const time = (read: (order: Order) => string) => (line: Line) => format.format(Date.parse(read(line.order)));
  const itemText = ({ quantity, name, sku, lineTotal }: Item) =>
    `${quantity} × ${name}${sku && ` [${sku}]`} = ${amount(lineTotal)}`;
  const ofItem = (read: (item: Item) => Value) => (line: Line) => (line.item ? read(line.item) : '');
  const itemColumns: Columns = {
    itemName: ofItem(({ name }) => textCell(name)),
    itemSku: ofItem(({ sku }) => textCell(sku)),
    itemQuantity: ofItem(({ quantity }) => quantity),
    itemUnitPrice: ofItem(({ unitPrice }) => amount(unitPrice)),
    itemDiscount: ofItem(({ discount }) => amount(discount)),
    itemTotal: ofItem(({ lineTotal }) => amount(lineTotal)),
  };
  return {
    id: ({ order }) => order.id,
    number: ({ order }) => order.number,
    externalId: typed((order) => order.externalId),
    [`createdAt (${timezone})`]: time((order) => order.createdAt),
    [`updatedAt (${timezone})`]: time((order) => order.updatedAt),
    status: typed((order) => order.status.name),
    paymentStatus: typed((order) => order.paymentStatus.name),
    isPaid: ({ order }) => String(order.paymentStatus.isPaid),
    totalAmount: once((order) => order.totalAmount),
    paidAmount: once((order) => order.paidAmount),
    discountTotal: once((order) => order.discountTotal),
    promoCode: typed((order) => order.promoCode),
    currency: typed((order) => order.currency),
    customerName: typed((order) => order.customer.name),
    customerPhone: ({ order }) => phoneCell(order.customer.phone),
    customerEmail: typed((order) => order.customer.email),
    deliveryType: typed((order) => order.delivery.type),
    deliveryCost: once((order) => order.delivery.cost),
    deliveryDiscount: once((order) => order.delivery.discount),
    ...Object.fromEntries(addressFields.map((field) => [field, typed((order) => order.delivery[field])])),
    trackingNumber: typed((order) => order.delivery.trackingNumber),
    paymentType: typed((order) => order.paymentType?.name ?? ''),
    source: ({ order }) => order.source,
    notes: typed((order) => order.notes),
    ...(rows === 'items' ? itemColumns : { items: typed((order) => (order.items ?? []).map(itemText).join('; ')) }),
  };
}
