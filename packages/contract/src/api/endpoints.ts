import Type, { type TObject, type TSchema } from 'typebox';
import { EventQuery, OrderEvent } from '../webhooks/events.ts';
import { Product, ProductQuery, ProductReadQuery } from './catalog.ts';
import { List, Single, SyncedList } from './common.ts';
import { Credentials } from './credentials.ts';
import { Customer, CustomerQuery } from './customers.ts';
import type { ErrorCode } from './errors.ts';
import { Order, OrderChange, OrderCreate, OrderQuery, OrderSummary } from './orders.ts';
import * as r from './references.ts';
import type { Right } from './rights.ts';
import { StockChange, StockQuantity } from './stock.ts';

export const API_PREFIX = '/api/v1';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH';
  /** Relative to `/api/v1`; parameters are in braces. */
  path: string;
  /** The right that a key needs; null if any valid key is accepted. */
  right: Right | null;
  tag: string;
  summary: string;
  description?: string;
  query?: TObject;
  body?: TObject;
  /** Body of a successful response. */
  response: TSchema;
  statuses: readonly [200] | readonly [201] | readonly [201, 200];
  /** Successful responses have an `ETag`. */
  etag?: true;
  /** Codes of the rule errors this endpoint can return, such as `name_taken`; `errorCodesOf` adds the general ones. */
  errors?: readonly ErrorCode[];
}

/** Keys without the right `orders:read` get the summary, except in the first response to a creation. */
const OrderOrSummary = Single(Type.Union([Order, OrderSummary]));
const summaryNote =
  'a key without the right `orders:read` gets only the `id`, `number`, `externalId`, `createdAt` and `ETag` of the order';

/**
 * All operations of the API. The server binds a handler to each row (a row without a handler does not compile); the
 * API reference, the OpenAPI document and the types of the client are generated from the rows.
 */
export const endpoints = {
  checkKey: {
    method: 'GET',
    path: '/credentials',
    right: null,
    tag: 'Key',
    summary: 'Check the key',
    description: 'Returns the store, the rights and the expiry of the API key.',
    response: Single(Credentials),
    statuses: [200],
  },

  listOrders: {
    method: 'GET',
    path: '/orders',
    right: 'orders:read',
    tag: 'Orders',
    summary: 'List orders',
    description:
      'Sorted by creation time, newest first, unless `order` is sent. A page may have fewer records than `limit` even if `hasMore` is true; continue until `nextCursor` is null.',
    query: OrderQuery,
    response: SyncedList(Order),
    statuses: [200],
  },
  createOrder: {
    method: 'POST',
    path: '/orders',
    right: 'orders:write',
    tag: 'Orders',
    summary: 'Create an order',
    description: `Requests with an \`externalId\` are idempotent: the first request gets 201, and repeated requests get 200 with the current state of the order and the header \`Idempotent-Replayed: true\`. When a request is repeated, with an \`externalId\` or an \`Idempotency-Key\`, ${summaryNote}. With both, the \`externalId\` alone decides.`,
    body: OrderCreate,
    response: OrderOrSummary,
    statuses: [201, 200],
    etag: true,
  },
  readOrder: {
    method: 'GET',
    path: '/orders/{id}',
    right: 'orders:read',
    tag: 'Orders',
    summary: 'Read an order',
    description: 'Returns the current state of the order, including its items.',
    response: Single(Order),
    statuses: [200],
    etag: true,
  },
  changeOrder: {
    method: 'PATCH',
    path: '/orders/{id}',
    right: 'orders:write',
    tag: 'Orders',
    summary: 'Change an order',
    description: `Fields that are not sent stay unchanged. \`items\` replaces all lines: send a line of the order by its \`id\`, a new one as in a creation. Totals are computed again. A request that changes nothing keeps \`updatedAt\` and sends no event. In the response, ${summaryNote}.`,
    body: OrderChange,
    response: OrderOrSummary,
    statuses: [200],
    etag: true,
  },

  listEvents: {
    method: 'GET',
    path: '/events',
    right: 'orders:read',
    tag: 'Events',
    summary: 'List events',
    description:
      'The events of the store as they are sent to webhook endpoints, whether or not there is one. Kept for 30 days unless the service is configured otherwise.',
    query: EventQuery,
    response: SyncedList(OrderEvent),
    statuses: [200],
  },

  listProducts: {
    method: 'GET',
    path: '/products',
    right: 'products:read',
    tag: 'Products',
    summary: 'List products',
    query: ProductQuery,
    response: SyncedList(Product),
    statuses: [200],
  },
  readProduct: {
    method: 'GET',
    path: '/products/{id}',
    right: 'products:read',
    tag: 'Products',
    summary: 'Read a product',
    description: '`id` is the id, the external id or the SKU of the product, looked up in that order.',
    query: ProductReadQuery,
    response: Single(Product),
    statuses: [200],
  },

  changeStock: {
    method: 'POST',
    path: '/stock',
    right: 'stock:write',
    tag: 'Products',
    summary: 'Set or change the stock of products',
    description:
      'All lines or none. `quantity` sets what is there, `change` adds to it. A product is tracked as soon as it has a quantity anywhere; orders then take from it. A product whose stock changes gets a new `updatedAt`.',
    body: StockChange,
    response: Type.Object({ data: Type.Array(StockQuantity) }),
    statuses: [200],
  },

  listCustomers: {
    method: 'GET',
    path: '/customers',
    right: 'customers:read',
    tag: 'Customers',
    summary: 'List customers',
    query: CustomerQuery,
    response: SyncedList(Customer),
    statuses: [200],
  },
  readCustomer: {
    method: 'GET',
    path: '/customers/{id}',
    right: 'customers:read',
    tag: 'Customers',
    summary: 'Read a customer',
    response: Single(Customer),
    statuses: [200],
  },

  listDeliveryTypes: {
    method: 'GET',
    path: '/references/delivery-types',
    right: 'references:read',
    tag: 'References',
    summary: 'List delivery types',
    description: 'Returns the delivery types enabled in the store.',
    response: List(r.DeliveryType),
    statuses: [200],
  },
  changeDeliveryType: {
    method: 'PATCH',
    path: '/references/delivery-types/{id}',
    right: 'references:write',
    tag: 'References',
    summary: 'Change a delivery type',
    description:
      '`name`, `code` and `kind` change in all stores of the owner; `isActive` enables or disables the type in this store only.',
    body: r.DeliveryTypeChange,
    response: Single(r.DeliveryType),
    statuses: [200],
    errors: ['code_taken', 'integration_locked'],
  },
  listPaymentTypes: {
    method: 'GET',
    path: '/references/payment-types',
    right: 'references:read',
    tag: 'References',
    summary: 'List payment types',
    description: 'Returns the payment types enabled in the store.',
    response: List(r.PaymentType),
    statuses: [200],
  },
  createPaymentType: {
    method: 'POST',
    path: '/references/payment-types',
    right: 'references:write',
    tag: 'References',
    summary: 'Create a payment type',
    description: 'The new type is enabled in all active stores of the owner.',
    body: r.PaymentTypeCreate,
    response: Single(r.PaymentType),
    statuses: [201],
    errors: ['limit_reached', 'code_taken'],
  },
  listOrderStatuses: {
    method: 'GET',
    path: '/references/order-statuses',
    right: 'references:read',
    tag: 'References',
    summary: 'List order statuses',
    description: 'Sorted by group, then by `sortOrder`. Includes disabled statuses.',
    response: List(r.OrderStatus),
    statuses: [200],
  },
  createOrderStatus: {
    method: 'POST',
    path: '/references/order-statuses',
    right: 'references:write',
    tag: 'References',
    summary: 'Create an order status',
    body: r.OrderStatusCreate,
    response: Single(r.OrderStatus),
    statuses: [201],
    errors: ['limit_reached', 'name_taken'],
  },
  changeOrderStatusRecord: {
    method: 'PATCH',
    path: '/references/order-statuses/{id}',
    right: 'references:write',
    tag: 'References',
    summary: 'Change a record of the list of order statuses, not the status of an order',
    description:
      'Renames, disables or enables the status for all orders; one order is changed with `changeOrder`. Disabling moves all orders that have the status to the main status of the group and sends an event for each.',
    body: r.OrderStatusChange,
    response: Single(r.OrderStatus),
    statuses: [200],
    errors: ['name_taken', 'system_record'],
  },
  listPaymentStatuses: {
    method: 'GET',
    path: '/references/payment-statuses',
    right: 'references:read',
    tag: 'References',
    summary: 'List payment statuses',
    description: 'Sorted by `sortOrder`. Includes disabled statuses.',
    response: List(r.PaymentStatus),
    statuses: [200],
  },
  createPaymentStatus: {
    method: 'POST',
    path: '/references/payment-statuses',
    right: 'references:write',
    tag: 'References',
    summary: 'Create a payment status',
    body: r.PaymentStatusCreate,
    response: Single(r.PaymentStatus),
    statuses: [201],
    errors: ['limit_reached', 'name_taken'],
  },
  changePaymentStatusRecord: {
    method: 'PATCH',
    path: '/references/payment-statuses/{id}',
    right: 'references:write',
    tag: 'References',
    summary: 'Change a record of the list of payment statuses, not the payment status of an order',
    description:
      'Changes, disables or enables the status for all orders; one order is changed with `changeOrder`. Disabling makes all orders that have the status unpaid and sends an event for each.',
    body: r.PaymentStatusChange,
    response: Single(r.PaymentStatus),
    statuses: [200],
    errors: ['name_taken', 'system_record'],
  },
  listCategories: {
    method: 'GET',
    path: '/references/categories',
    right: 'references:read',
    tag: 'References',
    summary: 'List product categories',
    response: List(r.Category),
    statuses: [200],
  },
  listWarehouses: {
    method: 'GET',
    path: '/references/warehouses',
    right: 'references:read',
    tag: 'References',
    summary: 'List warehouses',
    response: List(r.Warehouse),
    statuses: [200],
  },
  createWarehouse: {
    method: 'POST',
    path: '/references/warehouses',
    right: 'references:write',
    tag: 'References',
    summary: 'Create a warehouse',
    description: 'If `code` is omitted, it is derived from the name. If the code is taken, a number is appended.',
    body: r.WarehouseCreate,
    response: Single(r.Warehouse),
    statuses: [201],
    errors: ['limit_reached'],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

/** Parameters of a path: `{ id: string }` for `'/orders/{id}'`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : unknown;
