import type * as c from '@store-sales/contract';
import { bodyExamples } from '@store-sales/contract';

const orderId = '019a1c3e-7b20-7c41-9d5e-2f8a61b04c11';
const customerId = '019a1c3e-7b1e-7a06-8c1d-5e90d3a7f225';
const deliveryTypeId = '019a0f52-3c10-7e2b-a7c4-90b1d2e3f401';
const paymentTypeId = '019a0f52-3c14-7d80-b3a9-41c2d3e4f502';
const coffeeId = '019a0f60-11a0-7b33-8f21-6a7b8c9d0e03';
const filtersId = '019a0f60-11a4-7c55-9e32-7b8c9d0e1f04';
const categoryId = '019a0f58-20c0-7f10-8a43-8c9d0e1f2a05';
const newStatusId = '019a0f52-3c20-7a01-9b54-9d0e1f2a3b06';
const unpaidId = '019a0f52-3c30-7b02-8c65-0e1f2a3b4c07';

const { customer, delivery } = bodyExamples.OrderCreate;
const { cost: _, ...address } = delivery;

const order: c.Order = {
  id: orderId,
  externalId: 'site-1042',
  createdAt: '2026-09-27T10:15:30.125Z',
  updatedAt: '2026-09-27T10:15:30.125Z',
  status: { id: newStatusId, code: 'new', name: 'New' },
  paymentStatus: { id: unpaidId, code: 'unpaid', name: 'Unpaid', isPaid: false },
  totalAmount: 382000,
  discountTotal: 30000,
  promoCode: 'AUTUMN',
  currency: 'RUB',
  customer: { id: customerId, ...customer },
  delivery: {
    type: 'Courier',
    cost: 35000,
    discount: 0,
    ...address,
    typeId: deliveryTypeId,
    trackingNumber: 'RA644000001RU',
    trackingUrl: 'https://track.example.com/?id=RA644000001RU',
  },
  source: 'api',
  notes: 'Call an hour before delivery.',
  items: [
    {
      id: '019a1c3e-7b21-7d52-8e6f-3a9b72c15d22',
      productId: coffeeId,
      externalProductId: '1c-cof-04',
      name: 'Brazil Cerrado, 1 kg',
      sku: 'COF-04',
      quantity: 2,
      unitPrice: 149000,
      discount: 20000,
      lineTotal: 278000,
    },
    {
      id: '019a1c3e-7b21-7e63-9f70-4bac83d26e33',
      productId: filtersId,
      externalProductId: '1c-cof-07',
      name: 'Drip bags, assorted, 10 pcs',
      sku: 'COF-07',
      quantity: 1,
      unitPrice: 79000,
      discount: 0,
      lineTotal: 79000,
    },
  ],
  paidAmount: 0,
  number: 1042,
  metadata: { pickingZone: 'B2' },
  paymentType: { id: paymentTypeId, code: 'card', name: 'Card' },
};

/** Sample records by schema name, with matching ids. */
export const samples: Record<string, unknown> = {
  ...bodyExamples,
  Order: order,
  Credentials: {
    id: '019a0f70-40d0-7c21-8b76-1f2a3b4c5d08',
    name: 'Warehouse sync',
    store: {
      id: '019a0f52-3c00-7d42-9c87-2a3b4c5d6e09',
      name: 'Coffee corner',
      currency: 'RUB',
      timezone: 'Europe/Moscow',
      plan: 'optimal',
    },
    rights: ['orders:read', 'orders:write', 'references:read'],
    createdAt: '2026-09-01T08:00:00.000Z',
    expiresAt: '2027-09-01T08:00:00.000Z',
  } satisfies c.Credentials,
  Product: {
    id: coffeeId,
    externalId: '1c-cof-04',
    sku: 'COF-04',
    name: 'Brazil Cerrado, 1 kg',
    description: 'Medium roast, Brazil.',
    price: 215000,
    currency: 'RUB',
    categoryId,
    categoryExternalId: 'coffee',
    imageUrl: 'https://shop.example.com/images/espresso.jpg',
    isActive: true,
    createdAt: '2026-06-02T09:30:00.000Z',
    updatedAt: '2026-09-20T14:05:12.480Z',
    stock: 12,
    oldPrice: 239000,
  } satisfies c.Product,
  Customer: {
    id: customerId,
    externalId: 'crm-508',
    ...customer,
    createdAt: '2026-09-27T10:15:30.125Z',
    updatedAt: '2026-09-27T10:15:30.125Z',
    mergedIntoId: null,
    erasedAt: null,
  } satisfies c.Customer,
  DeliveryType: {
    id: deliveryTypeId,
    code: 'courier',
    name: 'Courier',
    kind: 'courier',
    provider: null,
    isActive: true,
    trackingUrlTemplate: 'https://track.example.com/?id={number}',
  } satisfies c.DeliveryType,
  PaymentType: {
    id: '019a1d02-5e10-7b64-8d98-3b4c5d6e7f10',
    code: 'sbp',
    name: 'Fast payment',
    description: 'QR code at the counter.',
    isActive: true,
  } satisfies c.PaymentType,
  OrderStatus: {
    id: '019a1d02-5e20-7c75-9ea9-4c5d6e7f8011',
    code: null,
    name: 'Waiting for stock',
    group: 'packing',
    isActive: true,
    sortOrder: 1,
  } satisfies c.OrderStatus,
  PaymentStatus: {
    id: '019a1d02-5e30-7d86-8fb0-5d6e7f809112',
    code: null,
    name: 'Paid by instalments',
    isPaid: true,
    isActive: true,
    sortOrder: 4,
    color: '#4F46E5',
  } satisfies c.PaymentStatus,
  Category: {
    id: categoryId,
    externalId: 'coffee',
    name: 'Coffee',
    parentId: null,
    createdAt: '2026-06-01T12:00:00.000000+00:00',
    updatedAt: '2026-06-01T12:00:00.000000+00:00',
  } satisfies c.Category,
  Warehouse: {
    id: '019a1d02-5e40-7e97-90c1-6e7f80911213',
    code: 'sklad-moskva',
    name: 'Склад Москва',
    address: '5 Skladskaya street',
    city: 'Moscow',
    isActive: true,
  } satisfies c.Warehouse,
  StockQuantity: {
    productId: coffeeId,
    warehouseId: '019a1d03-1a20-7c75-9ea9-4c5d6e7f8a11',
    quantity: 12,
  },
  Page: { nextCursor: null, hasMore: false },
  OrderEvent: {
    id: '019a1c3e-7b30-7fa8-81d2-7f8091121314',
    createdAt: '2026-09-27T10:15:30.125Z',
    data: { orderId, externalId: 'site-1042' },
  },
  PingEvent: { id: '019a1d10-0a00-70b9-92e3-809112131415', createdAt: '2026-09-27T12:00:00.000Z' },
};

/** Responses to requests that change a record. */
export const responses: Record<string, unknown> = {
  changeOrder: {
    data: {
      ...order,
      updatedAt: '2026-09-27T11:02:07.310Z',
      status: { id: '019a0f52-3c24-7b03-8d76-1f2a3b4c5d16', code: 'packing', name: 'Packing' },
      paymentStatus: { id: '019a0f52-3c34-7c04-9e87-2a3b4c5d6e17', code: 'paid', name: 'Paid', isPaid: true },
      notes: 'Paid in the shop.',
    },
  },
};

/** Query parameters of the list examples. */
export const queries: Record<string, readonly [string, string | number][]> = {
  listOrders: [
    ['filter[status]', 'new'],
    ['with', 'items'],
    ['limit', 50],
  ],
  listProducts: [
    ['filter[updatedAt][from]', '2026-09-20T00:00:00+03:00'],
    ['order', 'updatedAt:asc'],
  ],
  listCustomers: [['filter[phone]', '+7 900 123-45-67']],
};
