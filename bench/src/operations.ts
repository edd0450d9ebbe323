import type { Database } from '@store-sales/server/db/database';
import { cursors } from '@store-sales/server/db/lists/cursor';
import { SEARCH_LIMIT } from '@store-sales/server/db/lists/list';
import type { Sql } from '@store-sales/server/db/sql';
import { sql, rows as values } from '@store-sales/server/db/sql';
import { uuid } from '@store-sales/server/db/uuid';
import { addressOf, type DocumentParts } from '@store-sales/server/orders/document';
import { showStatement } from '@store-sales/server/orders/orders.queries';
import { pageStatement } from '@store-sales/server/orders/read/list-orders';
import { searchTerms } from '@store-sales/server/orders/write/search-terms';
import { sealer } from '@store-sales/server/secrets';
import { type BenchDatabase, SECRET_KEY } from './bench-database.ts';
import type { BenchStore } from './generate.ts';
import type { DatabaseWork } from './programs/baseline-database.ts';
import type { SampleResponse } from './programs/baseline-http.ts';

export interface Operation {
  name: string;
  /** Raw HTTP requests, headers included. */
  requests: string[];
  /** The same work on the database alone; without it the baseline is `node:http` sending `sample`. */
  baseline?: DatabaseWork;
  /** Measured as a cache hit and as a cache miss. */
  isCached: boolean;
  sample(url: string): Promise<SampleResponse>;
}

const pages: Record<string, string> = {
  'page of 50': '',
  'page of 50, updatedAt:asc': 'order=updatedAt:asc',
  'page of 50 by status': 'filter[status]=completed',
  'page of 50 by payment status, updatedAt:desc': 'filter[paymentStatus]=paid&order=updatedAt:desc',
  'page of 50 with items': 'with=items',
};

export const rawRequest = (key: string, method: string, path: string, body = '') =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${
    body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  }\r\n${body}`;

export const newOrder = {
  items: [1, 2].map((index) => ({ sku: `SKU-${index}`, quantity: 1 })),
  delivery: { address: 'Москва, Большая Никитская ул., 12, кв. 34', city: 'Москва', house: '12' },
  customer: { name: 'Анна Ким' },
  notes: 'Позвонить за час',
};
export const createOrderRequest = (key: string) => rawRequest(key, 'POST', '/orders', JSON.stringify(newOrder));

async function addCustomers(db: Database, storeId: string) {
  const at = Date.now();
  const numbers = Array.from({ length: 50 }, (_, index) => 9_161_234_500 + index);
  await db.run(
    sql`insert into customers (store_id, id, external_id, name, phone, phone_key, email, email_key, created_at, updated_at, seq)
        values ${values(numbers.map((number, index) => [storeId, uuid(at), String(number), 'Анна Ким', `+7${number}`, `7${number}`, `${number}@example.com`, `${number}@example.com`, at, at, index]))}
        on conflict (store_id, external_id) do nothing`,
  );
}

/** As the service stores them, except for the order's number. */
function termsOfNewOrder(storeId: string, items: { sku: string; name: string }[]) {
  const customer = { phone: '', email: '', ...newOrder.customer };
  const { delivery, notes } = newOrder;
  const order = { number: 10_000, externalId: '', customer, delivery: addressOf(delivery), notes };
  const terms = searchTerms(order, items.slice(0, newOrder.items.length));
  return terms.map((term) => `${storeId.slice(-4)}001${term}`);
}

/** The measured operations, each with its baseline. */
export async function prepareOperations(database: BenchDatabase, { storeId, key, products }: BenchStore) {
  const db = database.open();
  const request = (method: string, path: string, body = '') => rawRequest(key, method, path, body);
  const get = async (url: string): Promise<SampleResponse> => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const addedByNode = ['date', 'connection', 'keep-alive'];
    return {
      headers: Object.fromEntries([...response.headers].filter(([name]) => !addedByNode.includes(name))),
      body: await response.text(),
    };
  };
  const read = (statements: Sql[]): DatabaseWork | undefined => {
    if (database.engine === 'sqlite') return undefined;
    const text = (statements[0] as Sql).text((index) => `$${index}`);
    return { kind: 'read', text, values: statements.map(({ values }) => [...values]) };
  };

  const orders = await db.all<DocumentParts & { id: string; items: string }>(
    sql`select id, document_head, document, document_rest, document_tail, items from orders
        where store_id = ${storeId} and number % 5 = 0 order by number limit 2000`,
  );
  const order = orders[0] as (typeof orders)[number];
  const codes = ['new', 'packing', 'delivering'];
  const statuses = await db.all<{ id: string; code: string }>(
    sql`select id, code from order_statuses where store_id = ${storeId}`,
  );
  const idOf = (code: string) => statuses.find((status) => status.code === code)?.id as string;
  const payment = await db.one<{ id: string }>(
    sql`select id from payment_statuses where store_id = ${storeId} and code = 'unpaid'`,
  );
  const apiKey = await db.one<{ id: string }>(sql`select id from api_keys where store_id = ${storeId}`);
  const endpointId = uuid(Date.now());
  // Endpoints of earlier runs must not get events.
  await db.run(
    sql`update webhook_endpoints set is_active = false, events = '' where store_id = ${storeId} and id <> ${endpointId}`,
  );
  await db.run(
    sql`insert into webhook_endpoints (store_id, id, url, events, secret, subscribed_seq, created_at)
        values (${storeId}, ${endpointId}, 'https://example.com/', 'order.created order.status_changed',
                ${sealer([SECRET_KEY]).seal('unused')}, 0, ${Date.now()})`,
  );
  await addCustomers(db, storeId);
  const rows = {
    storeId,
    endpointId,
    keyId: apiKey?.id as string,
    statuses: codes.map(idOf),
    paymentStatusId: payment?.id as string,
    productId: products[0] as string,
    document: order,
    items: order.items,
    terms: termsOfNewOrder(storeId, JSON.parse(order.items)),
    orderIds: orders.map(({ id }) => id),
  };
  const readOne = read(orders.map(({ id }) => showStatement(db.dialect, storeId, id)));
  const operations: Operation[] = [
    {
      name: 'read one order',
      requests: orders.map(({ id }) => request('GET', `/orders/${id}`)),
      ...(readOne && { baseline: readOne }),
      isCached: true,
      sample: (url) => get(`${url}/api/v1/orders/${order.id}`),
    },
    ...(await Promise.all(
      Object.entries(pages).map(async ([name, query]): Promise<Operation> => {
        const parsed = Object.fromEntries(new URLSearchParams(query));
        const baseline = read([
          await pageStatement(db, { cursors: cursors([SECRET_KEY]), searchLimit: SEARCH_LIMIT }, storeId, parsed),
        ]);
        return {
          name,
          requests: [request('GET', `/orders?${query}`)],
          ...(baseline && { baseline }),
          isCached: true,
          sample: (url) => get(`${url}/api/v1/orders?${query}`),
        };
      }),
    )),
    ...['products', 'customers'].map(
      (records): Operation => ({
        name: `page of 50 ${records}`,
        requests: [request('GET', `/${records}`)],
        isCached: false,
        sample: (url) => get(`${url}/api/v1/${records}`),
      }),
    ),
    {
      name: 'create',
      requests: [createOrderRequest(key)],
      baseline: { kind: 'create', rows },
      isCached: false,
      sample: async () => ({ headers: {}, body: '' }),
    },
    {
      name: 'change status',
      requests: codes
        .slice(1)
        .flatMap((status) => orders.map(({ id }) => request('PATCH', `/orders/${id}`, JSON.stringify({ status })))),
      baseline: { kind: 'change', rows },
      isCached: false,
      sample: async () => ({ headers: {}, body: '' }),
    },
  ];

  /** Stops the deliveries of the benchmark's endpoint, so that no dispatcher sends them. */
  async function cleanUp() {
    await db.run(
      sql`update webhook_endpoints set is_active = false where store_id = ${storeId} and id = ${endpointId}`,
    );
    await db.run(
      sql`update deliveries set status = 'stopped', next_attempt_at = null
          where store_id = ${storeId} and endpoint_id = ${endpointId}`,
    );
    await db.close();
  }
  return { operations, cleanUp };
}
