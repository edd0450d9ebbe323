import { type ConsoleEndpoint, consoleEndpoints } from '@store-sales/contract/console';
import { type Random, seededRandom } from '@store-sales/server/demo/random';
import { afterAll, expect, test } from 'vitest';
import { migratedDatabase } from '../packages/server/test/database.ts';
import { encode, type FuzzRequest, requestMaker } from './fuzz-requests.ts';
import { checkInvariants, FUZZ_TIMEOUT_MS, type FuzzResponse, ONLY, REQUESTS, runFuzz, SEED } from './fuzz-run.ts';
import { hostileTexts } from './fuzz-values.ts';
import { envOf, json, serve, storeSales } from './processes.ts';

const testDb = await migratedDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_INTERNAL: 'true' });
const demo = await json<{ email: string; password: string; storeId: string; apiKey: string }>(env, ['demo']);
const secondOwner = { email: 'guest@example.test', password: 'correct horse' };
await storeSales(
  env,
  ['owner', 'create', '--email', secondOwner.email, '--name', 'G', '--password-stdin'],
  'correct horse\n',
);
const node = await serve(env);
afterAll(async () => {
  await node.stop();
  await testDb.drop();
});

const API = '/console/api';
const STORE = `${API}/stores/${demo.storeId}`;

async function signIn({ email, password }: { email: string; password: string }) {
  const response = await fetch(`${node.url}${API}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: node.url },
    body: JSON.stringify({ email, password }),
  });
  expect(response.status).toBe(204);
  return response.headers.getSetCookie()[0]?.split(';')[0] as string;
}

function checkResponse(request: FuzzRequest, response: FuzzResponse) {
  const { status, headers, text } = response;
  checkInvariants(response);
  if (text.includes('internal_error')) throw new Error('contains an internal error');
  if (status < 400 || request.method === 'HEAD') return;
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/problem+json')) throw new Error(`${status} has content type ${type}`);
  const problem = JSON.parse(text);
  const { type: about, title, detail, code, requestId } = problem;
  if (problem.status !== status || [about, title, detail, code, requestId].some((value) => typeof value !== 'string'))
    throw new Error(`is not a problem document: ${text.slice(0, 300)}`);
  // Errors without a field: an undecodable path, an unreadable file.
  if (detail === 'The path is not correctly percent-encoded.' || request.headers['content-type'] === 'text/csv') return;
  const isNamed = (problem.errors ?? []).some(
    ({ parameter, pointer }: { parameter?: string; pointer?: string }) =>
      parameter !== undefined || pointer !== undefined,
  );
  const namesFields = ['invalid_parameter', 'unknown_parameter', 'invalid_body', 'invalid_cursor'];
  // A disabled endpoint: the error concerns the record, not a field.
  const hasFields = !/\/(resend|ping)\b/.test(request.path);
  if (namesFields.includes(problem.code) && hasFields && !isNamed)
    throw new Error(`has no field: ${text.slice(0, 300)}`);
}

/** The console's endpoint table as an OpenAPI document. */
function consoleDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [route, { query, body, response }] of Object.entries(consoleEndpoints) as [string, ConsoleEndpoint][]) {
    // A stream of events does not end.
    if (response && 'contentType' in response && response.contentType.startsWith('text/event-stream')) continue;
    const [method, path] = route.split(' ') as [string, string];
    const name = API + path;
    paths[name] ??= {};
    paths[name][method.toLowerCase()] = {
      parameters: Object.entries(query?.properties ?? {}).map(([name, schema]) => ({ name, in: 'query', schema })),
      ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    };
  }
  return JSON.parse(JSON.stringify({ paths })) as { paths: typeof paths };
}

/** Demo records by names of path parameters and fields. */
async function findRecords(cookie: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie, origin: node.url, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${node.url}${STORE}${path}`, init);
    expect(response.ok, `${method} ${path}`).toBe(true);
    return response.json() as Promise<any>;
  };
  const ids = (records: any) => (Array.isArray(records) ? records : records.data).map(({ id }: any) => id as string);
  const listed = async (path: string) => ids(await call('GET', path));
  const endpoint = await call('POST', '/webhooks', { url: 'http://127.0.0.1:1/hook', events: ['order.created'] });
  const endpointId = endpoint.id ?? endpoint.endpoint?.id;
  const ping = await call('POST', `/webhooks/${endpointId}/ping`);
  const days = ['2026-09-27', '0000-01-01', '9999-12-31', '1969-12-31', '2024-02-29', '2026-02-30'];
  const statusId = await listed('/order-statuses');
  return {
    storeId: [demo.storeId],
    orderId: await listed('/orders'),
    productId: await listed('/products'),
    categoryId: await listed('/categories'),
    customerId: await listed('/customers'),
    keyId: await listed('/keys'),
    statusId,
    paymentStatusId: await listed('/payment-statuses'),
    deliveryTypeId: await listed('/delivery-types'),
    paymentTypeId: await listed('/payment-types'),
    warehouseId: await listed('/warehouses'),
    endpointId: [endpointId],
    deliveryId: [ping.deliveryId],
    sessionId: ['x'],
    from: days,
    to: days,
    q: ['te', '1', '+7', '#1', '%', '_', 'a@b'],
    order: ['1', '#1', '999999999999999', 'x'],
    actor: ['owner', 'system', '-'.repeat(36), statusId[0]],
    status: ['new', 'packing', statusId[0]],
    sku: ['TEA-GREEN-100'],
    url: ['http://127.0.0.1:1/hook', 'https://127.0.0.1:1/', 'http://user@127.0.0.1/', 'ftp://127.0.0.1', 'http://'],
    life: ['90d', '1y', '0d', '99999999999d', '1.5y', ''],
    timezone: ['Europe/Moscow', 'UTC', 'Mars/Base', '+03:00', ''],
    currency: ['RUB', 'KZT', 'rub', 'XXX'],
    unitPrice: [0, 1, Number.MAX_SAFE_INTEGER],
    price: [0, 1, Number.MAX_SAFE_INTEGER],
  };
}

const tables: Record<string, readonly string[]> = {
  products: ['externalId,sku,name,price', 'name,price', 'name'],
  categories: ['externalId,name,parentExternalId', 'name'],
  customers: ['externalId,name,phone,email', 'name'],
};

/** Import files: mostly a valid header, with random cells. */
function file(random: Random, kind: string): Buffer {
  const heading = random.boolean(0.8) ? random.pick(tables[kind] ?? ['name']) : random.pick(hostileTexts);
  const cell = () => {
    const text = random.pick([
      ...hostileTexts.filter(({ length }) => length < 1000),
      '1',
      '1.5',
      '-1',
      'a',
      '1e9',
      '"',
    ]);
    return random.boolean(0.5) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const row = () => Array.from({ length: random.between(0, 5) }, cell).join(random.pick([',', ';', '\t']));
  const rows = Array.from({ length: random.between(0, 20) }, row);
  return Buffer.from([heading, ...rows].join(random.pick(['\n', '\r\n', '\r'])));
}

test(
  `${REQUESTS} requests to every route of the console (seed ${SEED}): no 5xx, every error a problem`,
  async () => {
    const [cookie, spare] = [await signIn(demo), await signIn(secondOwner)];
    const identity = {
      headers: { cookie, origin: node.url },
      invalid: {
        cookie: [
          '',
          'session=',
          'session=x',
          'session=%00',
          `session=${'x'.repeat(5000)}`,
          'session="a',
          `${cookie}; ${cookie}`,
        ],
        origin: ['', 'null', 'https://evil.example', `${node.url}.evil.example`, 'http://', node.url],
      },
    };
    const base = requestMaker(consoleDocument(), identity, await findRecords(cookie));
    const make = (seed: number, serial: number) => {
      const request = base(seed, serial);
      const [, kind] = /\/(products|categories|customers)\/import\b/.exec(request.path) ?? [];
      if (kind && request.method === 'POST') {
        const random = seededRandom(seed + serial);
        request.body = file(random, kind);
        request.headers['content-type'] = random.boolean(0.9) ? 'text/csv' : 'application/json';
      }
      // Requests that end sessions use another owner; otherwise the signed-in routes would no longer be tested.
      if (request.method === 'DELETE' && /\/sessions?([?/]|$)/.test(decoded(request.path)))
        request.headers.cookie = spare;
      return request;
    };
    const counts = await runFuzz(node.url, make, checkResponse);
    // Some requests must pass validation; otherwise nothing behind it was tested.
    const passed = [200, 201, 204].reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
    if (ONLY === undefined) expect(passed).toBeGreaterThan(REQUESTS * 0.15);
    const home = await fetch(`${node.url}${STORE}/home`, { headers: { cookie } });
    expect(home.status).toBe(200);
  },
  FUZZ_TIMEOUT_MS,
);

function decoded(path: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const roots = [
  '/',
  '/docs',
  '/docs/',
  '/docs/errors',
  '/docs/guides',
  '/healthz',
  '/readyz',
  '/metrics',
  '/console',
  '/console/',
  '/console/index.html',
  '/console/assets/',
  '/console/orders',
  '/console/api',
  '/api/v1/openapi.json',
];
const steps = [
  ...['..', '.', '%2e%2e', '%2E%2E%2F', '..%2f', '..%5c', '..\\', '%252e%252e%252f', '....//', ';/..', '%c0%ae%c0%ae/'],
  ...['%00', 'index.html%00.js', 'a%00b', '%', '%zz', '%ff', '//', '/', '*', '~', '.env', '.git/config', 'secret.key'],
  ...['package.json', 'etc/passwd', 'store-sales.db', 'index.html.gz', 'assets', '__proto__', 'x'.repeat(8000)],
];
const methods = [
  ...['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK'],
  ...['QUERY', 'SEARCH', 'REPORT', 'PURGE', 'UNLINK', 'M-SEARCH'],
];
const unusualHeaders: Record<string, readonly string[]> = {
  range: ['bytes=0-', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,1-1,2-2', 'bytes=99999999999999999999-', 'lines=1-2', 'x'],
  'if-none-match': ['*', '"x"', 'W/"x"', '"', ',,,', 'x'.repeat(4000)],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'never', '-1', '9'.repeat(300)],
  'if-range': ['"x"', 'never'],
  'accept-encoding': ['gzip', 'br', 'identity;q=0', '*;q=0', 'gzip;q=NaN', ',,,', 'x'.repeat(4000)],
  'accept-language': ['ru', '*', 'x'.repeat(4000), '-;q=9'],
  accept: ['application/json', 'text/html', '*/*;q=-1', 'x'],
  host: ['', 'evil.example', '[::1', 'a b', '127.0.0.1:99999', 'x'.repeat(4000)],
  'x-forwarded-for': ['127.0.0.1', '::1, evil', 'x'.repeat(4000)],
  'x-request-id': ['', 'ok', '\u00ff', 'x'.repeat(500)],
  'content-type': ['text/csv', 'application/json', '', 'a/b/c'],
  'content-encoding': ['gzip', 'x'],
  authorization: ['Bearer', 'Basic YTpi', 'x'.repeat(8000)],
  connection: ['close', 'keep-alive, x', 'upgrade'],
  upgrade: ['websocket', 'h2c'],
};

/** Files that must never be served. */
const outside = /SQLite format 3|"workspaces"|root:[x*]:0:|\[core\]/;

test(
  `${REQUESTS} requests to pages, files and health (seed ${SEED}): no 5xx, no files from outside`,
  async () => {
    const make = (seed: number, serial: number): FuzzRequest => {
      const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(serial + 1, 0xc2b2ae35));
      let path = random.pick(roots);
      if (random.boolean(0.7))
        for (let depth = random.between(1, 4); depth > 0; depth--)
          path += `${path.endsWith('/') || random.boolean(0.2) ? '' : '/'}${random.boolean(0.8) ? random.pick(steps) : encode(random)}`;
      if (random.boolean(0.3))
        path += `?${random.pick(['', 'a', '=', '%', '%00', '&&&', `${encode(random)}=${encode(random)}`])}`;
      const headers: Record<string, string> = {};
      while (random.boolean(0.5)) {
        const name = random.pick(Object.keys(unusualHeaders));
        headers[name] = random.pick(unusualHeaders[name] as readonly string[]);
      }
      const method = random.pick(methods);
      const body = random.boolean(0.1) ? Buffer.from(random.pick(['', 'x', '{', 'a'.repeat(2000)])) : undefined;
      return { method, path, headers, ...(body && { body }), flaws: new Set(), isWellFormed: false };
    };
    const counts = await runFuzz(node.url, make, (_request, response) => {
      const { status, headers, text } = response;
      // Malformed paths or headers are rejected before there is a request.
      if (status < 500 && !headers['x-request-id'] && [400, 431].includes(status)) return;
      checkInvariants(response);
      if (outside.test(text)) throw new Error('shows a file from outside');
    });
    if (ONLY === undefined) expect(counts.get(200) ?? 0).toBeGreaterThan(REQUESTS * 0.02);
    for (const path of ['/healthz', '/readyz', '/docs', '/console/']) {
      const { status } = await fetch(node.url + path, { redirect: 'manual' });
      expect([path, status < 400]).toEqual([path, true]);
    }
  },
  FUZZ_TIMEOUT_MS,
);
