import Type, { type Static } from 'typebox';
import { Body, Code, Name, OneOf, Text, Uuid } from '../common.ts';
import { deliveryKinds, statusGroups } from '../references.ts';

/** All statuses of a group, in the order they are to be shown in. */
export const ArrangeOrderStatuses = Body({
  group: OneOf(statusGroups, 'The group.'),
  ids: Type.Array(Uuid('A status of the group.'), { minItems: 1, maxItems: 1000 }),
});
export type ArrangeOrderStatuses = Static<typeof ArrangeOrderStatuses>;

/** All payment statuses, in the order they are to be shown in. */
export const ArrangePaymentStatuses = Body({
  ids: Type.Array(Uuid('A payment status.'), { minItems: 1, maxItems: 1000 }),
});
export type ArrangePaymentStatuses = Static<typeof ArrangePaymentStatuses>;

export const CreateDeliveryType = Body({
  name: Name('Name.'),
  code: Type.Optional(Code('Unique among the delivery types of the owner; derived from the name when left out.')),
  kind: OneOf(deliveryKinds, 'Kind of delivery.'),
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

/** What disabling a status would do to its orders. */
export interface OrdersToMove {
  /** Counted up to a limit, so that the answer comes at once whatever the store holds. */
  count: number;
  /** There are more than were counted. */
  isMore: boolean;
  /** Where they go. */
  to: { id: string; code: string | null; name: string };
}
