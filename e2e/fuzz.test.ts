import { afterAll, expect, test } from 'vitest';
import { migratedDatabase } from '../packages/server/test/database.ts';
import { responseChecker } from '../packages/server/test/openapi-check.ts';
import { type FuzzRequest, requestMaker } from './fuzz-requests.ts';
import { checkInvariants, FUZZ_TIMEOUT_MS, type FuzzResponse, ONLY, REQUESTS, runFuzz, SEED } from './fuzz-run.ts';
import { call, envOf, json, serve } from './processes.ts';

const testDb = await migratedDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0' });
const demo = await json<{ apiKey: string; storeId: string }>(env, ['demo']);
const weak = await json<{ key: string }>(env, [
  ...['key', 'create', '--store', demo.storeId, '--name', 'weak', '--rights', 'customers:read'],
]);
const node = await serve(env);
afterAll(async () => {
  await node.stop();
  await testDb.drop();
});

function checkResponse(request: FuzzRequest, response: FuzzResponse, check: ReturnType<typeof responseChecker>) {
  const { status, headers, text } = response;
  checkInvariants(response);
  if (request.flaws.size && /^.api.v1.[a-z]/.test(request.path) && status < 400)
    throw new Error(`was accepted with ${status}`);
  const body = /json/.test(headers['content-type'] ?? '') && text ? JSON.parse(text) : undefined;
  if (request.isWellFormed && ['malformed_json', 'unknown_parameter'].includes(body?.code))
    throw new Error(`matches the document, but is ${body.code}`);
  if (request.method !== 'HEAD')
    check(request.method, request.path, status, new Headers(headers as Record<string, string>), body);
  if (status === 201 && request.path === '/api/v1/orders') expectKept(JSON.parse(String(request.body)), body.data);
}

/** The response must contain every text of the new order unchanged. */
function expectKept(sent: Record<string, any>, order: Record<string, any>) {
  for (const name of ['externalId', 'notes', 'promoCode']) expect(order[name]).toBe(sent[name] ?? '');
  expect(order.customer).toMatchObject(sent.customer ?? {});
  // -0 is stored as 0.
  expect(order.delivery).toMatchObject(JSON.parse(JSON.stringify(sent.delivery ?? {})));
}

/** Demo records by parameter and field name. */
async function findRecords() {
  const list = async (path: string) => (await call(node, demo.apiKey, 'GET', `/api/v1${path}`)).body.data as any[];
  const [orders, products, customers] = await Promise.all([list('/orders'), list('/products'), list('/customers')]);
  const references = async (name: string) => list(`/references/${name}`);
  const ids = (records: any[]) => records.map(({ id }) => id as string);
  const [statuses, paymentStatuses, deliveryTypes, paymentTypes] = await Promise.all(
    ['order-statuses', 'payment-statuses', 'delivery-types', 'payment-types'].map(references),
  );
  const codes = (records: any[] = []) => records.map(({ code }) => code).filter(Boolean);
  const active = products.filter(({ isActive }) => isActive);
  return {
    productId: ids(active),
    sku: active.map(({ sku }) => sku).filter(Boolean),
    externalProductId: active.map(({ externalId }) => externalId).filter(Boolean),
    typeId: ids(deliveryTypes ?? []),
    paymentTypeId: ids(paymentTypes ?? []),
    status: codes(statuses),
    statusId: ids(statuses ?? []),
    paymentStatus: codes(paymentStatuses),
    paymentStatusId: ids(paymentStatuses ?? []),
    'filter[status]': codes(statuses),
    'filter[paymentStatus]': codes(paymentStatuses),
    cursor: [],
    unitPrice: [0, 1, 15_000],
    discount: [0, 0, 1],
    cost: [30_000],
    '/api/v1/orders/{id}': ids(orders),
    '/api/v1/products/{id}': [...ids(products), ...products.map(({ sku }) => sku).filter(Boolean)],
    '/api/v1/customers/{id}': ids(customers),
    '/api/v1/references/delivery-types/{id}': ids(deliveryTypes ?? []),
    '/api/v1/references/order-statuses/{id}': ids(statuses ?? []),
    '/api/v1/references/payment-statuses/{id}': ids(paymentStatuses ?? []),
  };
}

test(
  `${REQUESTS} requests generated from the document (seed ${SEED}): no 5xx, no hang, every response as documented`,
  async () => {
    const document = (await call(node, demo.apiKey, 'GET', '/api/v1/openapi.json')).body;
    const check = responseChecker(document);
    const bearer = (key: string) => `Bearer ${key}`;
    const identity = {
      headers: { authorization: bearer(demo.apiKey) },
      invalid: {
        authorization: [
          '',
          'Bearer',
          'Bearer  ',
          'Basic YTpi',
          bearer(`${demo.apiKey}x`),
          `bearer   ${demo.apiKey}`,
          bearer(weak.key),
          bearer('x'.repeat(8000)),
          `${bearer(demo.apiKey)}, ${bearer(weak.key)}`,
        ],
      },
    };
    const make = requestMaker(document, identity, await findRecords());
    const counts = await runFuzz(node.url, make, (request, response) => checkResponse(request, response, check));
    // Some requests must pass validation; otherwise nothing behind it was tested.
    const passed = (counts.get(200) ?? 0) + (counts.get(201) ?? 0);
    if (ONLY === undefined) expect(passed).toBeGreaterThan(REQUESTS * 0.15);
    expect((await call(node, demo.apiKey, 'GET', '/api/v1/credentials')).status).toBe(200);
  },
  FUZZ_TIMEOUT_MS,
);
