import type { TSchema } from 'typebox';
import { Product } from './catalog.ts';
import { Page } from './common.ts';
import { Credentials } from './credentials.ts';
import { Customer } from './customers.ts';
import { API_PREFIX, type Endpoint, endpoints } from './endpoints.ts';
import { type ErrorCode, errorCodes, Fault, Problem } from './errors.ts';
import { eventHeaders, eventTypes, OrderEvent, PingEvent } from './events.ts';
import { Order, OrderChange, OrderCreate, OrderCreateItem, OrderItem } from './orders.ts';
import * as references from './references.ts';

type Json = Record<string, unknown>;

const named: Record<string, TSchema> = {
  Credentials,
  Order,
  OrderItem,
  OrderCreate,
  OrderCreateItem,
  OrderChange,
  Product,
  Customer,
  DeliveryType: references.DeliveryType,
  DeliveryTypeChange: references.DeliveryTypeChange,
  PaymentType: references.PaymentType,
  PaymentTypeCreate: references.PaymentTypeCreate,
  OrderStatus: references.OrderStatus,
  OrderStatusCreate: references.OrderStatusCreate,
  OrderStatusChange: references.OrderStatusChange,
  PaymentStatus: references.PaymentStatus,
  PaymentStatusCreate: references.PaymentStatusCreate,
  PaymentStatusChange: references.PaymentStatusChange,
  Category: references.Category,
  Warehouse: references.Warehouse,
  WarehouseCreate: references.WarehouseCreate,
  Page,
  Problem,
  Fault,
  OrderEvent,
  PingEvent,
};
const nameOf = new Map(Object.entries(named).map(([name, schema]) => [schema as unknown, name]));

/** A schema as the document shows it: named ones by reference, each written out once under `components`. */
function show(schema: unknown, whole?: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return schema.map((entry) => show(entry));
  const name = schema === whole ? undefined : nameOf.get(schema);
  if (name) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, show(value)]));
}

/** The codes that an endpoint can answer with, beyond success. */
export function refusalsOf(endpoint: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = ['malformed_request', 'request_timeout', 'headers_too_large'];
  codes.push('unknown_parameter', 'missing_key', 'invalid_key', 'expired_key');
  if (endpoint.right) codes.push('insufficient_rights');
  codes.push('plan_required', 'store_inactive', 'rate_limited', 'internal_error', 'unavailable');
  if (endpoint.query) codes.push('invalid_parameter', 'invalid_cursor');
  if (endpoint.path.includes('{')) codes.push('not_found');
  if (endpoint.body) codes.push('malformed_json', 'body_too_large', 'unsupported_media_type', 'invalid_body');
  if (endpoint.etag && endpoint.method === 'PATCH') codes.push('precondition_failed');
  return [...codes, ...(endpoint.refusals ?? [])];
}

const header = (description: string, type = 'string') => ({ description, schema: { type } });

const requestId = { 'X-Request-Id': header('Yours if you sent one, else a new one.') };
const rateLimit = {
  'RateLimit-Limit': header('Requests a key may make in a minute.', 'integer'),
  'RateLimit-Remaining': header('Requests left in this minute.', 'integer'),
  'RateLimit-Reset': header('Seconds until the next minute starts.', 'integer'),
};
const errorHeaders: Record<number, Json> = {
  401: { 'WWW-Authenticate': header('`Bearer`') },
  429: { 'Retry-After': header('Seconds to wait.', 'integer') },
  503: { 'Retry-After': header('Seconds to wait.', 'integer') },
};

function responses(endpoint: Endpoint): Json {
  const result: Json = {};
  for (const status of endpoint.statuses) {
    result[status] = {
      description:
        status === 201 ? 'Created.' : endpoint.statuses.length > 1 ? 'Already created by an earlier request.' : 'Done.',
      headers: {
        ...requestId,
        ...rateLimit,
        ...(endpoint.etag && { ETag: header('Version of the record, for `If-Match`.') }),
        ...(status === 201 && endpoint.etag && { Location: header('Address of the new record.') }),
        ...(status === 200 && endpoint.statuses.length > 1 && { 'Idempotent-Replayed': header('`true`') }),
      },
      content: { 'application/json': { schema: show(endpoint.answer) } },
    };
  }
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(endpoint)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    result[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
      headers: { ...requestId, ...errorHeaders[status] },
      content: { 'application/problem+json': { schema: show(Problem) } },
    };
  }
  return result;
}

function parameters(endpoint: Endpoint): Json[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: endpoint.path.startsWith('/products') ? 'Id, external id or article, percent-encoded.' : 'Identifier.',
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(endpoint.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = show(schema) as Json;
    return { name, in: 'query', required: false, description, schema: rest };
  });
  const ifMatch = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` you read: the change is refused with 412 if the record has changed since.',
    schema: { type: 'string' },
  };
  return [...inPath, ...inQuery, ...(endpoint.etag && endpoint.method === 'PATCH' ? [ifMatch] : [])];
}

function operation(name: string, endpoint: Endpoint): Json {
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      endpoint.right ? `Needs the right \`${endpoint.right}\`.` : 'Any valid key will do.',
    ]
      .filter(Boolean)
      .join('\n\n'),
    parameters: parameters(endpoint),
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: show(endpoint.body) } } },
    }),
    responses: responses(endpoint),
  };
}

function webhooks(): Json {
  const entry = (name: string, summary: string, payload: TSchema) => ({
    post: {
      operationId: `receive.${name}`,
      tags: ['Webhooks'],
      summary,
      description:
        'Sent to the address set up in the console. `t` and the body, exactly as received, are signed: HMAC-SHA256 of `<t>.<body>` with the whole signing secret. Refuse stamps more than 300 seconds off.',
      security: [],
      parameters: [
        { name: eventHeaders.event, in: 'header', required: true, description: 'Event type.', schema: { const: name } },
        {
          name: eventHeaders.delivery,
          in: 'header',
          required: true,
          description: 'The delivery; the same across its retries.',
          schema: { type: 'string', format: 'uuid' },
        },
        {
          name: eventHeaders.signature,
          in: 'header',
          required: true,
          description: '`t=<unix seconds>,v1=<hex>`; one more `v1` for each secret that was replaced within the last 24 hours.',
          schema: { type: 'string' },
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: show(payload) } } },
      responses: {
        '2XX': { description: 'Received, within 10 seconds.' },
        '4XX': { description: 'Anything but a 2xx counts as a failure and is retried.' },
      },
    },
  });
  return Object.fromEntries([
    ...Object.entries(eventTypes).map(([type, meaning]) => [type, entry(type, meaning, OrderEvent)]),
    ['ping', entry('ping', 'A test from the settings', PingEvent)],
  ]);
}

/** The endpoint table as an OpenAPI 3.1 document. */
export function openapi(baseUrl: string, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    const path = `${API_PREFIX}${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Store Sales API',
      version,
      description:
        'Orders, reference lists, products and customers of a store, and webhooks. Amounts are integers in kopecks: 150000 means 1500.00. New fields may appear in answers at any time; ignore keys you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ key: [] }],
    tags: [
      { name: 'Key', description: 'The key in use.' },
      { name: 'Orders', description: 'List, read, create and change orders.' },
      { name: 'Products', description: 'The catalog.' },
      { name: 'Customers', description: 'The customers of the store.' },
      { name: 'References', description: 'Statuses, delivery and payment types, warehouses, categories.' },
      { name: 'Webhooks', description: 'What the service sends to you.' },
    ],
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of the store.' } },
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, show(schema, schema)])),
    },
  };
}
