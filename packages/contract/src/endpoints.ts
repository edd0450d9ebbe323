import Type, { type TObject, type TSchema } from 'typebox';
import { Product, ProductQuery } from './catalog.ts';
import { List, Single } from './common.ts';
import { Credentials } from './credentials.ts';
import { Customer, CustomerQuery } from './customers.ts';
import type { ErrorCode } from './errors.ts';
import { Order, OrderChange, OrderCreate, OrderQuery, OrderSummary } from './orders.ts';
import * as r from './references.ts';
import type { Right } from './rights.ts';

export const API_PREFIX = '/api/v1';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below `/api/v1`; a parameter stands in braces. */
  path: string;
  /** The right a key needs; null where any valid key will do. */
  right: Right | null;
  tag: string;
  summary: string;
  description?: string;
  query?: TObject;
  body?: TObject;
  /** The answer's body, and the statuses it comes with. */
  answer: TSchema;
  /** The body of a 200 where a key without the right to read gets less than `answer`. */
  answerOf200?: TSchema;
  statuses: readonly [200] | readonly [201] | readonly [201, 200];
  /** The record carries an `ETag`. */
  etag?: true;
  /** Rules that can refuse the request besides what follows from the rest of the row. */
  refusals?: readonly ErrorCode[];
}

const OrderOrSummary = Single(Type.Union([Order, OrderSummary]));
const summaryNote =
  'a key without the right `orders:read` gets `id`, `number`, `externalId` and `createdAt` of the order, and its `ETag`';

/**
 * THE TABLE. Every operation of the API stands here once: the server binds handlers to it (a row without
 * a handler does not compile), the reference and OpenAPI are made from it, the client takes its types from it.
 */
export const endpoints = {
  checkKey: {
    method: 'GET',
    path: '/credentials',
    right: null,
    tag: 'Key',
    summary: 'Check the key',
    description: 'The store, the rights and the expiry of the key that makes the request.',
    answer: Single(Credentials),
    statuses: [200],
  },

  listOrders: {
    method: 'GET',
    path: '/orders',
    right: 'orders:read',
    tag: 'Orders',
    summary: 'List orders',
    description:
      'Newest first unless `order` says otherwise. A page may hold fewer records than `limit` while `hasMore` is true; go on until `nextCursor` is null.',
    query: OrderQuery,
    answer: List(Order),
    statuses: [200],
  },
  createOrder: {
    method: 'POST',
    path: '/orders',
    right: 'orders:write',
    tag: 'Orders',
    summary: 'Create an order',
    description: `With an \`externalId\` the request can be repeated safely: the first gets 201, every repeat 200 with the order as it stands and the header \`Idempotent-Replayed: true\`. From a repeat, ${summaryNote}.`,
    body: OrderCreate,
    answer: Single(Order),
    answerOf200: OrderOrSummary,
    statuses: [201, 200],
    etag: true,
  },
  readOrder: {
    method: 'GET',
    path: '/orders/{id}',
    right: 'orders:read',
    tag: 'Orders',
    summary: 'Read an order',
    description: 'The order as it stands now, with its items.',
    answer: Single(Order),
    statuses: [200],
    etag: true,
  },
  changeOrder: {
    method: 'PATCH',
    path: '/orders/{id}',
    right: 'orders:write',
    tag: 'Orders',
    summary: 'Change an order',
    description: `Only the fields passed change. A change that changes nothing leaves \`updatedAt\` alone and sends no event. In response, ${summaryNote}.`,
    body: OrderChange,
    answer: Single(Order),
    answerOf200: OrderOrSummary,
    statuses: [200],
    etag: true,
  },

  listProducts: {
    method: 'GET',
    path: '/products',
    right: 'products:read',
    tag: 'Products',
    summary: 'List products',
    query: ProductQuery,
    answer: List(Product),
    statuses: [200],
  },
  readProduct: {
    method: 'GET',
    path: '/products/{id}',
    right: 'products:read',
    tag: 'Products',
    summary: 'Read a product',
    description: '`id` is the id of the product, its external id or its article, looked up in that order.',
    answer: Single(Product),
    statuses: [200],
  },

  listCustomers: {
    method: 'GET',
    path: '/customers',
    right: 'customers:read',
    tag: 'Customers',
    summary: 'List customers',
    query: CustomerQuery,
    answer: List(Customer),
    statuses: [200],
  },
  readCustomer: {
    method: 'GET',
    path: '/customers/{id}',
    right: 'customers:read',
    tag: 'Customers',
    summary: 'Read a customer',
    answer: Single(Customer),
    statuses: [200],
  },

  listDeliveryTypes: {
    method: 'GET',
    path: '/references/delivery-types',
    right: 'references:read',
    tag: 'References',
    summary: 'List delivery types',
    description: 'Those that the store has enabled.',
    answer: List(r.DeliveryType),
    statuses: [200],
  },
  changeDeliveryType: {
    method: 'PATCH',
    path: '/references/delivery-types/{id}',
    right: 'references:write',
    tag: 'References',
    summary: 'Change a delivery type',
    description:
      'Name, code and kind change in all stores of the owner; `isActive` enables or disables the type in this store only.',
    body: r.DeliveryTypeChange,
    answer: Single(r.DeliveryType),
    statuses: [200],
    refusals: ['code_taken', 'integration_locked'],
  },
  listPaymentTypes: {
    method: 'GET',
    path: '/references/payment-types',
    right: 'references:read',
    tag: 'References',
    summary: 'List payment types',
    description: 'Those that the store has enabled.',
    answer: List(r.PaymentType),
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
    answer: Single(r.PaymentType),
    statuses: [201],
    refusals: ['limit_reached', 'code_taken'],
  },
  listOrderStatuses: {
    method: 'GET',
    path: '/references/order-statuses',
    right: 'references:read',
    tag: 'References',
    summary: 'List order statuses',
    description: 'By group, then by `sortOrder`; disabled ones too.',
    answer: List(r.OrderStatus),
    statuses: [200],
  },
  createOrderStatus: {
    method: 'POST',
    path: '/references/order-statuses',
    right: 'references:write',
    tag: 'References',
    summary: 'Create an order status',
    body: r.OrderStatusCreate,
    answer: Single(r.OrderStatus),
    statuses: [201],
    refusals: ['limit_reached', 'name_taken'],
  },
  changeOrderStatus: {
    method: 'PATCH',
    path: '/references/order-statuses/{id}',
    right: 'references:write',
    tag: 'References',
    summary: 'Rename, disable or enable an order status',
    description: 'Disabling moves the orders of the status to the main status of its group, each with its event.',
    body: r.OrderStatusChange,
    answer: Single(r.OrderStatus),
    statuses: [200],
    refusals: ['name_taken', 'system_record'],
  },
  listPaymentStatuses: {
    method: 'GET',
    path: '/references/payment-statuses',
    right: 'references:read',
    tag: 'References',
    summary: 'List payment statuses',
    description: 'By `sortOrder`; disabled ones too.',
    answer: List(r.PaymentStatus),
    statuses: [200],
  },
  createPaymentStatus: {
    method: 'POST',
    path: '/references/payment-statuses',
    right: 'references:write',
    tag: 'References',
    summary: 'Create a payment status',
    body: r.PaymentStatusCreate,
    answer: Single(r.PaymentStatus),
    statuses: [201],
    refusals: ['limit_reached', 'name_taken'],
  },
  changePaymentStatus: {
    method: 'PATCH',
    path: '/references/payment-statuses/{id}',
    right: 'references:write',
    tag: 'References',
    summary: 'Change, disable or enable a payment status',
    description: 'Disabling makes the orders of the status unpaid, each with its event.',
    body: r.PaymentStatusChange,
    answer: Single(r.PaymentStatus),
    statuses: [200],
    refusals: ['name_taken', 'system_record'],
  },
  listCategories: {
    method: 'GET',
    path: '/references/categories',
    right: 'references:read',
    tag: 'References',
    summary: 'List product categories',
    answer: List(r.Category),
    statuses: [200],
  },
  listWarehouses: {
    method: 'GET',
    path: '/references/warehouses',
    right: 'references:read',
    tag: 'References',
    summary: 'List warehouses',
    answer: List(r.Warehouse),
    statuses: [200],
  },
  createWarehouse: {
    method: 'POST',
    path: '/references/warehouses',
    right: 'references:write',
    tag: 'References',
    summary: 'Create a warehouse',
    description: 'Without `code` the code is derived from the name; when a code is taken, a number is appended.',
    body: r.WarehouseCreate,
    answer: Single(r.Warehouse),
    statuses: [201],
    refusals: ['limit_reached'],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
