import Type, { type Static } from 'typebox';
import { Body, Code, Name, OneOf, OrNull, Text, Uuid } from './common.ts';
import { deliveryKinds, statusGroups, TRACKING_TEMPLATE } from './values.ts';

const kind = OneOf(deliveryKinds, 'Kind of delivery.');
const group = OneOf(statusGroups, 'Stage that the status belongs to.');
const isActive = (description: string) => Type.Boolean({ description });
const sortOrder = Type.Integer({ description: 'Display order.' });
const systemCode = OrNull(Type.String(), 'System code; null for a custom status.');
const color = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  description: 'Colour in the format `#RRGGBB`.',
  examples: ['#9CA3AF'],
});

export const DeliveryType = Type.Object(
  {
    id: Uuid('Identifier. Pass it as `delivery.typeId` when you create an order.'),
    code: Type.String({ description: 'Code, unique among the delivery types of the owner.' }),
    name: Type.String({ description: 'Name.' }),
    kind,
    provider: OrNull(Type.String(), 'Integration provider; null if the type has no integration.'),
    isActive: isActive('Whether it is enabled in this store.'),
    trackingUrlTemplate: Type.String({
      description: 'Address of a page that tracks a parcel, with `{number}` for its number; empty if there is none.',
      examples: ['https://track.example.com/?id={number}'],
    }),
  },
  { description: 'A delivery type.' },
);
export type DeliveryType = Static<typeof DeliveryType>;

export const PaymentType = Type.Object(
  {
    id: Uuid('Identifier. Pass it as `paymentTypeId` when you create an order.'),
    code: Type.String({ description: 'Code, unique among the payment types of the owner.' }),
    name: Type.String({ description: 'Name.' }),
    description: Type.String({ description: 'Description.' }),
    isActive: isActive('Whether it is enabled in this store.'),
  },
  { description: 'A payment type, shared by all stores of the owner.' },
);
export type PaymentType = Static<typeof PaymentType>;

export const OrderStatus = Type.Object(
  {
    id: Uuid('Identifier.'),
    code: systemCode,
    name: Type.String({ description: 'Name, unique within the group.' }),
    group,
    isActive: isActive('Whether it is enabled.'),
    sortOrder,
  },
  { description: 'An order status.' },
);
export type OrderStatus = Static<typeof OrderStatus>;

export const PaymentStatus = Type.Object(
  {
    id: Uuid('Identifier.'),
    code: systemCode,
    name: Type.String({ description: 'Name, unique in the store.' }),
    isPaid: Type.Boolean({ description: 'Whether orders in this status count as paid.' }),
    isActive: isActive('Whether it is enabled.'),
    sortOrder,
    color,
  },
  { description: 'A payment status.' },
);
export type PaymentStatus = Static<typeof PaymentStatus>;

export const Warehouse = Type.Object(
  {
    id: Uuid('Identifier.'),
    code: Type.String({ description: 'Code, unique in the store.' }),
    name: Type.String({ description: 'Name.' }),
    address: Type.String({ description: 'Address.' }),
    city: Type.String({ description: 'City.' }),
    isActive: isActive('Whether it is enabled.'),
  },
  { description: 'A warehouse.' },
);
export type Warehouse = Static<typeof Warehouse>;

const Microseconds = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-09-27T10:15:30.125000+00:00'] });

export const Category = Type.Object(
  {
    id: Uuid('Identifier, the `categoryId` of products.'),
    externalId: Type.String({
      description: 'Category id in an external system, the `categoryExternalId` of products.',
    }),
    name: Type.String({ description: 'Name.' }),
    parentId: OrNull(Type.String({ format: 'uuid' }), 'Id of the parent category; null at the top level.'),
    createdAt: Microseconds('Creation time, with microseconds and a UTC offset.'),
    updatedAt: Microseconds('Time of the last change, with microseconds and a UTC offset.'),
  },
  { description: 'A product category.' },
);
export type Category = Static<typeof Category>;

export const WarehouseCreate = Body(
  {
    name: Name('Name.'),
    code: Type.Optional(Code('Derived from the name if omitted. If the code is taken, a number is appended.')),
    address: Type.Optional(Text(2000, 'Address.')),
    city: Type.Optional(Text(200, 'City.')),
  },
  { description: 'A new warehouse.' },
);
export type WarehouseCreate = Static<typeof WarehouseCreate>;

export const PaymentStatusCreate = Body(
  {
    name: Name('Name, unique in the store.'),
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
    code: Type.Optional(Code('Unique among the payment types of the owner. Derived from the name if omitted.')),
    description: Type.Optional(Text(2000, 'Description.')),
  },
  { description: 'A new payment type.' },
);
export type PaymentTypeCreate = Static<typeof PaymentTypeCreate>;

export const OrderStatusCreate = Body(
  { group, name: Name('Name, unique within the group.') },
  { description: 'A new order status.' },
);
export type OrderStatusCreate = Static<typeof OrderStatusCreate>;

export const TrackingUrlTemplate = Type.String({
  pattern: TRACKING_TEMPLATE,
  maxLength: 2000,
  description:
    'An https address with `{number}` for the number of a parcel; `""` clears it. Changes in all stores of the owner.',
  examples: ['https://track.example.com/?id={number}'],
});

export const DeliveryTypeChange = Body(
  {
    name: Type.Optional(Name('Name. Changes in all stores of the owner.')),
    code: Type.Optional(
      Code('Code, unique among the delivery types of the owner. Changes in all stores of the owner.'),
    ),
    kind: Type.Optional({
      ...kind,
      description:
        'Kind of delivery. Changes in all stores of the owner. Cannot be changed if the type has an integration.',
    }),
    isActive: Type.Optional(isActive('Enables or disables the type in this store only.')),
    trackingUrlTemplate: Type.Optional(TrackingUrlTemplate),
  },
  { description: 'Fields that are not sent stay unchanged.' },
);
export type DeliveryTypeChange = Static<typeof DeliveryTypeChange>;

export const PaymentStatusChange = Body(
  {
    name: Type.Optional(Name('Name, unique in the store.')),
    isPaid: Type.Optional(Type.Boolean({ description: 'Whether orders in this status count as paid.' })),
    color: Type.Optional(color),
    isActive: Type.Optional(isActive('Enables or disables the status. If it is disabled, its orders become unpaid.')),
  },
  { description: 'Fields that are not sent stay unchanged.' },
);
export type PaymentStatusChange = Static<typeof PaymentStatusChange>;

export const OrderStatusChange = Body(
  {
    name: Type.Optional(Name('Name, unique within the group.')),
    isActive: Type.Optional(
      isActive('Enables or disables the status. If it is disabled, its orders move to the main status of the group.'),
    ),
  },
  { description: 'Fields that are not sent stay unchanged.' },
);
export type OrderStatusChange = Static<typeof OrderStatusChange>;
