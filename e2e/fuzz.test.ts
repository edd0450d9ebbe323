import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { emptyPlace } from '../packages/server/test/database.ts';
import { answerChecker } from '../packages/server/test/openapi-check.ts';
import { type FuzzRequest, requestMaker } from './fuzz-requests.ts';
import { call, envOf, json, serve } from './processes.ts';

/** The long form: FUZZ_REQUESTS=100000 npm test -- e2e/fuzz. One request again: FUZZ_SEED=… FUZZ_SERIAL=… */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const ONLY = process.env.FUZZ_SERIAL === undefined ? undefined : Number(process.env.FUZZ_SERIAL);
const AT_ONCE = 16;
const LIMIT_MS = 20_000;

const place = await emptyPlace();
const env = envOf(place, { RATE_LIMIT_PER_MINUTE: '0' });
const demo = await json<{ apiKey: string; storeId: string }>(env, ['demo']);
const weak = await json<{ key: string }>(env, [
  ...['key', 'create', '--store', demo.storeId, '--name', 'weak', '--rights', 'customers:read'],
]);
const node = await serve(env);
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
afterAll(async () => {
  agent.destroy();
  await node.stop();
  await place.drop();
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

function send({ method, path, headers, body }: FuzzRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(node.url);
    const request = httpRequest(
      { agent, hostname, port, method, path, headers: { ...headers, ...(body && { 'content-length': body.length }) } },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          resolve({ status: response.statusCode as number, headers: response.headers, text });
        });
      },
    );
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${LIMIT_MS} ms`)), LIMIT_MS);
    request.on('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.end(body);
  });
}

/** What no answer may ever show of our insides. */
const insides = /node_modules|SQLITE|sqlite_|\bat .+\.[jt]s:\d|syntax error|pg_|Cannot read prop|is not a function/;

function judge(request: FuzzRequest, { status, headers, text }: Answer, check: ReturnType<typeof answerChecker>) {
  if (status >= 500) throw new Error(`answered ${status}`);
  if (request.flaws.size && /^.api.v1.[a-z]/.test(request.path) && status < 400)
    throw new Error(`was accepted with ${status}`);
  if (insides.test(text) && status >= 400) throw new Error('shows our insides');
  if (!headers['x-request-id']) throw new Error('lacks X-Request-Id');
  const body = /json/.test(headers['content-type'] ?? '') && text ? JSON.parse(text) : undefined;
  if (request.isWellFormed && ['malformed_json', 'unknown_parameter'].includes(body?.code))
    throw new Error(`fits the document, but is ${body.code}`);
  if (request.method !== 'HEAD')
    check(request.method, request.path, status, new Headers(headers as Record<string, string>), body);
  if (status === 201 && request.path === '/api/v1/orders') expectKept(JSON.parse(String(request.body)), body.data);
}

/** Every text of a new order comes back as it was sent. */
function expectKept(sent: Record<string, any>, order: Record<string, any>) {
  for (const name of ['externalId', 'notes', 'promoCode']) expect(order[name]).toBe(sent[name] ?? '');
  expect(order.customer).toMatchObject(sent.customer ?? {});
  // Sent as -0 it is kept as 0, which is the same amount.
  expect(order.delivery).toMatchObject(JSON.parse(JSON.stringify(sent.delivery ?? {})));
}

/** The records of the demo, by the names under which requests speak of them. */
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

test(`${REQUESTS} requests made from the document (seed ${SEED}): no 5xx, no hang, every answer as documented`, async () => {
  const document = (await call(node, demo.apiKey, 'GET', '/api/v1/openapi.json')).body;
  const check = answerChecker(document);
  const make = requestMaker(document, { good: demo.apiKey, weak: weak.key }, await findRecords());
  const counts = new Map<number, number>();
  const failures: string[] = [];
  let serial = 0;
  let slowest = { ms: 0, serial: 0 };

  async function attempt(number: number) {
    const request = make(SEED, number);
    try {
      const sentAt = performance.now();
      const answer = await send(request);
      const ms = Math.round(performance.now() - sentAt);
      if (ms > slowest.ms) slowest = { ms, serial: number };
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      judge(request, answer, check);
    } catch (error) {
      const { method, path, headers, body } = request;
      const sent = `${method} ${path.slice(0, 400)}\n${JSON.stringify(headers).slice(0, 600)}\n${String(body ?? '').slice(0, 600)}`;
      failures.push(`FUZZ_SEED=${SEED} FUZZ_SERIAL=${number}: ${(error as Error).message.slice(0, 800)}\n${sent}`);
    }
  }
  const worker = async () => {
    while (serial < REQUESTS && failures.length < 20) await attempt(serial++);
  };
  const started = Date.now();
  if (ONLY !== undefined) await attempt(ONLY);
  else await Promise.all(Array.from({ length: AT_ONCE }, worker));

  expect(failures.join('\n\n')).toBe('');
  const shown = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.info(
    `seed ${SEED}: ${serial} requests in ${Date.now() - started} ms, the slowest (${slowest.serial}) ${slowest.ms} ms; ${shown.join(', ')}`,
  );
  // Not all of it may bounce off the first check, or nothing behind it was tried.
  const passed = (counts.get(200) ?? 0) + (counts.get(201) ?? 0);
  if (ONLY === undefined) expect(passed).toBeGreaterThan(REQUESTS * 0.15);
  expect((await call(node, demo.apiKey, 'GET', '/api/v1/credentials')).status).toBe(200);
}, 3_600_000);
