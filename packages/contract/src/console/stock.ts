import Type, { type Static } from 'typebox';
import { Body, Instant, OneOf, OrNull, Uuid } from '../api/common.ts';
import { Quantity } from '../api/stock.ts';

/** A warehouse of the store, and what it has of a product. */
export const WarehouseStock = Type.Object({
  warehouseId: Type.String(),
  name: Type.String(),
  isActive: Type.Boolean(),
  quantity: OrNull(Type.Integer(), 'Null if the product has never been in the warehouse.'),
});
export type WarehouseStock = Static<typeof WarehouseStock>;

export const ProductStock = Type.Array(WarehouseStock, { description: 'In the order in which orders take from them.' });

/** Sets or changes the quantity in one warehouse; exactly one of both. */
export const AdjustStock = Body(
  {
    warehouseId: Uuid('Id of the warehouse.'),
    quantity: Quantity('The quantity that is there now.'),
    change: Quantity('What is added; negative to take away.'),
  },
  { oneOf: [{ required: ['quantity'] }, { required: ['change'] }] },
);
export type AdjustStock = Static<typeof AdjustStock>;

export const MovementQuery = Body({ cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) });
export type MovementQuery = Static<typeof MovementQuery>;

export const movementKinds = ['order', 'api', 'import', 'person'] as const;
export type MovementKind = (typeof movementKinds)[number];

export const Movement = Type.Object({
  at: Instant('When it happened.'),
  warehouse: Type.String({ description: 'Name of the warehouse.' }),
  before: Type.Integer(),
  after: Type.Integer(),
  kind: OneOf(movementKinds, 'What caused it.'),
  order: OrNull(Type.Object({ id: Type.String(), number: Type.Integer() }), 'The order that caused it, if one did.'),
  actor: Type.Object({
    kind: OneOf(['key', 'owner', 'system'], 'Kind of actor.'),
    name: Type.String({ description: 'Empty for the system and for an actor that no longer exists.' }),
  }),
});
export type Movement = Static<typeof Movement>;

export const MovementPage = Type.Object({
  movements: Type.Array(Movement, { description: 'Newest first.' }),
  nextCursor: OrNull(Type.String(), 'Null on the last page.'),
});
export type MovementPage = Static<typeof MovementPage>;

/** A product of an order of which a warehouse has less than nothing. */
export const Shortage = Type.Object({
  productId: Type.String(),
  name: Type.String(),
  warehouse: Type.String({ description: 'Name of the warehouse.' }),
  quantity: Type.Integer({ description: 'What is in the warehouse: below zero.' }),
});
export type Shortage = Static<typeof Shortage>;
