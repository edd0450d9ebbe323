import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, Kopecks, listParameters, OrNull, Uuid } from './common.ts';

export const Product = Type.Object(
  {
    id: Uuid('Product identifier.'),
    externalId: Type.String({ description: 'Product id in an external system.' }),
    sku: Type.String({ description: 'SKU (stock keeping unit).' }),
    name: Type.String({ description: 'Name.' }),
    description: Type.String({ description: 'Description.' }),
    price: Kopecks('Catalog price.'),
    currency: Type.String({ description: 'Currency of the price.', examples: ['RUB'] }),
    categoryId: OrNull(Type.String({ format: 'uuid' }), 'Id of the category; null if the product has none.'),
    categoryExternalId: Type.String({ description: 'External id of the category.' }),
    imageUrl: Type.String({
      description:
        'Picture: an `https` address, or a path of this service that begins with `/`, as uploaded pictures have; empty if there is none.',
    }),
    isActive: Type.Boolean({ description: 'Whether the product can be ordered.' }),
    createdAt: Instant('Creation time.'),
    updatedAt: Instant('Time of the last change.'),
    stock: OrNull(
      Type.Integer(),
      'Quantity in all active warehouses, which may be negative; null if the product has no stock.',
    ),
    oldPrice: OrNull(
      Kopecks('Price before a reduction; shown struck through on the order page while it is above `price`.'),
      'Null if there is none.',
    ),
    stockByWarehouse: Type.Optional(
      Type.Array(
        Type.Object({
          warehouseId: Uuid('Id of the warehouse.'),
          quantity: Type.Integer({ description: 'Quantity in the warehouse; may be negative.' }),
        }),
        { description: 'With `with=stock`.' },
      ),
    ),
  },
  { description: 'A product in the catalog.' },
);
export type Product = Static<typeof Product>;

const withStock = {
  with: Type.Optional(Type.Enum(['stock'], { type: 'string', description: 'Include the stock in each warehouse.' })),
};

export const ProductReadQuery = Body(withStock);

export const ProductQuery = Body({
  'filter[externalId]': Type.Optional(Filter('Product id in an external system.')),
  'filter[sku]': Type.Optional(Filter('SKU.')),
  'filter[categoryId]': Type.Optional({ ...Filter('Category id.'), format: 'uuid' }),
  ...listParameters,
  ...withStock,
});
export type ProductQuery = Static<typeof ProductQuery>;
