import { type Random, seededRandom } from '@store-sales/server/demo/random';
import { hostileTexts, type Schema, type ValueMaker, valueMaker } from './fuzz-values.ts';

export interface FuzzRequest {
  method: string;
  /** Raw, including the query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer;
  /** The reason why this request must be rejected. */
  flaws: Set<'path' | 'body'>;
  /** The request matches the schema. */
  isWellFormed: boolean;
}

/** Credentials: valid headers, and values that are invalid or have fewer rights. */
export interface Identity {
  headers: Record<string, string>;
  invalid: Record<string, readonly string[]>;
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'QUERY'];
const brokenEncodings = [
  '%',
  '%z',
  '%zz',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%00',
  '%u0041',
  '%%32%35',
  '+',
  '%2B',
  '%F0%9F',
];
const oddPaths = [
  '/',
  '//',
  '/api/v1',
  '/api/v1/',
  '/api/v1/orders/',
  '/api/v1//orders',
  '/api/v1/orders/../credentials',
  '/api/v1/%6frders',
  '/API/V1/orders',
  '/api/v1/orders;a=b',
  '/api/v1/orders%00',
  '/api/v2/orders',
  '/api/v1/__proto__',
  '/api/v1/references/constructor',
  '/console/api/session',
  '/console/api/stores/%00',
  '/console/%2e%2e/%2e%2e/package.json',
  '/console/assets/..%2f..%2fpackage.json',
  '/docs/..%5c..%5csecret.key',
  '/healthz/x',
  '/%',
  '/%ff',
];

/** Requests for every operation; deterministic for a seed and serial. */
export function requestMaker(document: Schema, identity: Identity, pool: Record<string, readonly unknown[]>) {
  const operations = Object.entries(document.paths as Schema).flatMap(([path, methods]) =>
    Object.entries(methods as Schema).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      parameters: (operation.parameters ?? []) as Schema[],
      body: operation.requestBody?.content['application/json'].schema as Schema | undefined,
    })),
  );

  return function make(seed: number, serial: number): FuzzRequest {
    const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(serial + 1, 0x85ebca6b));
    const values = valueMaker(document, random, pool);
    const { path, method, parameters, body } = random.pick(operations);
    const request: FuzzRequest = {
      method,
      path: fillPath(path, values, random, pool),
      headers: { ...identity.headers },
      flaws: new Set(),
      isWellFormed: true,
    };
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && random.boolean(0.25))
      .map(({ name, schema }) => `${name}=${encodeURIComponent(String(values.valid(schema, name)))}`);
    request.path += query.length ? `?${query.join('&')}` : '';
    if (body) setBody(request, JSON.stringify(values.valid(body)));
    if (random.boolean(0.35)) return request;

    request.isWellFormed = false;
    mutate(request, random, values, body, parameters);
    if (random.boolean(0.2)) mutate(request, random, values, body, parameters);
    // Operations without a body ignore it.
    if (!body || request.method !== method) request.flaws.delete('body');
    return request;
  };

  function mutate(request: FuzzRequest, random: Random, values: ValueMaker, body: Schema | undefined, known: Schema[]) {
    const { headers, flaws } = request;
    const add = (parameter: string) => {
      request.path += `${request.path.includes('?') ? '&' : '?'}${parameter}`;
    };
    const oneOf = random.between(0, body ? 13 : 8);
    switch (oneOf) {
      case 0:
        // An unknown parameter, or a known one with a random value.
        add(
          `${random.pick(['colour', '__proto__', 'filter', 'filter[]', 'constructor', 'limit[]', ''])}=${encode(random)}`,
        );
        break;
      case 1: {
        const queries = known.filter((parameter) => parameter.in === 'query');
        if (queries.length) add(`${random.pick(queries).name}=${encode(random)}`);
        break;
      }
      case 2:
        add('twice=1&twice=2');
        flaws.add('path');
        break;
      case 3:
        flaws.clear();
        request.path = random.boolean(0.5)
          ? random.pick(oddPaths)
          : request.path.replace(/[^/]*$/, () => encode(random));
        break;
      case 4:
        flaws.clear();
        request.method = random.pick(methods);
        break;
      case 5:
        for (const [name, texts] of Object.entries(identity.invalid)) headers[name] = random.pick(texts);
        break;
      case 6:
        headers['x-request-id'] = random.pick(['', ' ', 'ok', '\u00ff', 'x'.repeat(500), '<script>', '{"a":1}']);
        headers['idempotency-key'] = random.pick([
          '',
          ' ',
          'k',
          'a b',
          '\u00e9',
          'x'.repeat(255),
          'x'.repeat(256),
          '"k"',
        ]);
        headers['if-match'] = random.pick(['', '*', '"1"', 'W/"1"', '"', '"a", "b"', 'x'.repeat(2000), '\u00e9']);
        break;
      case 7:
        add('x'.repeat(random.pick([100, 5000, 20_000])));
        flaws.add('path');
        break;
      case 8:
        headers[
          random.pick([
            'accept',
            'accept-encoding',
            'x-forwarded-for',
            'cookie',
            'range',
            'origin',
            'x-http-method-override',
          ])
        ] = random.pick([
          '',
          '*/*;q=9',
          'DELETE',
          'bytes=0-',
          '__Host-session=%zz',
          ',,,;;;',
          'null',
          'x'.repeat(4000),
        ]);
        break;
      case 9:
        setBody(request, random.pick(brokenBodies)(random));
        break;
      case 10: {
        const type = random.pick([
          'text/plain',
          'application/xml',
          'application/json; charset=utf-16',
          'application/json;',
          'APPLICATION/JSON',
          'application/json-patch+json',
          'multipart/form-data',
          'application/x-www-form-urlencoded',
          '',
          ';',
          'a/b/c',
        ]);
        headers['content-type'] = type;
        break;
      }
      case 11:
        headers['content-encoding'] = random.pick(['gzip', 'identity', 'br']);
        break;
      default: {
        const mutated = values.nearly(body as Schema);
        setBody(request, mutated.text);
        if (mutated.isRejected) flaws.add('body');
      }
    }
  }
}

function setBody(request: FuzzRequest, body: string | Buffer) {
  request.body = Buffer.from(body as string);
  request.flaws.delete('body');
  request.headers['content-type'] ??= 'application/json';
}

export const encode = (random: Random) => {
  if (random.boolean(0.3)) return random.pick(brokenEncodings);
  const text = random.pick(hostileTexts).slice(0, 3000);
  // A lone surrogate cannot be percent-encoded; its bytes can.
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
};

const brokenBodies: ((random: Random) => string | Buffer)[] = [
  () => '',
  () => '{',
  () => '[]',
  () => 'null',
  () => '"text"',
  () => '1',
  () => '\uFEFF{}',
  () => '{}{}',
  () => "{'a':1}",
  (random) => '['.repeat(random.pick([100, 10_000, 500_000])),
  (random) => '{"a":'.repeat(random.pick([100, 10_000, 200_000])),
  (random) => `${'['.repeat(50_000)}${']'.repeat(50_000)}${random.pick(['', ' '])}`,
  () => `{"items":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  () => `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join()}}`,
  () => `{"items":[${Array(5000).fill('{}').join()}]}`,
  () => `{"notes":"${'x'.repeat(1_100_000)}"}`,
  () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  () => Buffer.from('{"name":"x"}', 'utf16le'),
  (random) => Buffer.from(Array.from({ length: 64 }, () => random.between(0, 255))),
];

/** Existing ids, unknown ids, and random texts. */
function fillPath(path: string, values: ValueMaker, random: Random, pool: Record<string, readonly unknown[]>) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (random.boolean(0.1)) return values.uuid();
    if (random.boolean(0.1)) return encode(random) || 'x';
    return encodeURIComponent(String(random.pick(pool[name === 'id' ? path : name] ?? ['x'])));
  });
}
