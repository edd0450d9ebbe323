import Type, { type Static } from 'typebox';
import { Body, Code, Name, OneOf, OrNull, Text, Uuid } from '../api/common.ts';
import { DeliveryType, OrderStatus, PaymentStatus, TrackingUrlTemplate, Warehouse } from '../api/references.ts';
import { deliveryKinds, statusGroups } from '../api/values.ts';

const etag = Type.String({ description: 'Version of what a form edits; send it as `If-Match` with a change.' });

/** Records of the reference lists, with their versions. */
export const VersionedOrderStatus = Type.Object({ ...OrderStatus.properties, etag });
export type VersionedOrderStatus = Static<typeof VersionedOrderStatus>;
export const VersionedPaymentStatus = Type.Object({ ...PaymentStatus.properties, etag });
export type VersionedPaymentStatus = Static<typeof VersionedPaymentStatus>;
export const VersionedDeliveryType = Type.Object({ ...DeliveryType.properties, etag });
export type VersionedDeliveryType = Static<typeof VersionedDeliveryType>;
export const VersionedWarehouse = Type.Object({ ...Warehouse.properties, etag });
export type VersionedWarehouse = Static<typeof VersionedWarehouse>;

/** All statuses of a group, in the new order. */
export const ArrangeOrderStatuses = Body({
  group: OneOf(statusGroups, 'The group.'),
  ids: Type.Array(Uuid('A status of the group.'), { minItems: 1, maxItems: 1000 }),
});
export type ArrangeOrderStatuses = Static<typeof ArrangeOrderStatuses>;

/** All payment statuses, in the new order. */
export const ArrangePaymentStatuses = Body({
  ids: Type.Array(Uuid('A payment status.'), { minItems: 1, maxItems: 1000 }),
});
export type ArrangePaymentStatuses = Static<typeof ArrangePaymentStatuses>;

export const CreateDeliveryType = Body({
  name: Name('Name.'),
  code: Type.Optional(Code('Unique among the delivery types of the owner. Derived from the name if omitted.')),
  kind: OneOf(deliveryKinds, 'Kind of delivery.'),
  trackingUrlTemplate: Type.Optional(TrackingUrlTemplate),
});
export type CreateDeliveryType = Static<typeof CreateDeliveryType>;

export const ChangePaymentType = Body({ isActive: Type.Boolean({ description: 'Enabled in this store.' }) });
export type ChangePaymentType = Static<typeof ChangePaymentType>;

export const ChangeWarehouse = Body(
  {
    name: Type.Optional(Name('Name.')),
    address: Type.Optional(Text(2000, 'Address.')),
    city: Type.Optional(Text(200, 'City.')),
    isActive: Type.Optional(Type.Boolean({ description: 'Enabled.' })),
  },
  { minProperties: 1 },
);
export type ChangeWarehouse = Static<typeof ChangeWarehouse>;

/** Which orders move, and to which status, if a status is disabled. */
export const OrdersToMove = Type.Object({
  count: Type.Integer({ description: 'Counted up to a limit.' }),
  isMore: Type.Boolean({ description: 'Whether there are more than `count`.' }),
  to: Type.Object({
    id: Type.String(),
    code: OrNull(Type.String(), 'Code of a system status.'),
    name: Type.String(),
  }),
});
export type OrdersToMove = Static<typeof OrdersToMove>;
