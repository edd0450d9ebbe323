// Generated from @store-sales/contract by build/generate.mjs. Do not edit.

/** The API key of the request and its store. */
export interface Credentials {
  /**
   * Format: uuid
   * Identifier of the key.
   */
  id: string;
  /** Name of the key. */
  name: string;
  /** The store that the key belongs to. */
  store: {
    /**
     * Format: uuid
     * Identifier of the store.
     */
    id: string;
    /** Name of the store. */
    name: string;
    /**
     * Currency of the orders.
     * @example RUB
     */
    currency: string;
    /**
     * Time zone of the store.
     * @example Europe/Moscow
     */
    timezone: string;
    /**
     * Plan of the store.
     * @enum {string}
     */
    plan: 'optimal' | 'basic';
  };
  /**
   * Rights of the key.
   * @example [
   *       "orders:read"
   *     ]
   */
  rights: string[];
  /**
   * Format: date-time
   * Creation time.
   * @example 2026-09-27T10:15:30.125Z
   */
  createdAt: string;
  /**
   * Format: date-time
   * Expiry time.
   * @example 2026-09-27T10:15:30.125Z
   */
  expiresAt: string;
}

/** An order. */
export interface Order {
  /**
   * Format: uuid
   * Order identifier.
   */
  id: string;
  /** Order id in an external system. */
  externalId: string;
  /**
   * Format: date-time
   * Creation time.
   * @example 2026-09-27T10:15:30.125Z
   */
  createdAt: string;
  /**
   * Format: date-time
   * Time of the last change.
   * @example 2026-09-27T10:15:30.125Z
   */
  updatedAt: string;
  /** Status of the order. */
  status: {
    /**
     * Format: uuid
     * Identifier of the status.
     */
    id: string;
    /** System code; null for a custom status. */
    code: string | null;
    /** Current name of the status. */
    name: string;
  };
  /** Payment status of the order. */
  paymentStatus: {
    /**
     * Format: uuid
     * Identifier of the payment status.
     */
    id: string;
    /** System code; null for a custom status. */
    code: string | null;
    /** Current name of the status. */
    name: string;
    /** Whether the order counts as paid. */
    isPaid: boolean;
  };
  /**
   * Order total.
   * @example 150000
   */
  totalAmount: number;
  /**
   * Total discount.
   * @example 150000
   */
  discountTotal: number;
  /** Promo code applied. */
  promoCode: string;
  /**
   * Currency of the amounts.
   * @example RUB
   */
  currency: string;
  /** The buyer. */
  customer: {
    /** Id of the customer record; null if the order has neither phone nor e-mail. */
    id: string | null;
    /** Name, as given in the order. */
    name: string;
    /** Phone number, as given in the order. */
    phone: string;
    /** E-mail address, as given in the order. */
    email: string;
  };
  /** Delivery type, cost and address. */
  delivery: {
    /** Name of the delivery type when it was chosen. */
    type: string;
    /**
     * Cost of delivery.
     * @example 150000
     */
    cost: number;
    /**
     * Discount on delivery.
     * @example 150000
     */
    discount: number;
    /** Full address. */
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
    /** Id of the delivery type; null if there is none. */
    typeId: string | null;
    /** Number of the parcel at the carrier. */
    trackingNumber: string;
    /** Where the parcel can be tracked: the address template of the delivery type with the number in it; empty if there is none. */
    trackingUrl: string;
  };
  /**
   * Origin of the order: `api`, `manual` or `site`.
   * @example api
   */
  source: string;
  /** Order comment. */
  notes: string;
  /** Order lines. In lists, only with `with=items`. */
  items?: OrderItem[];
  /**
   * What has been paid.
   * @example 150000
   */
  paidAmount: number;
  /** Sequential order number in the store, starting at 1. */
  number: number;
  /** Your own data. */
  metadata: {
    [key: string]: string;
  };
  /** The payment type as it was when it was chosen; null if there is none. */
  paymentType: {
    /**
     * Format: uuid
     * Identifier.
     */
    id: string;
    /** Code. */
    code: string;
    /** Name. */
    name: string;
  } | null;
}

/** Identifies an order. Returned instead of the order to a key without the right `orders:read`. */
export interface OrderSummary {
  /**
   * Format: uuid
   * Order identifier.
   */
  id: string;
  /** Sequential order number in the store, starting at 1. */
  number: number;
  /** Order id in an external system. */
  externalId: string;
  /**
   * Format: date-time
   * Creation time.
   * @example 2026-09-27T10:15:30.125Z
   */
  createdAt: string;
}

/** An order line. */
export interface OrderItem {
  /**
   * Format: uuid
   * Item identifier.
   */
  id: string;
  /**
   * Format: uuid
   * Id of the product in the catalog.
   */
  productId: string;
  /** Product id in an external system. */
  externalProductId: string;
  /** Product name at the time of sale. */
  name: string;
  /** SKU at the time of sale. */
  sku: string;
  /** Quantity. */
  quantity: number;
  /**
   * Price of one unit.
   * @example 150000
   */
  unitPrice: number;
  /**
   * Discount on the line.
   * @example 150000
   */
  discount: number;
  /**
   * `unitPrice × quantity − discount`.
   * @example 150000
   */
  lineTotal: number;
}

/** A new order. */
export interface OrderCreate {
  /** Order id in your system. Repeating a request with the same value returns the existing order. */
  externalId?: string;
  /** The buyer, matched to an existing customer by phone, then by e-mail. */
  customer?: {
    /** Name. */
    name?: string;
    /** Phone number, in any notation. */
    phone?: string;
    /**
     * E-mail address.
     * @example anna@example.com
     */
    email?: string;
  };
  /** Order lines. Their sequence is kept. */
  items: OrderCreateItem[];
  /** Delivery type, cost and address. */
  delivery?: {
    /**
     * Format: uuid
     * Id of a delivery type enabled in the store.
     */
    typeId?: string;
    /**
     * Cost of delivery.
     * @example 150000
     */
    cost?: number;
    /**
     * Discount on delivery. Cannot exceed the cost.
     * @example 150000
     */
    discount?: number;
    /** Full address. */
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
    /** Number of the parcel at the carrier. */
    trackingNumber?: string;
  };
  /**
   * Format: uuid
   * Id of a payment type enabled in the store.
   */
  paymentTypeId?: string;
  /** Promo code. */
  promoCode?: string;
  /**
   * Discount on the whole order.
   * @example 150000
   */
  discount?: number;
  /** Order comment. */
  notes?: string;
  /** Your own data, at most 20 keys. */
  metadata?: {
    [key: string]: string;
  };
}

/** A new order line. */
export interface OrderCreateItem {
  /**
   * Format: uuid
   * Id of the product. Send exactly one of `productId`, `sku` and `externalProductId`.
   */
  productId?: string;
  /** SKU of the product. */
  sku?: string;
  /** Product id in an external system. */
  externalProductId?: string;
  /** Quantity. */
  quantity: number;
  /**
   * Price of one unit. Defaults to the catalog price.
   * @example 150000
   */
  unitPrice?: number;
  /**
   * Discount on the line.
   * @example 150000
   */
  discount?: number;
}

/** Fields that are not sent stay unchanged. */
export interface OrderChange {
  /** System code of the new status. */
  status?: string;
  /**
   * Format: uuid
   * Id of the new status. Cannot be combined with `status`.
   */
  statusId?: string;
  /** System code of the new payment status. */
  paymentStatus?: string;
  /**
   * Format: uuid
   * Id of the new payment status. Cannot be combined with `paymentStatus`.
   */
  paymentStatusId?: string;
  /** Order comment. */
  notes?: string;
  /** The buyer. A changed phone or e-mail is matched to a customer again. */
  customer?: {
    /** Name. */
    name?: string;
    /** Phone number, in any notation. */
    phone?: string;
    /**
     * E-mail address.
     * @example anna@example.com
     */
    email?: string;
  };
  /** All order lines, in their new sequence. Lines that are not sent are removed. */
  items?: OrderChangeItem[];
  /** Delivery type, cost and address. */
  delivery?: {
    /** Id of a delivery type enabled in the store; `""` removes it. */
    typeId?: string;
    /**
     * Cost of delivery.
     * @example 150000
     */
    cost?: number;
    /**
     * Discount on delivery. Cannot exceed the cost.
     * @example 150000
     */
    discount?: number;
    /** Full address. */
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
    /** Number of the parcel at the carrier. */
    trackingNumber?: string;
  };
  /** Id of a payment type enabled in the store; `""` removes it. */
  paymentTypeId?: string;
  /** Promo code. */
  promoCode?: string;
  /**
   * Discount on the whole order.
   * @example 150000
   */
  discount?: number;
  /**
   * What has been paid. If it is not sent, a new payment status sets it: one that counts as paid to the total, `unpaid` and `refunded` to 0.
   * @example 150000
   */
  paidAmount?: number;
  /** Keys to set; `""` removes a key, and the others stay. An order has at most 20 keys. */
  metadata?: {
    [key: string]: string;
  };
}

/** A line of the order, or a new one. */
export interface OrderChangeItem {
  /**
   * Format: uuid
   * Id of a line of this order. It keeps its product, name and SKU, and all fields not sent.
   */
  id?: string;
  /**
   * Format: uuid
   * Id of the product of a new line. Send exactly one of `id`, `productId`, `sku` and `externalProductId`.
   */
  productId?: string;
  /** SKU of the product. */
  sku?: string;
  /** Product id in an external system. */
  externalProductId?: string;
  /** Quantity. Required for a new line. */
  quantity?: number;
  /**
   * Price of one unit. A new line defaults to the catalog price.
   * @example 150000
   */
  unitPrice?: number;
  /**
   * Discount on the line.
   * @example 150000
   */
  discount?: number;
}

/** A product in the catalog. */
export interface Product {
  /**
   * Format: uuid
   * Product identifier.
   */
  id: string;
  /** Product id in an external system. */
  externalId: string;
  /** SKU (stock keeping unit). */
  sku: string;
  /** Name. */
  name: string;
  /** Description. */
  description: string;
  /**
   * Catalog price.
   * @example 150000
   */
  price: number;
  /**
   * Currency of the price.
   * @example RUB
   */
  currency: string;
  /** Id of the category; null if the product has none. */
  categoryId: string | null;
  /** External id of the category. */
  categoryExternalId: string;
  /** Picture: an `https` address, or a path of this service that begins with `/`, as uploaded pictures have; empty if there is none. */
  imageUrl: string;
  /** Whether the product can be ordered. */
  isActive: boolean;
  /**
   * Format: date-time
   * Creation time.
   * @example 2026-09-27T10:15:30.125Z
   */
  createdAt: string;
  /**
   * Format: date-time
   * Time of the last change.
   * @example 2026-09-27T10:15:30.125Z
   */
  updatedAt: string;
  /** Quantity in all active warehouses, which may be negative; null if the product has no stock. */
  stock: number | null;
  /** Null if there is none. */
  oldPrice: number | null;
  /** With `with=stock`. */
  stockByWarehouse?: {
    /**
     * Format: uuid
     * Id of the warehouse.
     */
    warehouseId: string;
    /** Quantity in the warehouse; may be negative. */
    quantity: number;
  }[];
}

/** A customer of the store. */
export interface Customer {
  /**
   * Format: uuid
   * Customer identifier.
   */
  id: string;
  /** Customer id in an external system. */
  externalId: string;
  /** Name. */
  name: string;
  /** Phone number. */
  phone: string;
  /** E-mail address. */
  email: string;
  /**
   * Format: date-time
   * Creation time.
   * @example 2026-09-27T10:15:30.125Z
   */
  createdAt: string;
  /**
   * Format: date-time
   * Time of the last change.
   * @example 2026-09-27T10:15:30.125Z
   */
  updatedAt: string;
  /** The customer that this one was merged into, which has its orders now and may itself have been merged; null for all others. */
  mergedIntoId: string | null;
  /** When the personal data of the customer was erased: all texts are empty, here and in the orders, and the same phone makes a new customer; null for all others. */
  erasedAt: string | null;
}

/** A delivery type. */
export interface DeliveryType {
  /**
   * Format: uuid
   * Identifier. Pass it as `delivery.typeId` when you create an order.
   */
  id: string;
  /** Code, unique among the delivery types of the owner. */
  code: string;
  /** Name. */
  name: string;
  /**
   * Kind of delivery.
   * @enum {string}
   */
  kind: 'carrier' | 'pickup' | 'courier';
  /** Integration provider; null if the type has no integration. */
  provider: string | null;
  /** Whether it is enabled in this store. */
  isActive: boolean;
  /**
   * Address of a page that tracks a parcel, with `{number}` for its number; empty if there is none.
   * @example https://track.example.com/?id={number}
   */
  trackingUrlTemplate: string;
}

/** Fields that are not sent stay unchanged. */
export interface DeliveryTypeChange {
  /** Name. Changes in all stores of the owner. */
  name?: string;
  /**
   * Code, unique among the delivery types of the owner. Changes in all stores of the owner.
   * @example main-warehouse
   */
  code?: string;
  /**
   * Kind of delivery. Changes in all stores of the owner. Cannot be changed if the type has an integration.
   * @enum {string}
   */
  kind?: 'carrier' | 'pickup' | 'courier';
  /** Enables or disables the type in this store only. */
  isActive?: boolean;
  /**
   * An https address with `{number}` for the number of a parcel; `""` clears it. Changes in all stores of the owner.
   * @example https://track.example.com/?id={number}
   */
  trackingUrlTemplate?: string;
}

/** A payment type, shared by all stores of the owner. */
export interface PaymentType {
  /**
   * Format: uuid
   * Identifier. Pass it as `paymentTypeId` when you create an order.
   */
  id: string;
  /** Code, unique among the payment types of the owner. */
  code: string;
  /** Name. */
  name: string;
  /** Description. */
  description: string;
  /** Whether it is enabled in this store. */
  isActive: boolean;
}

/** A new payment type. */
export interface PaymentTypeCreate {
  /** Name. */
  name: string;
  /**
   * Unique among the payment types of the owner. Derived from the name if omitted.
   * @example main-warehouse
   */
  code?: string;
  /** Description. */
  description?: string;
}

/** An order status. */
export interface OrderStatus {
  /**
   * Format: uuid
   * Identifier.
   */
  id: string;
  /** System code; null for a custom status. */
  code: string | null;
  /** Name, unique within the group. */
  name: string;
  /**
   * Stage that the status belongs to.
   * @enum {string}
   */
  group: 'new' | 'packing' | 'delivering' | 'completed' | 'cancelled' | 'returned';
  /** Whether it is enabled. */
  isActive: boolean;
  /** Display order. */
  sortOrder: number;
}

/** A new order status. */
export interface OrderStatusCreate {
  /**
   * Stage that the status belongs to.
   * @enum {string}
   */
  group: 'new' | 'packing' | 'delivering' | 'completed' | 'cancelled' | 'returned';
  /** Name, unique within the group. */
  name: string;
}

/** Fields that are not sent stay unchanged. */
export interface OrderStatusChange {
  /** Name, unique within the group. */
  name?: string;
  /** Enables or disables the status. If it is disabled, its orders move to the main status of the group. */
  isActive?: boolean;
}

/** A payment status. */
export interface PaymentStatus {
  /**
   * Format: uuid
   * Identifier.
   */
  id: string;
  /** System code; null for a custom status. */
  code: string | null;
  /** Name, unique in the store. */
  name: string;
  /** Whether orders in this status count as paid. */
  isPaid: boolean;
  /** Whether it is enabled. */
  isActive: boolean;
  /** Display order. */
  sortOrder: number;
  /**
   * Colour in the format `#RRGGBB`.
   * @example #9CA3AF
   */
  color: string;
}

/** A new payment status. */
export interface PaymentStatusCreate {
  /** Name, unique in the store. */
  name: string;
  /**
   * Whether orders in this status count as paid.
   * @default false
   */
  isPaid?: boolean;
  /**
   * Colour in the format `#RRGGBB`.
   * @default #9CA3AF
   * @example #9CA3AF
   */
  color?: string;
}

/** Fields that are not sent stay unchanged. */
export interface PaymentStatusChange {
  /** Name, unique in the store. */
  name?: string;
  /** Whether orders in this status count as paid. */
  isPaid?: boolean;
  /**
   * Colour in the format `#RRGGBB`.
   * @example #9CA3AF
   */
  color?: string;
  /** Enables or disables the status. If it is disabled, its orders become unpaid. */
  isActive?: boolean;
}

/** A product category. */
export interface Category {
  /**
   * Format: uuid
   * Identifier, the `categoryId` of products.
   */
  id: string;
  /** Category id in an external system, the `categoryExternalId` of products. */
  externalId: string;
  /** Name. */
  name: string;
  /** Id of the parent category; null at the top level. */
  parentId: string | null;
  /**
   * Format: date-time
   * Creation time, with microseconds and a UTC offset.
   * @example 2026-09-27T10:15:30.125000+00:00
   */
  createdAt: string;
  /**
   * Format: date-time
   * Time of the last change, with microseconds and a UTC offset.
   * @example 2026-09-27T10:15:30.125000+00:00
   */
  updatedAt: string;
}

/** A warehouse. */
export interface Warehouse {
  /**
   * Format: uuid
   * Identifier.
   */
  id: string;
  /** Code, unique in the store. */
  code: string;
  /** Name. */
  name: string;
  /** Address. */
  address: string;
  /** City. */
  city: string;
  /** Whether it is enabled. */
  isActive: boolean;
}

/** A new warehouse. */
export interface WarehouseCreate {
  /** Name. */
  name: string;
  /**
   * Derived from the name if omitted. If the code is taken, a number is appended.
   * @example main-warehouse
   */
  code?: string;
  /** Address. */
  address?: string;
  /** City. */
  city?: string;
}

/** Quantities to set or to change, all of them or none. */
export interface StockChange {
  /** Each product and warehouse once. */
  lines: StockLine[];
}

/** The stock of a product in a warehouse. */
export interface StockLine {
  /**
   * Format: uuid
   * Id of the product. Send exactly one of `productId`, `sku` and `externalProductId`.
   */
  productId?: string;
  /** SKU of the product. */
  sku?: string;
  /** Product id in an external system. */
  externalProductId?: string;
  /**
   * Format: uuid
   * Id of the warehouse. Defaults to the first active warehouse of the store.
   */
  warehouseId?: string;
  /** The quantity that is there now. Send exactly one of `quantity` and `change`. */
  quantity?: number;
  /** What is added; negative to take away. */
  change?: number;
}

/** The stock of a product in a warehouse. */
export interface StockQuantity {
  /**
   * Format: uuid
   * Id of the product.
   */
  productId: string;
  /**
   * Format: uuid
   * Id of the warehouse.
   */
  warehouseId: string;
  /** Quantity in the warehouse; may be negative. */
  quantity: number;
}

/** Pagination. */
export interface Page {
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there are more records after this page. */
  hasMore: boolean;
}

/** Pagination of a list that a client can follow. */
export interface SyncedPage {
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there are more records after this page. */
  hasMore: boolean;
  /** Only in the order `updatedAt:asc` (events: `createdAt:asc`), and there on every page: sent as `cursor` with the same filters, it returns what changed after this page. */
  syncCursor?: string;
}

/** A problem document (RFC 9457). */
export interface Problem {
  /**
   * Format: uri
   * URL of the code in the error reference.
   */
  type: string;
  /** Meaning of the code. */
  title: string;
  /** HTTP status. */
  status: number;
  /** Human-readable explanation of this error. */
  detail: string;
  /**
   * Error code, for programs.
   * @enum {string}
   */
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
    | 'idempotency_in_progress'
    | 'name_taken'
    | 'code_taken'
    | 'system_record'
    | 'integration_locked'
    | 'precondition_failed'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'invalid_body'
    | 'idempotency_key_reused'
    | 'headers_too_large'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  /** Same as the header `X-Request-Id`. */
  requestId: string;
  /** All errors of fields and parameters. */
  errors?: FieldError[];
}

/** An error in one field or parameter. */
export interface FieldError {
  /**
   * JSON pointer to the field in the body.
   * @example /items/0/quantity
   */
  pointer?: string;
  /** Name of the query or path parameter, or of the header. */
  parameter?: string;
  /**
   * Error code of the field or parameter.
   * @enum {string}
   */
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
  /** Human-readable description of the error. */
  message: string;
}

/** An order event. */
export interface OrderEvent {
  /**
   * Format: uuid
   * Event id, the same for all retries and endpoints. Skip ids that you have already processed.
   */
  id: string;
  /**
   * Event type.
   * @enum {string}
   */
  type: 'order.created' | 'order.status_changed' | 'order.payment_status_changed';
  /**
   * Format: date-time
   * Time of the event.
   * @example 2026-09-27T10:15:30.125Z
   */
  createdAt: string;
  /** The order of the event. */
  data: {
    /**
     * Format: uuid
     * Order id. Read the current state with `GET /api/v1/orders/{id}`.
     */
    orderId: string;
    /** Order id in an external system. */
    externalId: string;
  };
}

/** A test event, sent on request to any endpoint. */
export interface PingEvent {
  /**
   * Format: uuid
   * Event id, the same for all retries and endpoints. Skip ids that you have already processed.
   */
  id: string;
  /**
   * Always `ping`.
   * @enum {string}
   */
  type: 'ping';
  /**
   * Format: date-time
   * Time of the event.
   * @example 2026-09-27T10:15:30.125Z
   */
  createdAt: string;
  /** Empty. */
  data: Record<string, never>;
}

export interface operations {
  checkKey: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Credentials;
          };
        };
      };
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** System code of a status, for example `new`, or the id of any status of the store. */
        status?: string;
        /** System code of a payment status, for example `paid`, or the id of any payment status of the store. */
        paymentStatus?: string;
        /** Order id in an external system. */
        externalId?: string;
        /** Order number. */
        number?: number;
        /** Id of the customer record. */
        customerId?: string;
        /** Phone of the order, in any notation. Eleven digits that begin with `8`, without `+`, match `+7…`. */
        phone?: string;
        /** E-mail address of the order, case-insensitive. */
        email?: string;
        /** Origin of the order. */
        source?: 'api' | 'manual' | 'site';
        /** Values of your own data, each as `filter[metadata][KEY]=VALUE`; an order must have all of them. */
        metadata?: {
          [key: string]: string;
        };
        /** Range of `createdAt`, both ends inclusive. */
        createdAt?: {
          from?: string;
          to?: string;
        };
        /** Range of `updatedAt`, both ends inclusive. */
        updatedAt?: {
          from?: string;
          to?: string;
        };
        /** Sort order. Use `updatedAt:asc` for incremental synchronization. */
        order?: 'createdAt:desc' | 'createdAt:asc' | 'updatedAt:desc' | 'updatedAt:asc';
        /** `page.nextCursor` of the previous response, valid only with the same `order`; or a `page.syncCursor`, valid only with the same filters too. */
        cursor?: string;
        /** Maximum number of records per page. */
        limit?: number;
        /** Include the items of each order. */
        with?: 'items';
      };
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Order[];
            page: SyncedPage;
          };
        };
      };
    };
  };
  createOrder: {
    parameters: {
      query?: never;
      header?: {
        /** Only POST has this header; on a change it has no effect. A value of your choice, such as a UUID, that is new for each record. Within 24 hours, requests with the same value and the same body create one record and get the same response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "externalId": "site-1042",
         *       "customer": {
         *         "name": "Anna Petrova",
         *         "phone": "+7 900 123-45-67",
         *         "email": "anna@example.com"
         *       },
         *       "items": [
         *         {
         *           "sku": "COF-04",
         *           "quantity": 2,
         *           "unitPrice": 149000,
         *           "discount": 20000
         *         },
         *         {
         *           "externalProductId": "1c-cof-07",
         *           "quantity": 1
         *         }
         *       ],
         *       "delivery": {
         *         "cost": 35000,
         *         "address": "12 Lesnaya street, flat 34, Moscow",
         *         "city": "Moscow",
         *         "region": "Moscow",
         *         "street": "Lesnaya street",
         *         "house": "12",
         *         "flat": "34",
         *         "postalCode": "127055"
         *       },
         *       "promoCode": "AUTUMN",
         *       "discount": 10000,
         *       "notes": "Call an hour before delivery."
         *     }
         */
        'application/json': OrderCreate;
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Order | OrderSummary;
          };
        };
      };
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Order | OrderSummary;
          };
        };
      };
    };
  };
  readOrder: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** Identifier. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Order;
          };
        };
      };
    };
  };
  changeOrder: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of the record when you read it. If the record has changed since, the response is 412. A `W/` in front of it, which compressing proxies add, makes no difference; `*` matches any version. */
        'If-Match'?: string;
      };
      path: {
        /** Identifier. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "packing",
         *       "paymentStatus": "paid",
         *       "notes": "Paid in the shop."
         *     }
         */
        'application/json': OrderChange;
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Order | OrderSummary;
          };
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** Event type. */
        type?: 'order.created' | 'order.status_changed' | 'order.payment_status_changed';
        /** Order id. */
        orderId?: string;
        /** Range of `createdAt`, both ends inclusive. */
        createdAt?: {
          from?: string;
          to?: string;
        };
        /** Sort order. Use `createdAt:asc` to follow the events. */
        order?: 'createdAt:desc' | 'createdAt:asc';
        /** `page.nextCursor` of the previous response, valid only with the same `order`; or a `page.syncCursor`, valid only with the same filters too. */
        cursor?: string;
        /** Maximum number of records per page. */
        limit?: number;
      };
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: OrderEvent[];
            page: SyncedPage;
          };
        };
      };
    };
  };
  listProducts: {
    parameters: {
      query?: {
        /** Product id in an external system. */
        externalId?: string;
        /** SKU. */
        sku?: string;
        /** Category id. */
        categoryId?: string;
        /** Range of `createdAt`, both ends inclusive. */
        createdAt?: {
          from?: string;
          to?: string;
        };
        /** Range of `updatedAt`, both ends inclusive. */
        updatedAt?: {
          from?: string;
          to?: string;
        };
        /** Sort order. Use `updatedAt:asc` for incremental synchronization. */
        order?: 'createdAt:desc' | 'createdAt:asc' | 'updatedAt:desc' | 'updatedAt:asc';
        /** `page.nextCursor` of the previous response, valid only with the same `order`; or a `page.syncCursor`, valid only with the same filters too. */
        cursor?: string;
        /** Maximum number of records per page. */
        limit?: number;
        /** Include the stock in each warehouse. */
        with?: 'stock';
      };
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Product[];
            page: SyncedPage;
          };
        };
      };
    };
  };
  readProduct: {
    parameters: {
      query?: {
        /** Include the stock in each warehouse. */
        with?: 'stock';
      };
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** Id, external id or SKU, percent-encoded. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Product;
          };
        };
      };
    };
  };
  changeStock: {
    parameters: {
      query?: never;
      header?: {
        /** Only POST has this header; on a change it has no effect. A value of your choice, such as a UUID, that is new for each record. Within 24 hours, requests with the same value and the same body create one record and get the same response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "lines": [
         *         {
         *           "sku": "COF-04",
         *           "quantity": 12
         *         },
         *         {
         *           "externalProductId": "1c-cof-07",
         *           "change": -1
         *         }
         *       ]
         *     }
         */
        'application/json': StockChange;
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: StockQuantity[];
          };
        };
      };
    };
  };
  listCustomers: {
    parameters: {
      query?: {
        /** Phone number in any notation. Eleven digits that begin with `8`, without `+`, match `+7…`. */
        phone?: string;
        /** E-mail address, case-insensitive. */
        email?: string;
        /** Customer id in an external system. */
        externalId?: string;
        /** Range of `createdAt`, both ends inclusive. */
        createdAt?: {
          from?: string;
          to?: string;
        };
        /** Range of `updatedAt`, both ends inclusive. */
        updatedAt?: {
          from?: string;
          to?: string;
        };
        /** Sort order. Use `updatedAt:asc` for incremental synchronization. */
        order?: 'createdAt:desc' | 'createdAt:asc' | 'updatedAt:desc' | 'updatedAt:asc';
        /** `page.nextCursor` of the previous response, valid only with the same `order`; or a `page.syncCursor`, valid only with the same filters too. */
        cursor?: string;
        /** Maximum number of records per page. */
        limit?: number;
        /** Include customers that were merged into another. They are found by no filter of phone, e-mail or external id. */
        with?: 'merged';
      };
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Customer[];
            page: SyncedPage;
          };
        };
      };
    };
  };
  readCustomer: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** Identifier. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Customer;
          };
        };
      };
    };
  };
  listDeliveryTypes: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: DeliveryType[];
            page: Page;
          };
        };
      };
    };
  };
  changeDeliveryType: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Identifier. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Courier",
         *       "isActive": true
         *     }
         */
        'application/json': DeliveryTypeChange;
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: DeliveryType;
          };
        };
      };
    };
  };
  listPaymentTypes: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: PaymentType[];
            page: Page;
          };
        };
      };
    };
  };
  createPaymentType: {
    parameters: {
      query?: never;
      header?: {
        /** Only POST has this header; on a change it has no effect. A value of your choice, such as a UUID, that is new for each record. Within 24 hours, requests with the same value and the same body create one record and get the same response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Fast payment",
         *       "code": "sbp",
         *       "description": "QR code at the counter."
         *     }
         */
        'application/json': PaymentTypeCreate;
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: PaymentType;
          };
        };
      };
    };
  };
  listOrderStatuses: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: OrderStatus[];
            page: Page;
          };
        };
      };
    };
  };
  createOrderStatus: {
    parameters: {
      query?: never;
      header?: {
        /** Only POST has this header; on a change it has no effect. A value of your choice, such as a UUID, that is new for each record. Within 24 hours, requests with the same value and the same body create one record and get the same response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "group": "packing",
         *       "name": "Waiting for stock"
         *     }
         */
        'application/json': OrderStatusCreate;
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: OrderStatus;
          };
        };
      };
    };
  };
  changeOrderStatusRecord: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Identifier. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Waiting for stock"
         *     }
         */
        'application/json': OrderStatusChange;
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: OrderStatus;
          };
        };
      };
    };
  };
  listPaymentStatuses: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: PaymentStatus[];
            page: Page;
          };
        };
      };
    };
  };
  createPaymentStatus: {
    parameters: {
      query?: never;
      header?: {
        /** Only POST has this header; on a change it has no effect. A value of your choice, such as a UUID, that is new for each record. Within 24 hours, requests with the same value and the same body create one record and get the same response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Paid by instalments",
         *       "isPaid": true,
         *       "color": "#4F46E5"
         *     }
         */
        'application/json': PaymentStatusCreate;
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: PaymentStatus;
          };
        };
      };
    };
  };
  changePaymentStatusRecord: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** Identifier. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Paid by instalments",
         *       "color": "#4F46E5"
         *     }
         */
        'application/json': PaymentStatusChange;
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: PaymentStatus;
          };
        };
      };
    };
  };
  listCategories: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Category[];
            page: Page;
          };
        };
      };
    };
  };
  listWarehouses: {
    parameters: {
      query?: never;
      header?: {
        /** `ETag` of an earlier response to the same URL. If nothing has changed since, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Warehouse[];
            page: Page;
          };
        };
      };
    };
  };
  createWarehouse: {
    parameters: {
      query?: never;
      header?: {
        /** Only POST has this header; on a change it has no effect. A value of your choice, such as a UUID, that is new for each record. Within 24 hours, requests with the same value and the same body create one record and get the same response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Склад Москва",
         *       "address": "5 Skladskaya street",
         *       "city": "Moscow"
         *     }
         */
        'application/json': WarehouseCreate;
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Warehouse;
          };
        };
      };
    };
  };
}

export const routes = {
  checkKey: 'GET /credentials',
  listOrders: 'GET /orders',
  createOrder: 'POST /orders',
  readOrder: 'GET /orders/{id}',
  changeOrder: 'PATCH /orders/{id}',
  listEvents: 'GET /events',
  listProducts: 'GET /products',
  readProduct: 'GET /products/{id}',
  changeStock: 'POST /stock',
  listCustomers: 'GET /customers',
  readCustomer: 'GET /customers/{id}',
  listDeliveryTypes: 'GET /references/delivery-types',
  changeDeliveryType: 'PATCH /references/delivery-types/{id}',
  listPaymentTypes: 'GET /references/payment-types',
  createPaymentType: 'POST /references/payment-types',
  listOrderStatuses: 'GET /references/order-statuses',
  createOrderStatus: 'POST /references/order-statuses',
  changeOrderStatusRecord: 'PATCH /references/order-statuses/{id}',
  listPaymentStatuses: 'GET /references/payment-statuses',
  createPaymentStatus: 'POST /references/payment-statuses',
  changePaymentStatusRecord: 'PATCH /references/payment-statuses/{id}',
  listCategories: 'GET /references/categories',
  listWarehouses: 'GET /references/warehouses',
  createWarehouse: 'POST /references/warehouses',
} as const satisfies Record<keyof operations, string>;

export const API_PREFIX = '/api/v1';

export const VERSION = '0.1.0';

export const EVENT_HEADER = 'x-service-event';

export const SIGNATURE_HEADER = 'x-service-signature';

export const DELIVERY_HEADER = 'x-service-delivery';
