// Made from @store-sales/contract by build/generate.mjs; a test holds the two together. Do not edit.

/** The key that made the request, and its store. */
export interface Credentials {
  /** Identifier of the key. */
  id: string;
  /** Name the owner gave the key. */
  name: string;
  /** The store that the key opens. */
  store: {
    /** Identifier of the store. */
    id: string;
    /** Name of the store. */
    name: string;
    /** Currency of its orders. */
    currency: string;
    /** Time zone of the store. */
    timezone: string;
    /** Plan of the store. */
    plan: 'optimal' | 'basic';
  };
  /** Rights of the key. */
  rights: string[];
  /** When the key was created. */
  createdAt: string;
  /** When the key stops working. */
  expiresAt: string;
}

/** An order. */
export interface Order {
  /** Order identifier. */
  id: string;
  /** Number of the order in its store, counted from 1. */
  number: number;
  /** Order id in an external system. */
  externalId: string;
  /** Creation time. */
  createdAt: string;
  /** Last change time. */
  updatedAt: string;
  /** Where the order stands. */
  status: {
    /** Identifier of the status. */
    id: string;
    /** System code; null for a status made through the API. */
    code: string | null;
    /** Its present name. */
    name: string;
  };
  /** Whether and how it is paid. */
  paymentStatus: {
    /** Identifier of the payment status. */
    id: string;
    /** System code; null for a status made through the API. */
    code: string | null;
    /** Its present name. */
    name: string;
    /** Whether the order counts as paid. */
    isPaid: boolean;
  };
  /** Order total. */
  totalAmount: number;
  /** Total discount. */
  discountTotal: number;
  /** Promo code applied. */
  promoCode: string;
  /** Currency of the amounts. */
  currency: string;
  /** Who ordered. */
  customer: {
    /** The customer record; null when neither phone nor e-mail is known. */
    id: string | null;
    /** Name as it was sent. */
    name: string;
    /** Phone as it was sent. */
    phone: string;
    /** E-mail address as it was sent. */
    email: string;
  };
  /** How and where it is delivered. */
  delivery: {
    /** The delivery type chosen. */
    typeId: string | null;
    /** Name of the delivery type when the order was made. */
    type: string;
    /** Cost of delivery. */
    cost: number;
    /** Discount on delivery. */
    discount: number;
    /** Whole address in one line. */
    address: string;
    /** City. */
    city: string;
    /** Region. */
    region: string;
    /** Street. */
    street: string;
    /** House. */
    house: string;
    /** Flat. */
    flat: string;
    /** Postal code. */
    postalCode: string;
  };
  /** The payment type as it was when the order was made. */
  paymentType: {
    /** Identifier. */
    id: string;
    /** Code. */
    code: string;
    /** Name. */
    name: string;
  } | null;
  /** Origin: `api`, `manual` or `site`. */
  source: string;
  /** Comment. */
  notes: string;
  /** In the list only with `with=items`. */
  items?: OrderItem[];
}

/** Which order it is; in place of the whole order for a key without the right `orders:read`. */
export interface OrderSummary {
  /** Order identifier. */
  id: string;
  /** Number of the order in its store, counted from 1. */
  number: number;
  /** Order id in an external system. */
  externalId: string;
  /** Creation time. */
  createdAt: string;
}

/** A line of an order. */
export interface OrderItem {
  /** Item identifier. */
  id: string;
  /** Catalog product. */
  productId: string;
  /** Product id in an external system. */
  externalProductId: string;
  /** Product name as it was sold. */
  name: string;
  /** Article as it was sold. */
  sku: string;
  /** How many were sold. */
  quantity: number;
  /** Price of one unit. */
  unitPrice: number;
  /** Discount on the line. */
  discount: number;
  /** `unitPrice × quantity − discount`. */
  lineTotal: number;
}

/** A new order. */
export interface OrderCreate {
  /** Order id in your system. A repeat with the same value returns the order already made. */
  externalId?: string;
  /** Who orders; matched to the customers of the store by phone, then by e-mail. */
  customer?: {
    /** Name. */
    name?: string;
    /** Phone, in any notation. */
    phone?: string;
    /** E-mail address. */
    email?: string;
  };
  /** The lines, in the order in which they are kept. */
  items: OrderCreateItem[];
  /** How and where it is delivered. */
  delivery?: {
    /** A delivery type that the store has enabled. */
    typeId?: string;
    /** Cost of delivery. */
    cost?: number;
    /** Discount on delivery; at most its cost. */
    discount?: number;
    /** Whole address in one line. */
    address?: string;
    /** City. */
    city?: string;
    /** Region. */
    region?: string;
    /** Street. */
    street?: string;
    /** House. */
    house?: string;
    /** Flat. */
    flat?: string;
    /** Postal code. */
    postalCode?: string;
  };
  /** A payment type that the store has enabled. */
  paymentTypeId?: string;
  /** Promo code applied. */
  promoCode?: string;
  /** Discount on the whole order. */
  discount?: number;
  /** Comment. */
  notes?: string;
}

/** A line to be sold. */
export interface OrderCreateItem {
  /** Product by its id. Exactly one of `productId`, `sku`, `externalProductId`. */
  productId?: string;
  /** Product by its article. */
  sku?: string;
  /** Product by its id in an external system. */
  externalProductId?: string;
  /** How many are sold. */
  quantity: number;
  /** Price of one unit; the catalog price when left out. */
  unitPrice?: number;
  /** Discount on the line. */
  discount?: number;
}

/** Only the fields passed change. */
export interface OrderChange {
  /** System code of the new status. */
  status?: string;
  /** The new status by its id; not together with `status`. */
  statusId?: string;
  /** System code of the new payment status. */
  paymentStatus?: string;
  /** The new payment status by its id; not together with `paymentStatus`. */
  paymentStatusId?: string;
  /** Comment. */
  notes?: string;
  /** A changed phone or e-mail is matched anew. */
  customer?: {
    /** Name. */
    name?: string;
    /** Phone, in any notation. */
    phone?: string;
    /** E-mail address. */
    email?: string;
  };
  /** Parts of the address. */
  delivery?: {
    /** Whole address in one line. */
    address?: string;
    /** City. */
    city?: string;
    /** Region. */
    region?: string;
    /** Street. */
    street?: string;
    /** House. */
    house?: string;
    /** Flat. */
    flat?: string;
    /** Postal code. */
    postalCode?: string;
  };
}

/** A product of the catalog. */
export interface Product {
  /** Product identifier. */
  id: string;
  /** Product id in an external system. */
  externalId: string;
  /** Article. */
  sku: string;
  /** Name. */
  name: string;
  /** Description. */
  description: string;
  /** Catalog price. */
  price: number;
  /** Currency of the price. */
  currency: string;
  /** The category of the product. */
  categoryId: string | null;
  /** External id of the category. */
  categoryExternalId: string;
  /** Whether it can be sold. */
  isActive: boolean;
  /** Creation time. */
  createdAt: string;
  /** Last change time. */
  updatedAt: string;
}

/** A customer of the store. */
export interface Customer {
  /** Customer identifier. */
  id: string;
  /** Customer id in an external system. */
  externalId: string;
  /** Name. */
  name: string;
  /** Phone. */
  phone: string;
  /** E-mail address. */
  email: string;
  /** Creation time. */
  createdAt: string;
  /** Last change time. */
  updatedAt: string;
}

/** A way of delivery. */
export interface DeliveryType {
  /** Passed as `delivery.typeId` when an order is created. */
  id: string;
  /** Code, unique among the delivery types of the owner. */
  code: string;
  /** Name. */
  name: string;
  /** Kind of delivery. */
  kind: 'carrier' | 'pickup' | 'courier';
  /** Integration provider; null when the type has none. */
  provider: string | null;
  /** Enabled in this store. */
  isActive: boolean;
}

/** Only the fields passed change. */
export interface DeliveryTypeChange {
  /** Applies in all stores of the owner. */
  name?: string;
  /** Applies in all stores of the owner; unique among its delivery types. */
  code?: string;
  /** Applies in all stores; locked where an integration provides it. */
  kind?: 'carrier' | 'pickup' | 'courier';
  /** Enables or disables the type in this store only. */
  isActive?: boolean;
}

/** A way of payment, shared by all stores of the owner. */
export interface PaymentType {
  /** Passed as `paymentTypeId` when an order is created. */
  id: string;
  /** Code, unique among the payment types of the owner. */
  code: string;
  /** Name. */
  name: string;
  /** Description. */
  description: string;
  /** Enabled in this store. */
  isActive: boolean;
}

/** A new payment type. */
export interface PaymentTypeCreate {
  /** Name. */
  name: string;
  /** Unique among the payment types of the owner; derived from the name when left out. */
  code?: string;
  /** Description. */
  description?: string;
}

/** A status of orders. */
export interface OrderStatus {
  /** Identifier. */
  id: string;
  /** System code; null for a status made through the API. */
  code: string | null;
  /** Name, unique within the group. */
  name: string;
  /** Stage the status belongs to. */
  group: 'new' | 'packing' | 'delivering' | 'completed' | 'cancelled' | 'returned';
  /** Enabled. */
  isActive: boolean;
  /** Display order. */
  sortOrder: number;
}

/** A new order status. */
export interface OrderStatusCreate {
  /** Stage the status belongs to. */
  group: 'new' | 'packing' | 'delivering' | 'completed' | 'cancelled' | 'returned';
  /** Unique within the group. */
  name: string;
}

/** Only the fields passed change. */
export interface OrderStatusChange {
  /** Unique within the group. */
  name?: string;
  /** False disables; its orders move to the main status of the group. */
  isActive?: boolean;
}

/** A payment status of orders. */
export interface PaymentStatus {
  /** Identifier. */
  id: string;
  /** System code; null for a status made through the API. */
  code: string | null;
  /** Name, unique in the store. */
  name: string;
  /** Whether orders in this status count as paid. */
  isPaid: boolean;
  /** Enabled. */
  isActive: boolean;
  /** Display order. */
  sortOrder: number;
  /** Colour, `#RRGGBB`. */
  color: string;
}

/** A new payment status. */
export interface PaymentStatusCreate {
  /** Unique in the store. */
  name: string;
  /** Whether orders in this status count as paid. */
  isPaid?: boolean;
  /** Colour, `#RRGGBB`. */
  color?: string;
}

/** Only the fields passed change. */
export interface PaymentStatusChange {
  /** Unique in the store. */
  name?: string;
  /** Whether orders in this status count as paid. */
  isPaid?: boolean;
  /** Colour, `#RRGGBB`. */
  color?: string;
  /** False disables; its orders become unpaid. */
  isActive?: boolean;
}

/** A product category. */
export interface Category {
  /** Passed as `categoryId` of a product. */
  id: string;
  /** Passed as `categoryExternalId` of a product. */
  externalId: string;
  /** Name. */
  name: string;
  /** The category above; null at the top. */
  parentId: string | null;
  /** With microseconds and a UTC offset. */
  createdAt: string;
  /** With microseconds and a UTC offset. */
  updatedAt: string;
}

/** A warehouse. */
export interface Warehouse {
  /** Identifier. */
  id: string;
  /** Code, unique in the store. */
  code: string;
  /** Name. */
  name: string;
  /** Address. */
  address: string;
  /** City. */
  city: string;
  /** Enabled. */
  isActive: boolean;
}

/** A new warehouse. */
export interface WarehouseCreate {
  /** Name. */
  name: string;
  /** Derived from the name when left out; a number is appended when taken. */
  code?: string;
  /** Address. */
  address?: string;
  /** City. */
  city?: string;
}

/** Where this page stands in the list. */
export interface Page {
  /** Pass as `cursor` to get the next page; null on the last one. */
  nextCursor: string | null;
  /** Whether more records follow. */
  hasMore: boolean;
}

/** An error, as RFC 9457 describes. */
export interface Problem {
  /** Address of the error reference, one anchor per code. */
  type: string;
  /** What the code means. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What happened to this request, for a person to read. */
  detail: string;
  /** For programs: decide by this. */
  code:
    | 'malformed_request'
    | 'malformed_json'
    | 'invalid_parameter'
    | 'unknown_parameter'
    | 'invalid_cursor'
    | 'missing_key'
    | 'invalid_key'
    | 'expired_key'
    | 'insufficient_rights'
    | 'plan_required'
    | 'store_inactive'
    | 'not_found'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'limit_reached'
    | 'name_taken'
    | 'code_taken'
    | 'system_record'
    | 'integration_locked'
    | 'precondition_failed'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'invalid_body'
    | 'headers_too_large'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  /** The same as in the header `X-Request-Id`. */
  requestId: string;
  /** Every fault at once. */
  errors?: Fault[];
}

/** One fault in the request. */
export interface Fault {
  /** JSON pointer into the body. */
  pointer?: string;
  /** Name of the query or path parameter. */
  parameter?: string;
  /** What is wrong, for programs. */
  code:
    | 'required'
    | 'unknown'
    | 'repeated'
    | 'wrong_type'
    | 'too_short'
    | 'too_long'
    | 'too_small'
    | 'too_large'
    | 'invalid_format'
    | 'invalid_characters'
    | 'not_allowed'
    | 'conflict'
    | 'not_found'
    | 'inactive'
    | 'negative'
    | 'overflow';
  /** What is wrong, for a person to read. */
  message: string;
}

/** Something happened to an order. */
export interface OrderEvent {
  /** Stays the same across retries and endpoints; skip the ids you have processed. */
  id: string;
  /** What happened. */
  type: 'order.created' | 'order.status_changed' | 'order.payment_status_changed';
  /** When it happened. */
  createdAt: string;
  /** The order it happened to. */
  data: {
    /** Read its present state with `GET /api/v1/orders/{id}`. */
    orderId: string;
    /** Order id in an external system. */
    externalId: string;
  };
}

/** A test, sent on demand to any endpoint. */
export interface PingEvent {
  /** Stays the same across retries and endpoints; skip the ids you have processed. */
  id: string;
  /** Always `ping`. */
  type: 'ping';
  /** When it happened. */
  createdAt: string;
  /** Empty. */
  data: Record<string, never>;
}

/** Both ends inclusive. A text needs `Z` or an offset. */
export interface TimeRange {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

/** List orders: filters, sort order and paging. */
export interface ListOrdersQuery {
  /** System code of a status, for example `new`, or the id of any status of the store. */
  status?: string | undefined;
  /** System code of a payment status, for example `paid`, or the id of any of the store. */
  paymentStatus?: string | undefined;
  /** External order id. */
  externalId?: string | undefined;
  /** When it was created. */
  createdAt?: TimeRange | undefined;
  /** When it was last changed. */
  updatedAt?: TimeRange | undefined;
  /** Sort order. For incremental synchronization use `updatedAt:asc`. */
  order?: 'createdAt:desc' | 'createdAt:asc' | 'updatedAt:desc' | 'updatedAt:asc' | undefined;
  /** `page.nextCursor` of the previous answer; valid only with the same `order` value. */
  cursor?: string | undefined;
  /** Most records in one page. */
  limit?: number | undefined;
  /** Nests the items in each order. */
  with?: 'items' | undefined;
}

/** List products: filters, sort order and paging. */
export interface ListProductsQuery {
  /** External product id. */
  externalId?: string | undefined;
  /** Article. */
  sku?: string | undefined;
  /** Products of this category. */
  categoryId?: string | undefined;
  /** When it was created. */
  createdAt?: TimeRange | undefined;
  /** When it was last changed. */
  updatedAt?: TimeRange | undefined;
  /** Sort order. For incremental synchronization use `updatedAt:asc`. */
  order?: 'createdAt:desc' | 'createdAt:asc' | 'updatedAt:desc' | 'updatedAt:asc' | undefined;
  /** `page.nextCursor` of the previous answer; valid only with the same `order` value. */
  cursor?: string | undefined;
  /** Most records in one page. */
  limit?: number | undefined;
}

/** List customers: filters, sort order and paging. */
export interface ListCustomersQuery {
  /** Phone in any notation; eleven digits that begin with `8`, without `+`, equal `+7…`. */
  phone?: string | undefined;
  /** E-mail, whatever its case. */
  email?: string | undefined;
  /** External customer id. */
  externalId?: string | undefined;
  /** When it was created. */
  createdAt?: TimeRange | undefined;
  /** When it was last changed. */
  updatedAt?: TimeRange | undefined;
  /** Sort order. For incremental synchronization use `updatedAt:asc`. */
  order?: 'createdAt:desc' | 'createdAt:asc' | 'updatedAt:desc' | 'updatedAt:asc' | undefined;
  /** `page.nextCursor` of the previous answer; valid only with the same `order` value. */
  cursor?: string | undefined;
  /** Most records in one page. */
  limit?: number | undefined;
}

/** Every operation of the API. */
export interface Operations {
  /** Check the key. */
  checkKey: { query: undefined; body: undefined; answer: { data: Credentials } };
  /** List orders. */
  listOrders: { query: ListOrdersQuery; body: undefined; answer: { data: Order[]; page: Page } };
  /** Create an order. */
  createOrder: { query: undefined; body: OrderCreate; answer: { data: Order | OrderSummary } };
  /** Read an order. */
  readOrder: { query: undefined; body: undefined; answer: { data: Order } };
  /** Change an order. */
  changeOrder: { query: undefined; body: OrderChange; answer: { data: Order | OrderSummary } };
  /** List products. */
  listProducts: { query: ListProductsQuery; body: undefined; answer: { data: Product[]; page: Page } };
  /** Read a product. */
  readProduct: { query: undefined; body: undefined; answer: { data: Product } };
  /** List customers. */
  listCustomers: { query: ListCustomersQuery; body: undefined; answer: { data: Customer[]; page: Page } };
  /** Read a customer. */
  readCustomer: { query: undefined; body: undefined; answer: { data: Customer } };
  /** List delivery types. */
  listDeliveryTypes: { query: undefined; body: undefined; answer: { data: DeliveryType[]; page: Page } };
  /** Change a delivery type. */
  changeDeliveryType: { query: undefined; body: DeliveryTypeChange; answer: { data: DeliveryType } };
  /** List payment types. */
  listPaymentTypes: { query: undefined; body: undefined; answer: { data: PaymentType[]; page: Page } };
  /** Create a payment type. */
  createPaymentType: { query: undefined; body: PaymentTypeCreate; answer: { data: PaymentType } };
  /** List order statuses. */
  listOrderStatuses: { query: undefined; body: undefined; answer: { data: OrderStatus[]; page: Page } };
  /** Create an order status. */
  createOrderStatus: { query: undefined; body: OrderStatusCreate; answer: { data: OrderStatus } };
  /** Rename, disable or enable an order status. */
  changeOrderStatus: { query: undefined; body: OrderStatusChange; answer: { data: OrderStatus } };
  /** List payment statuses. */
  listPaymentStatuses: { query: undefined; body: undefined; answer: { data: PaymentStatus[]; page: Page } };
  /** Create a payment status. */
  createPaymentStatus: { query: undefined; body: PaymentStatusCreate; answer: { data: PaymentStatus } };
  /** Change, disable or enable a payment status. */
  changePaymentStatus: { query: undefined; body: PaymentStatusChange; answer: { data: PaymentStatus } };
  /** List product categories. */
  listCategories: { query: undefined; body: undefined; answer: { data: Category[]; page: Page } };
  /** List warehouses. */
  listWarehouses: { query: undefined; body: undefined; answer: { data: Warehouse[]; page: Page } };
  /** Create a warehouse. */
  createWarehouse: { query: undefined; body: WarehouseCreate; answer: { data: Warehouse } };
}

export const operations = {
  checkKey: 'GET /credentials',
  listOrders: 'GET /orders',
  createOrder: 'POST /orders',
  readOrder: 'GET /orders/{id}',
  changeOrder: 'PATCH /orders/{id}',
  listProducts: 'GET /products',
  readProduct: 'GET /products/{id}',
  listCustomers: 'GET /customers',
  readCustomer: 'GET /customers/{id}',
  listDeliveryTypes: 'GET /references/delivery-types',
  changeDeliveryType: 'PATCH /references/delivery-types/{id}',
  listPaymentTypes: 'GET /references/payment-types',
  createPaymentType: 'POST /references/payment-types',
  listOrderStatuses: 'GET /references/order-statuses',
  createOrderStatus: 'POST /references/order-statuses',
  changeOrderStatus: 'PATCH /references/order-statuses/{id}',
  listPaymentStatuses: 'GET /references/payment-statuses',
  createPaymentStatus: 'POST /references/payment-statuses',
  changePaymentStatus: 'PATCH /references/payment-statuses/{id}',
  listCategories: 'GET /references/categories',
  listWarehouses: 'GET /references/warehouses',
  createWarehouse: 'POST /references/warehouses',
} as const satisfies Record<keyof Operations, string>;

export const API_PREFIX = '/api/v1';

export const SIGNATURE_HEADER = 'x-service-signature';

export const DELIVERY_HEADER = 'x-service-delivery';
