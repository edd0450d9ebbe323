import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, Kopecks, listParameters, OrNull, Uuid } from './common.ts';

export const Product = Type.Object(
  {
    id: Uuid('Product identifier.'),
    externalId: Type.String({ description: 'Product id in an external system.' }),
    sku: Type.String({ description: 'Article.' }),
    name: Type.String({ description: 'Name.' }),
    description: Type.String({ description: 'Description.' }),
    price: Kopecks('Catalog price.'),
    currency: Type.String({ description: 'Currency of the price.', examples: ['RUB'] }),
    categoryId: OrNull(Type.String({ format: 'uuid' }), 'The category of the product.'),
    categoryExternalId: Type.String({ description: 'External id of the category.' }),
    isActive: Type.Boolean({ description: 'Whether it can be sold.' }),
    createdAt: Instant('Creation time.'),
    updatedAt: Instant('Last change time.'),
  },
  { description: 'A product of the catalog.' },
);
export type Product = Static<typeof Product>;

export const ProductQuery = Body({
  'filter[externalId]': Type.Optional(Filter('External product id.')),
  'filter[sku]': Type.Optional(Filter('Article.')),
  'filter[categoryId]': Type.Optional({ ...Filter('Products of this category.'), format: 'uuid' }),
  ...listParameters,
});
export type ProductQuery = Static<typeof ProductQuery>;
