import Type, { type Static } from 'typebox';
import { Body, Instant, Name, OneOf } from '../api/common.ts';
import { plans } from '../api/rights.ts';
import { MAX_QUANTITY } from '../api/stock.ts';
import { roles } from './values.ts';

const LowStock = Type.Integer({ minimum: 0, maximum: MAX_QUANTITY, description: 'Up to this quantity, stock is low.' });
const Timezone = Type.String({ minLength: 1, maxLength: 100 });

export const CreateStore = Body({
  name: Name('Name of the store.'),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  timezone: Timezone,
});
export type CreateStore = Static<typeof CreateStore>;

/** The currency cannot be changed: stored amounts would change their meaning. */
export const ChangeStore = Body(
  {
    name: Type.Optional(Name('Name of the store.')),
    timezone: Type.Optional(Timezone),
    lowStock: Type.Optional(LowStock),
  },
  { minProperties: 1 },
);
export type ChangeStore = Static<typeof ChangeStore>;

/** What a stream of changes sends: the store's change number, and the number of its latest order. */
export interface StoreChange {
  seq: number;
  lastNumber: number;
}

export const Store = Type.Object({
  id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  timezone: Type.String(),
  lowStock: LowStock,
  plan: OneOf(plans, 'Plan.'),
  isActive: Type.Boolean(),
  createdAt: Instant('Creation time.'),
  role: OneOf(roles, 'Role of the signed-in person.'),
  mayChangeTypes: Type.Boolean({
    description: 'Owns all stores that share their delivery and payment types with this one, and so may change these.',
  }),
  requiresSecondFactor: Type.Boolean({ description: 'Of every member.' }),
});
export type Store = Static<typeof Store>;
