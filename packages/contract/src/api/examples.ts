import type { OrderChange, OrderCreate } from './orders.ts';
import type * as references from './references.ts';
import type { StockChange } from './stock.ts';

const customer = { name: 'Anna Petrova', phone: '+7 900 123-45-67', email: 'anna@example.com' };
const address = {
  address: '12 Lesnaya street, flat 34, Moscow',
  city: 'Moscow',
  region: 'Moscow',
  street: 'Lesnaya street',
  house: '12',
  flat: '34',
  postalCode: '127055',
};

/** Request bodies by the name of their schema. They can be sent to the demo store: the products are its own. */
export const bodyExamples = {
  OrderCreate: {
    externalId: 'site-1042',
    customer,
    items: [
      { sku: 'COF-04', quantity: 2, unitPrice: 149000, discount: 20000 },
      { externalProductId: '1c-cof-07', quantity: 1 },
    ],
    delivery: { cost: 35000, ...address },
    promoCode: 'AUTUMN',
    discount: 10000,
    notes: 'Call an hour before delivery.',
  } satisfies OrderCreate,
  OrderChange: { status: 'packing', paymentStatus: 'paid', notes: 'Paid in the shop.' } satisfies OrderChange,
  DeliveryTypeChange: { name: 'Courier', isActive: true } satisfies references.DeliveryTypeChange,
  PaymentTypeCreate: {
    name: 'Fast payment',
    code: 'sbp',
    description: 'QR code at the counter.',
  } satisfies references.PaymentTypeCreate,
  OrderStatusCreate: { group: 'packing', name: 'Waiting for stock' } satisfies references.OrderStatusCreate,
  OrderStatusChange: { name: 'Waiting for stock' } satisfies references.OrderStatusChange,
  PaymentStatusCreate: {
    name: 'Paid by instalments',
    isPaid: true,
    color: '#4F46E5',
  } satisfies references.PaymentStatusCreate,
  PaymentStatusChange: { name: 'Paid by instalments', color: '#4F46E5' } satisfies references.PaymentStatusChange,
  WarehouseCreate: {
    name: 'Склад Москва',
    address: '5 Skladskaya street',
    city: 'Moscow',
  } satisfies references.WarehouseCreate,
  StockChange: {
    lines: [
      { sku: 'COF-04', quantity: 12 },
      { externalProductId: '1c-cof-07', change: -1 },
    ],
  } satisfies StockChange,
};
