import Type, { type Static } from 'typebox';
import { Body, Name } from '../common.ts';
import type { Plan } from '../rights.ts';

const Timezone = Type.String({ minLength: 1, maxLength: 100 });

export const CreateStore = Body({
  name: Name('Name of the store.'),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  timezone: Timezone,
});
export type CreateStore = Static<typeof CreateStore>;

/** The currency is not among these: amounts already stored would change their meaning. */
export const ChangeStore = Body(
  { name: Type.Optional(Name('Name of the store.')), timezone: Type.Optional(Timezone) },
  { minProperties: 1 },
);
export type ChangeStore = Static<typeof ChangeStore>;

export interface Store {
  id: string;
  name: string;
  currency: string;
  timezone: string;
  plan: Plan;
  isActive: boolean;
  createdAt: string;
}
