import Type, { type Static } from 'typebox';
import type { Product } from '../catalog.ts';
import { Body, Filter, Kopecks, Name, OneOf, Text, Uuid } from '../common.ts';

/** Which products are looked at; the same in the address of the screen. */
const view = {
  q: Type.Optional(Filter('A part of the name, or the beginning of an article or external id.', 100)),
  category: Type.Optional({ ...Filter('Id of the category they stand in.'), format: 'uuid' }),
  active: Type.Optional(OneOf(['true', 'false'], 'Whether they can be sold.')),
};

export const ProductPageQuery = Body({
  ...view,
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type ProductPageQuery = Static<typeof ProductPageQuery>;

export interface ProductPage {
  data: Product[];
  page: { nextCursor: string | null; hasMore: boolean };
}

/** The category is named by its id; '' for none. */
const details = {
  sku: Type.Optional(Text(255, 'Article.')),
  externalId: Type.Optional(Text(255, 'Id in an external system.')),
  description: Type.Optional(Text(5000, 'Description.')),
  categoryId: Type.Optional(Text(36, 'Id of the category; empty for none.')),
  isActive: Type.Optional(Type.Boolean({ description: 'Whether it can be sold.' })),
};

export const CreateProduct = Body({ name: Name('Name.'), price: Kopecks('Price.'), ...details });
export type CreateProduct = Static<typeof CreateProduct>;

export const ChangeProduct = Body(
  { name: Type.Optional(Name('Name.')), price: Type.Optional(Kopecks('Price.')), ...details },
  { minProperties: 1 },
);
export type ChangeProduct = Static<typeof ChangeProduct>;

export const CreateCategory = Body({
  name: Name('Name.'),
  externalId: Type.Optional(Text(255, 'Id in an external system.')),
  parentId: Type.Optional(Uuid('The category it stands in.')),
});
export type CreateCategory = Static<typeof CreateCategory>;

/** The external id stays: products show it, and others may have noted it. */
export const ChangeCategory = Body(
  {
    name: Type.Optional(Name('Name.')),
    parentId: Type.Optional(Text(36, 'Id of the category it stands in; empty for none.')),
  },
  { minProperties: 1 },
);
export type ChangeCategory = Static<typeof ChangeCategory>;
