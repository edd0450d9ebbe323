import Type, { type Static } from 'typebox';
import { Body, Code, Name, OneOf, OrNull, Text, Uuid } from './common.ts';

export const deliveryKinds = ['carrier', 'pickup', 'courier'] as const;
/** Stages of an order, in order. Each has one system status whose code is the group's. */
export const statusGroups = ['new', 'packing', 'delivering', 'completed', 'cancelled', 'returned'] as const;
export type StatusGroup = (typeof statusGroups)[number];

const kind = OneOf(deliveryKinds, 'Kind of delivery.');
const group = OneOf(statusGroups, 'Stage the status belongs to.');
const isActive = (description: string) => Type.Boolean({ description });
const sortOrder = Type.Integer({ description: 'Display order.' });
const systemCode = OrNull(Type.String(), 'System code; null for a status made through the API.');
const color = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  description: 'Colour, `#RRGGBB`.',
  examples: ['#9CA3AF'],
});

export const DeliveryType = Type.Object(
  {
    id: Uuid('Passed as `delivery.typeId` when an order is created.'),
    code: Type.String({ description: 'Code, unique among the delivery types of the owner.' }),
    name: Type.String({ description: 'Name.' }),
    kind,
    provider: OrNull(Type.String(), 'Integration provider; null when the type has none.'),
    isActive: isActive('Enabled in this store.'),
  },
  { description: 'A way of delivery.' },
);
export type DeliveryType = Static<typeof DeliveryType>;

export const PaymentType = Type.Object(
  {
    id: Uuid('Passed as `paymentTypeId` when an order is created.'),
    code: Type.String({ description: 'Code, unique among the payment types of the owner.' }),
    name: Type.String({ description: 'Name.' }),
    description: Type.String({ description: 'Description.' }),
    isActive: isActive('Enabled in this store.'),
  },
  { description: 'A way of payment, shared by all stores of the owner.' },
);
export type PaymentType = Static<typeof PaymentType>;

export const OrderStatus = Type.Object(
  {
    id: Uuid('Identifier.'),
    code: systemCode,
    name: Type.String({ description: 'Name, unique within the group.' }),
    group,
    isActive: isActive('Enabled.'),
    sortOrder,
  },
  { description: 'A status of orders.' },
);
export type OrderStatus = Static<typeof OrderStatus>;

export const PaymentStatus = Type.Object(
  {
    id: Uuid('Identifier.'),
    code: systemCode,
    name: Type.String({ description: 'Name, unique in the store.' }),
    isPaid: Type.Boolean({ description: 'Whether orders in this status count as paid.' }),
    isActive: isActive('Enabled.'),
    sortOrder,
    color,
  },
  { description: 'A payment status of orders.' },
);
export type PaymentStatus = Static<typeof PaymentStatus>;

export const Warehouse = Type.Object(
  {
    id: Uuid('Identifier.'),
    code: Type.String({ description: 'Code, unique in the store.' }),
    name: Type.String({ description: 'Name.' }),
    address: Type.String({ description: 'Address.' }),
    city: Type.String({ description: 'City.' }),
    isActive: isActive('Enabled.'),
  },
  { description: 'A warehouse.' },
);
export type Warehouse = Static<typeof Warehouse>;

const Microseconds = Type.String({
  format: 'date-time',
  description: 'With microseconds and a UTC offset.',
  examples: ['2026-09-27T10:15:30.125000+00:00'],
});

export const Category = Type.Object(
  {
    id: Uuid('Passed as `categoryId` of a product.'),
    externalId: Type.String({ description: 'Passed as `categoryExternalId` of a product.' }),
    name: Type.String({ description: 'Name.' }),
    parentId: OrNull(Type.String({ format: 'uuid' }), 'The category above; null at the top.'),
    createdAt: Microseconds,
    updatedAt: Microseconds,
  },
  { description: 'A product category.' },
);
export type Category = Static<typeof Category>;

export const WarehouseCreate = Body(
  {
    name: Name('Name.'),
    code: Type.Optional(Code('Derived from the name when left out; a number is appended when taken.')),
    address: Type.Optional(Text(2000, 'Address.')),
    city: Type.Optional(Text(200, 'City.')),
  },
  { description: 'A new warehouse.' },
);
export type WarehouseCreate = Static<typeof WarehouseCreate>;

export const PaymentStatusCreate = Body(
  {
    name: Name('Unique in the store.'),
    isPaid: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether orders in this status count as paid.' }),
    ),
    color: Type.Optional({ ...color, default: '#9CA3AF' }),
  },
  { description: 'A new payment status.' },
);
export type PaymentStatusCreate = Static<typeof PaymentStatusCreate>;

export const PaymentTypeCreate = Body(
  {
    name: Name('Name.'),
    code: Type.Optional(Code('Unique among the payment types of the owner; derived from the name when left out.')),
    description: Type.Optional(Text(2000, 'Description.')),
  },
  { description: 'A new payment type.' },
);
export type PaymentTypeCreate = Static<typeof PaymentTypeCreate>;

export const OrderStatusCreate = Body(
  { group, name: Name('Unique within the group.') },
  { description: 'A new order status.' },
);
export type OrderStatusCreate = Static<typeof OrderStatusCreate>;

export const DeliveryTypeChange = Body(
  {
    name: Type.Optional(Name('Applies in all stores of the owner.')),
    code: Type.Optional(Code('Applies in all stores of the owner; unique among its delivery types.')),
    kind: Type.Optional({ ...kind, description: 'Applies in all stores; locked where an integration provides it.' }),
    isActive: Type.Optional(isActive('Enables or disables the type in this store only.')),
  },
  { description: 'Only the fields passed change.' },
);
export type DeliveryTypeChange = Static<typeof DeliveryTypeChange>;

export const PaymentStatusChange = Body(
  {
    name: Type.Optional(Name('Unique in the store.')),
    isPaid: Type.Optional(Type.Boolean({ description: 'Whether orders in this status count as paid.' })),
    color: Type.Optional(color),
    isActive: Type.Optional(isActive('False disables; its orders become unpaid.')),
  },
  { description: 'Only the fields passed change.' },
);
export type PaymentStatusChange = Static<typeof PaymentStatusChange>;

export const OrderStatusChange = Body(
  {
    name: Type.Optional(Name('Unique within the group.')),
    isActive: Type.Optional(isActive('False disables; its orders move to the main status of the group.')),
  },
  { description: 'Only the fields passed change.' },
);
export type OrderStatusChange = Static<typeof OrderStatusChange>;
