import type { OrderItem } from '@store-sales/contract';
import { createOwner } from '@store-sales/server/accounts/owners';
import { createStore } from '@store-sales/server/accounts/stores';
import { termChange } from '@store-sales/server/catalog/search-terms';
import type { Database } from '@store-sales/server/db/database';
import { writeTerms } from '@store-sales/server/db/search/record-terms';
import { rows, sql } from '@store-sales/server/db/sql';
import { uuid } from '@store-sales/server/db/uuid';
import { runWrites } from '@store-sales/server/db/write/run-plans';
import { firstNames, lastNames } from '@store-sales/server/demo/data';
import { seededRandom } from '@store-sales/server/demo/random';
import { createKey } from '@store-sales/server/keys/keys';
import { type OrderDocument, writeDocument, writeItems } from '@store-sales/server/orders/document';
import { foundBy, searchedBy } from '@store-sales/server/orders/write/order-rows.queries';
import { nameKey } from '@store-sales/server/text/names';
import { SingleBar } from 'cli-progress';

/** Of the owner of each generated store. */
export const PASSWORD = 'bench password';
const BATCH_SIZE = 500;
/** An order may change until this many newer orders exist. */
const MAX_OPEN_ORDERS = 400;

export interface BenchStore {
  storeId: string;
  key: string;
  products: string[];
}

interface Draft {
  id: string;
  number: number;
  createdAt: number;
  updatedAt: number;
  seq: number;
  status: string;
  payment: string;
}

/**
 * Generates a store with `count` orders spread over a year. Most orders are changed some time after their creation;
 * change numbers grow with the times. The random choices are seeded by `count`.
 */
export async function generateStore(db: Database, count: number, quiet = false): Promise<BenchStore> {
  const random = seededRandom(count);
  const now = Date.now();
  const start = now - 365 * 86_400_000;
  const owner = { email: `bench-${uuid(now)}@example.test`, name: 'Bench', password: PASSWORD };
  const { id: ownerId } = await createOwner(db, owner, start);
  const details = { ownerId, name: `${count} orders`, plan: 'optimal' };
  const { id: storeId } = await createStore(db, details, start);
  const rights = [
    'orders:read',
    'orders:write',
    'products:read',
    'customers:read',
    'references:read',
    'references:write',
  ];
  const { secret: key } = await createKey(db, { storeId, name: 'bench', rights }, now);
  const products = await addProducts(db, storeId, start);
  const codes = async (table: string) =>
    new Map(
      (table === 'order_statuses'
        ? await db.all<{ code: string; id: string }>(
            sql`select code, id from order_statuses where store_id = ${storeId}`,
          )
        : await db.all<{ code: string; id: string }>(
            sql`select code, id from payment_statuses where store_id = ${storeId}`,
          )
      ).map(({ code, id }) => [code, id]),
    );
  const statuses = await codes('order_statuses');
  const payments = await codes('payment_statuses');
  const id = (map: Map<string, string>, code: string) => map.get(code) as string;

  const bar = new SingleBar({ format: `${count} orders {bar} {percentage}% {eta_formatted}`, noTTYOutput: false });
  if (!quiet) bar.start(count, 0);
  const open: Draft[] = [];
  let closed: Draft[] = [];
  let seq = products.length;
  const step = (now - start) / (count + 1);
  const writeClosed = async () => {
    const batch = closed;
    closed = [];
    if (batch.length) await writeOrders(db, storeId, batch, products, random);
    if (!quiet) bar.increment(batch.length);
  };
  for (let number = 1; number <= count; number++) {
    const at = Math.floor(start + step * number);
    const draft = {
      id: uuid(at),
      number,
      createdAt: at,
      updatedAt: at,
      seq: ++seq,
      status: id(statuses, 'new'),
      payment: id(payments, 'unpaid'),
    };
    open.push(draft);
    if (random.boolean(0.9)) {
      const changed = random.pick(open);
      changed.seq = ++seq;
      changed.updatedAt = at;
      changed.status = id(
        statuses,
        random.pick(['new', 'packing', 'delivering', 'completed', 'completed', 'cancelled']),
      );
      changed.payment = id(payments, random.pick(['unpaid', 'paid', 'paid', 'refunded']));
    }
    if (open.length > MAX_OPEN_ORDERS) closed.push(open.shift() as Draft);
    if (closed.length >= BATCH_SIZE) await writeClosed();
  }
  closed.push(...open);
  while (closed.length) {
    const rest = closed.splice(BATCH_SIZE);
    await writeClosed();
    closed = rest;
  }
  if (!quiet) bar.stop();
  await db.run(
    sql`update store_clocks set seq = ${seq}, ts = ${now}, last_number = ${count} where store_id = ${storeId}`,
  );
  return { storeId, key, products };
}

export async function addProducts(db: Database, storeId: string, at: number): Promise<string[]> {
  const products = Array.from({ length: 50 }, (_, index) => ({
    ...{ id: uuid(at), sku: `SKU-${index}`, name: `Чай листовой № ${index}`, external_id: null },
    values: [nameKey(`Чай листовой № ${index}`), 10_000 + index, at, at, index + 1],
  }));
  await db.transaction(async (tx) => {
    await tx.run(
      sql`insert into products (store_id, id, sku, name, name_key, price, created_at, updated_at, seq)
          values ${rows(products.map(({ id, sku, name, values }) => [storeId, id, sku, name, ...values]))}`,
    );
    const terms = products.map((product) => termChange(product.id, undefined, product));
    await writeTerms(tx, 'products', storeId, terms);
  });
  return products.map(({ id }) => id);
}

function buyer(random: ReturnType<typeof seededRandom>) {
  const [cyrillic, latin] = random.pick(lastNames);
  const digits = String(random.between(9_000_000_000, 9_999_999_999));
  const phone = `+7 ${digits.slice(0, 3)} ${digits.slice(3, 6)}-${digits.slice(6, 8)}-${digits.slice(8)}`;
  const email = `${latin.toLowerCase()}${digits.slice(4)}@example.com`;
  return { id: null, name: `${random.pick(firstNames)} ${cyrillic}`, phone, email };
}

async function writeOrders(
  db: Database,
  storeId: string,
  drafts: Draft[],
  products: string[],
  random: ReturnType<typeof seededRandom>,
) {
  const orders: unknown[][] = [];
  const lines: unknown[][] = [];
  const searched: [OrderDocument, OrderItem[]][] = [];
  for (const draft of drafts) {
    const items = [0, 1].map((position) => {
      const index = random.between(0, products.length - 1);
      const item = { quantity: random.between(1, 3), unitPrice: 10_000 + index, discount: 0 };
      const line = {
        id: uuid(draft.createdAt),
        productId: products[index] as string,
        externalProductId: '',
        name: `Чай листовой № ${index}`,
        sku: `SKU-${index}`,
        ...item,
        lineTotal: item.quantity * item.unitPrice,
      };
      lines.push([
        storeId,
        draft.id,
        position,
        line.id,
        line.productId,
        line.quantity,
        line.unitPrice,
        0,
        line.lineTotal,
      ]);
      return line;
    });
    const total = items.reduce((sum, item) => sum + item.lineTotal, 0);
    const order: OrderDocument = {
      id: draft.id,
      externalId: `EXT-${draft.number}`,
      createdAt: new Date(draft.createdAt).toISOString(),
      updatedAt: new Date(draft.updatedAt).toISOString(),
      totalAmount: total,
      discountTotal: 0,
      promoCode: '',
      currency: 'RUB',
      customer: buyer(random),
      delivery: {
        type: 'Курьер',
        cost: 0,
        discount: 0,
        address: 'Москва, Большая Никитская ул., 12, кв. 34',
        city: 'Москва',
        region: 'Москва',
        street: 'Большая Никитская ул.',
        house: '12',
        flat: '34',
        postalCode: '125009',
        typeId: null,
        trackingNumber: '',
      },
      source: 'api',
      notes: 'Позвонить за час',
      number: draft.number,
      metadata: {},
      paymentType: null,
    };
    searched.push([order, items]);
    const { document_head, document, document_rest, document_tail } = writeDocument(order);
    orders.push([
      storeId,
      draft.id,
      draft.number,
      `EXT-${draft.number}`,
      draft.createdAt,
      draft.updatedAt,
      draft.seq,
      draft.status,
      draft.payment,
      'api',
      total,
      document_head,
      document,
      document_rest,
      document_tail,
      writeItems(items),
    ]);
  }
  await db.transaction(async (tx) => {
    await tx.run(
      sql`insert into orders (store_id, id, number, external_id, created_at, updated_at, seq, status_id, payment_status_id,
            source, total_amount, document_head, document, document_rest, document_tail, items) values ${rows(orders)}`,
    );
    await tx.run(
      sql`insert into order_lines (store_id, order_id, position, id, product_id, quantity, unit_price, discount, line_total)
          values ${rows(lines)}`,
    );
    await runWrites(
      tx,
      searched.flatMap(([order, items]) => [searchedBy(storeId, order, items), foundBy(storeId, order)]),
    );
  });
}
