import { type Chance, seededRandom } from '../packages/server/src/demo/random.ts';
import { hostileTexts, type Schema, type ValueMaker, valueMaker } from './fuzz-values.ts';

export interface FuzzRequest {
  method: string;
  /** As it is put on the wire, query included. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer;
  /** What makes it impossible that this succeeds, whatever the service makes of the rest. */
  flaws: Set<'path' | 'body'>;
  /** Nothing is wrong with its shape. */
  isWellFormed: boolean;
}

/** Who sends the requests: the headers that let them in, and values of these that do not, or not everywhere. */
export interface Identity {
  headers: Record<string, string>;
  spoiled: Record<string, readonly string[]>;
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

/** Requests for every operation of the document; the same seed and serial give the same one. */
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
    const luck = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(serial + 1, 0x85ebca6b));
    const values = valueMaker(document, luck, pool);
    const { path, method, parameters, body } = luck.pick(operations);
    const request: FuzzRequest = {
      method,
      path: fillPath(path, values, luck, pool),
      headers: { ...identity.headers },
      flaws: new Set(),
      isWellFormed: true,
    };
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && luck.often(0.25))
      .map(({ name, schema }) => `${name}=${encodeURIComponent(String(values.valid(schema, name)))}`);
    request.path += query.length ? `?${query.join('&')}` : '';
    if (body) setBody(request, JSON.stringify(values.valid(body)));
    if (luck.often(0.35)) return request;

    request.isWellFormed = false;
    spoil(request, luck, values, body, parameters);
    if (luck.often(0.2)) spoil(request, luck, values, body, parameters);
    // Where no body is read, none can be wrong.
    if (!body || request.method !== method) request.flaws.delete('body');
    return request;
  };

  function spoil(request: FuzzRequest, luck: Chance, values: ValueMaker, body: Schema | undefined, known: Schema[]) {
    const { headers, flaws } = request;
    const add = (parameter: string) => {
      request.path += `${request.path.includes('?') ? '&' : '?'}${parameter}`;
    };
    const oneOf = luck.between(0, body ? 13 : 8);
    switch (oneOf) {
      case 0:
        // One that is not known, or one that is with a value that may not be allowed.
        add(
          `${luck.pick(['colour', '__proto__', 'filter', 'filter[]', 'constructor', 'limit[]', ''])}=${encode(luck)}`,
        );
        break;
      case 1: {
        const queries = known.filter((parameter) => parameter.in === 'query');
        if (queries.length) add(`${luck.pick(queries).name}=${encode(luck)}`);
        break;
      }
      case 2:
        add('twice=1&twice=2');
        flaws.add('path');
        break;
      case 3:
        flaws.clear();
        request.path = luck.often(0.5) ? luck.pick(oddPaths) : request.path.replace(/[^/]*$/, () => encode(luck));
        break;
      case 4:
        flaws.clear();
        request.method = luck.pick(methods);
        break;
      case 5:
        for (const [name, texts] of Object.entries(identity.spoiled)) headers[name] = luck.pick(texts);
        break;
      case 6:
        headers['x-request-id'] = luck.pick(['', ' ', 'ok', '\u00ff', 'x'.repeat(500), '<script>', '{"a":1}']);
        headers['if-match'] = luck.pick(['', '*', '"1"', 'W/"1"', '"', '"a", "b"', 'x'.repeat(2000), '\u00e9']);
        break;
      case 7:
        add('x'.repeat(luck.pick([100, 5000, 20_000])));
        flaws.add('path');
        break;
      case 8:
        headers[
          luck.pick([
            'accept',
            'accept-encoding',
            'x-forwarded-for',
            'cookie',
            'range',
            'origin',
            'x-http-method-override',
          ])
        ] = luck.pick(['', '*/*;q=9', 'DELETE', 'bytes=0-', '__Host-session=%zz', ',,,;;;', 'null', 'x'.repeat(4000)]);
        break;
      case 9:
        setBody(request, luck.pick(brokenBodies)(luck));
        break;
      case 10: {
        const type = luck.pick([
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
        headers['content-encoding'] = luck.pick(['gzip', 'identity', 'br']);
        break;
      default: {
        const spoiled = values.nearly(body as Schema);
        setBody(request, spoiled.text);
        if (spoiled.isRefused) flaws.add('body');
      }
    }
  }
}

function setBody(request: FuzzRequest, body: string | Buffer) {
  request.body = Buffer.from(body as string);
  request.flaws.delete('body');
  request.headers['content-type'] ??= 'application/json';
}

export const encode = (luck: Chance) => {
  if (luck.often(0.3)) return luck.pick(brokenEncodings);
  const text = luck.pick(hostileTexts).slice(0, 3000);
  // Half of a pair cannot be percent-encoded; its bytes can.
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
};

const brokenBodies: ((luck: Chance) => string | Buffer)[] = [
  () => '',
  () => '{',
  () => '[]',
  () => 'null',
  () => '"text"',
  () => '1',
  () => '\uFEFF{}',
  () => '{}{}',
  () => "{'a':1}",
  (luck) => '['.repeat(luck.pick([100, 10_000, 500_000])),
  (luck) => '{"a":'.repeat(luck.pick([100, 10_000, 200_000])),
  (luck) => `${'['.repeat(50_000)}${']'.repeat(50_000)}${luck.pick(['', ' '])}`,
  () => `{"items":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  () => `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join()}}`,
  () => `{"items":[${Array(5000).fill('{}').join()}]}`,
  () => `{"notes":"${'x'.repeat(1_100_000)}"}`,
  () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  () => Buffer.from('{"name":"x"}', 'utf16le'),
  (luck) => Buffer.from(Array.from({ length: 64 }, () => luck.between(0, 255))),
];

/** Records that are there, ids that are nobody's, and texts that were never meant for a path. */
function fillPath(path: string, values: ValueMaker, luck: Chance, pool: Record<string, readonly unknown[]>) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (luck.often(0.1)) return values.uuid();
    if (luck.often(0.1)) return encode(luck) || 'x';
    return encodeURIComponent(String(luck.pick(pool[name === 'id' ? path : name] ?? ['x'])));
  });
}
