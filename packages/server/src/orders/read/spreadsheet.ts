import { addressFields, type Order } from '@store-sales/contract';
import { stringify } from 'csv-stringify/sync';
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
  const amount = (kopecks: number) => {
    const digits = String(kopecks).padStart(3, '0');
    return `${digits.slice(0, -2)}${decimal === 'comma' ? ',' : '.'}${digits.slice(-2)}`;
  };
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

/**
 * LEFT-TO-RIGHT MARK: invisible, and a cell that begins with it is a text in every spreadsheet. See
 * docs/decisions/spreadsheet-text.md.
 */
const MARK = '\u200e';

/** What a formula begins with. */
const FORMULA = /^[=+\-@＝＋－＠]/;
/** What may separate it from the text before: delimiters, and characters that spreadsheets ignore. Matched at once. */
const GAP = /[,;"\s\p{Cf}]+/gu;
/** A spreadsheet that takes another delimiter begins a cell after one of these. */
const DELIMITER = /[,;\t\r\n"]/g;
/**
 * Digits and punctuation that spreadsheets turn into a number or a date, such as `0042`, `1-2` or `1E5`. A character can
 * belong to one repetition only, so a mismatch takes linear time.
 */
const NUMBER_OR_DATE = /^\s*\(?\d[\d\s.,:/()-]*(?:(?:e[+-]?\d+%?|%)\s*)?$/i;
/** A number that a spreadsheet shows as it is. */
const INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** A text that no spreadsheet evaluates or converts. In linear time: strangers type these texts. */
export function textCell(text: string): string {
  if (NUMBER_OR_DATE.test(text) && !INTEGER.test(text)) return MARK + text;
  const marked = text.replace(GAP, (gap, index: number) =>
    FORMULA.test(text.charAt(index + gap.length)) ? markedGap(gap, index === 0) : gap,
  );
  return FORMULA.test(text) ? MARK + marked : marked;
}

/** Marks each place before a formula where its cell may begin. */
function markedGap(gap: string, isStart: boolean): string {
  // Up to here, something else than ignored characters comes before the formula.
  const last = Math.max(...[',', ';', '"'].map((delimiter) => gap.lastIndexOf(delimiter)));
  const end = gap.slice(Math.max(0, last)).replace(DELIMITER, `$&${MARK}`);
  return last < 0 ? (isStart ? MARK : '') + end : gap.slice(0, last) + end;
}

/** Phones are texts even if they are integers: spreadsheets show a long one as 7.9E+10. */
const phoneCell = (phone: string) => (INTEGER.test(phone) ? MARK + phone : textCell(phone));
