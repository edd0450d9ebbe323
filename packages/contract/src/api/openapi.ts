import type { TSchema } from 'typebox';
import { OrderEvent, PingEvent } from '../webhooks/events.ts';
import { eventHeaders, eventTypes, standardHeaders } from '../webhooks/values.ts';
import { Product } from './catalog.ts';
import { IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_KEY_PATTERN, Page, SyncedPage } from './common.ts';
import { Credentials } from './credentials.ts';
import { Customer } from './customers.ts';
import { API_PREFIX, type Endpoint, endpoints } from './endpoints.ts';
import { type ErrorCode, errorCodes, FieldError, Problem } from './errors.ts';
import { bodyExamples } from './examples.ts';
import {
  Order,
  OrderChange,
  OrderChangeItem,
  OrderCreate,
  OrderCreateItem,
  OrderItem,
  OrderSummary,
} from './orders.ts';
import * as references from './references.ts';
import { StockChange, StockLine, StockQuantity } from './stock.ts';

type Json = Record<string, unknown>;

const named: Record<string, TSchema> = {
  Credentials,
  Order,
  OrderSummary,
  OrderItem,
  OrderCreate,
  OrderCreateItem,
  OrderChange,
  OrderChangeItem,
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
  StockChange,
  StockLine,
  StockQuantity,
  Page,
  SyncedPage,
  Problem,
  FieldError,
  OrderEvent,
  PingEvent,
};
const nameOf = new Map(Object.entries(named).map(([name, schema]) => [schema as unknown, name]));

/** Replaces named schemas with references to `components`. */
function show(schema: unknown, whole?: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return schema.map((entry) => show(entry));
  const name = schema === whole ? undefined : nameOf.get(schema);
  if (name) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, show(value)]));
}

/** All error codes that an endpoint can return. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = ['malformed_request', 'request_timeout', 'headers_too_large'];
  codes.push('unknown_parameter', 'missing_key', 'invalid_key', 'expired_key');
  if (endpoint.right) codes.push('insufficient_rights');
  codes.push('plan_required', 'store_inactive', 'rate_limited', 'internal_error', 'unavailable');
  if (endpoint.query) codes.push('invalid_parameter', 'invalid_cursor');
  if (endpoint.method === 'POST') codes.push('invalid_parameter', 'idempotency_in_progress', 'idempotency_key_reused');
  if (endpoint.path.includes('{')) codes.push('not_found');
  if (endpoint.body) codes.push('malformed_json', 'body_too_large', 'unsupported_media_type', 'invalid_body');
  if (endpoint.etag && endpoint.method === 'PATCH') codes.push('precondition_failed');
  return [...codes, ...(endpoint.errors ?? [])];
}

const header = (description: string, type = 'string') => ({ description, schema: { type } });

const requestId = { 'X-Request-Id': header('The `X-Request-Id` of the request, or a generated one.') };
const rateLimit = {
  'RateLimit-Limit': header('Requests allowed per minute with this key.', 'integer'),
  'RateLimit-Remaining': header('Requests remaining in the current minute.', 'integer'),
  'RateLimit-Reset': header('Seconds until the next minute starts.', 'integer'),
  'RateLimit-Policy': header('The limit as `"minute";q=<requests>;w=<seconds>`.'),
  RateLimit: header('What remains of it as `"minute";r=<requests>;t=<seconds>`.'),
};
const retryAfter = { 'Retry-After': header('Seconds to wait before retrying.', 'integer') };
/** Errors before the requests of a key are counted. */
const WITHOUT_KEY = new Set([401, 408, 431]);
const errorHeaders: Record<number, Json> = {
  401: { 'WWW-Authenticate': header('`Bearer`') },
  429: retryAfter,
  503: retryAfter,
};

const hasPages = ({ query }: Endpoint) => query?.properties.cursor !== undefined;

function responses(endpoint: Endpoint): Json {
  const result: Json = {};
  for (const status of endpoint.statuses) {
    result[status] = {
      description:
        status === 201
          ? 'Created.'
          : endpoint.statuses.length > 1
            ? 'Already created by an earlier request.'
            : 'Success.',
      headers: {
        ...requestId,
        ...rateLimit,
        ...(endpoint.method === 'GET' && {
          ETag: header(
            endpoint.etag
              ? 'Version of the record, for `If-Match` and `If-None-Match`.'
              : 'Version of the response, for `If-None-Match`.',
          ),
        }),
        ...(hasPages(endpoint) && {
          Link: header('The address of the next page, `rel="next"`; not on the last page.'),
        }),
        ...(endpoint.method !== 'GET' && endpoint.etag && { ETag: header('Version of the record, for `If-Match`.') }),
        ...(status === 201 && endpoint.etag && { Location: header('URL of the new record.') }),
        ...(endpoint.method === 'POST' && {
          'Idempotent-Replayed': header('`true` if an earlier request created the record.'),
        }),
      },
      content: {
        'application/json': { schema: show(endpoint.response) },
      },
    };
  }
  if (endpoint.method === 'GET')
    result[304] = {
      description: 'The response has not changed since the one whose `ETag` was sent in `If-None-Match`.',
      headers: { ...requestId, ...rateLimit, ETag: header('The same version.') },
    };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(endpoint)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    result[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
      headers: {
        ...requestId,
        ...(!WITHOUT_KEY.has(status) && rateLimit),
        ...errorHeaders[status],
        ...(codes.includes('idempotency_in_progress') && retryAfter),
      },
      content: { 'application/problem+json': { schema: show(Problem) } },
    };
  }
  return result;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  style?: string;
  explode?: boolean;
  schema: Json;
}

/** The parameters of the path, the query and the headers. */
export function parametersOf(endpoint: Endpoint): Parameter[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: endpoint.path.startsWith('/products') ? 'Id, external id or SKU, percent-encoded.' : 'Identifier.',
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(endpoint.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = show(schema) as Json & { description: string };
    const style = rest.type === 'object' ? { style: 'deepObject', explode: true } : {};
    return { name, in: 'query', required: false, description, ...style, schema: rest };
  });
  const ifMatch = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      '`ETag` of the record when you read it. If the record has changed since, the response is 412. A `W/` in front of it, which compressing proxies add, makes no difference; `*` matches any version.',
    schema: { type: 'string' },
  };
  const ifNoneMatch = {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      '`ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body.',
    schema: { type: 'string' },
  };
  const idempotencyKey = {
    name: IDEMPOTENCY_KEY_HEADER,
    in: 'header',
    required: false,
    description:
      'Only POST has this header; on a change it has no effect. A value of your choice, such as a UUID, that is new for each record. Within 24 hours, requests with the same value and the same body create one record and get the same response.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN },
  };
  return [
    ...inPath,
    ...inQuery,
    ...(endpoint.method === 'GET' ? [ifNoneMatch] : []),
    ...(endpoint.etag && endpoint.method === 'PATCH' ? [ifMatch] : []),
    ...(endpoint.method === 'POST' ? [idempotencyKey] : []),
  ];
}

const exampleOf = (body: TSchema) => (bodyExamples as Json)[nameOf.get(body) as string];

/** A list without a cursor. */
const isOnePage = ({ query, response }: Endpoint) =>
  'page' in ((response as { properties?: Json }).properties ?? {}) && !query?.properties.cursor;

function operation(name: string, endpoint: Endpoint): Json {
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      isOnePage(endpoint) && 'All records come in one page.',
      endpoint.right ? `Requires the right \`${endpoint.right}\`.` : 'Any valid key is accepted.',
    ]
      .filter(Boolean)
      .join('\n\n'),
    parameters: parametersOf(endpoint),
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: show(endpoint.body), example: exampleOf(endpoint.body) } },
      },
    }),
    responses: responses(endpoint),
  };
}

const sentHeader = (name: string, description: string, schema: Json = { type: 'string' }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

function webhooks(): Json {
  const entry = (name: string, summary: string, payload: TSchema) => ({
    post: {
      operationId: `receive.${name}`,
      tags: ['Webhooks'],
      summary,
      description:
        'Sent to the URL configured in the console. `v1` is the HMAC-SHA256 of `<t>.<body>`, keyed with the whole signing secret, over the body exactly as received. Reject timestamps that are off by more than 300 seconds.',
      security: [],
      parameters: [
        sentHeader(eventHeaders.event, 'Event type.', { const: name }),
        sentHeader(eventHeaders.delivery, 'Delivery id, the same for all retries.', { type: 'string', format: 'uuid' }),
        sentHeader(
          eventHeaders.signature,
          '`t=<unix seconds>,v1=<hex>`, with another `v1` for each secret replaced within the last 24 hours.',
        ),
        sentHeader(standardHeaders.id, 'Event id, for the libraries of Standard Webhooks.', {
          type: 'string',
          format: 'uuid',
        }),
        sentHeader(standardHeaders.timestamp, 'Unix seconds of the attempt.'),
        sentHeader(
          standardHeaders.signature,
          '`v1,<base64>` of `<id>.<timestamp>.<body>`, one for each valid secret, keyed with the bytes that it encodes.',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: show(payload) } } },
      responses: {
        '2XX': { description: 'Received. Respond within 10 seconds.' },
        '4XX': { description: 'Any status other than 2xx is a failure, and the delivery is retried.' },
      },
    },
  });
  return Object.fromEntries([
    ...Object.entries(eventTypes).map(([type, meaning]) => [type, entry(type, meaning, OrderEvent)]),
    ['ping', entry('ping', 'A test event is sent from the settings', PingEvent)],
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
        'Orders, reference lists, products, customers and webhooks of a store. Amounts are integers in kopecks: 150000 means 1500.00. New fields may appear in responses at any time; ignore unknown fields.',
      contact: { name: 'Guides and reference', url: `${baseUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ key: [] }],
    tags: [
      { name: 'Key', description: 'Check the API key.' },
      { name: 'Orders', description: 'List, read, create and change orders.' },
      { name: 'Events', description: 'What happened to orders, as it is sent to webhook endpoints.' },
      { name: 'Products', description: 'List and read the products in the catalog.' },
      { name: 'Customers', description: 'List and read the customers of the store.' },
      { name: 'References', description: 'Statuses, delivery types, payment types, warehouses and categories.' },
      { name: 'Webhooks', description: 'Events that the service sends to your endpoint.' },
    ],
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of the store.' } },
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, show(schema, schema)])),
    },
  };
}
