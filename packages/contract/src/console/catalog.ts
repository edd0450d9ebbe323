import Type, { type Static } from 'typebox';
import { Product } from '../api/catalog.ts';
import { Body, Filter, Kopecks, Name, OneOf, OrNull, Text, Uuid } from '../api/common.ts';
import { Found } from './found.ts';
import { priceSteps, productSorts, stockStates } from './values.ts';

/** The filters of the product list; the screen's URL has the same parameters. */
const view = {
  q: Type.Optional(Filter('Words of the name, SKU or external id, each by its start, in any order.', 100)),
  category: Type.Optional({ ...Filter('Category id.'), format: 'uuid' }),
  active: Type.Optional(OneOf(['true', 'false'], 'Whether they can be ordered.')),
  stock: Type.Optional(OneOf(stockStates, 'State of the stock.')),
  sort: Type.Optional(
    OneOf(
      productSorts,
      'Newest first if left out, lowest stock first with `stock`. By stock, only products that have one.',
    ),
  ),
};

export const ProductPageQuery = Body({
  ...view,
  // Sorted by name, a cursor holds the name, which normalization can make several times as long.
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
});
export type ProductPageQuery = Static<typeof ProductPageQuery>;

const { sort: _sort, ...filters } = view;

/** What is exported, and for which spreadsheet. */
export const ProductExportQuery = Body({
  ...filters,
  decimal: Type.Optional(
    OneOf(['point', 'comma'], 'Decimal separator of the amounts; with a comma, cells are separated by semicolons.'),
  ),
});
export type ProductExportQuery = Static<typeof ProductExportQuery>;

export const ListedProduct = Type.Object({
  ...Product.properties,
  thumbnailUrl: Type.String({ description: 'A small `imageUrl`.' }),
});
export type ListedProduct = Static<typeof ListedProduct>;

export const ProductPage = Found(ListedProduct);
export type ProductPage = Static<typeof ProductPage>;

export const ProductSearch = Body({ q: Type.Optional(Type.String({ maxLength: 100 })) });
export type ProductSearch = Static<typeof ProductSearch>;

/** A product that an order form can add. */
export const FoundProduct = Type.Object({
  id: Uuid('Id of the product.'),
  name: Type.String(),
  sku: Type.String(),
  externalId: Type.String(),
  price: Kopecks('Catalog price.'),
  stock: OrNull(Type.Integer(), 'In all active warehouses; null if the product has no stock.'),
});
export type FoundProduct = Static<typeof FoundProduct>;

const details = {
  oldPrice: Type.Optional(Kopecks('Price before a reduction; 0 for none.')),
  sku: Type.Optional(Text(255, 'SKU.')),
  externalId: Type.Optional(Text(255, 'Id in an external system.')),
  description: Type.Optional(Text(5000, 'Description.')),
  categoryId: Type.Optional(Text(36, 'Id of the category; empty for none.')),
  imageUrl: Type.Optional(Text(2000, 'Picture: an https address, or a path of this service; empty for none.')),
  isActive: Type.Optional(Type.Boolean({ description: 'Whether it can be ordered.' })),
};

export const CreateProduct = Body({ name: Name('Name.'), price: Kopecks('Price.'), ...details });
export type CreateProduct = Static<typeof CreateProduct>;

export const ChangeProduct = Body(
  { name: Type.Optional(Name('Name.')), price: Type.Optional(Kopecks('Price.')), ...details },
  { minProperties: 1 },
);
export type ChangeProduct = Static<typeof ChangeProduct>;

/** Changes several products: what is sent, of each of them. */
export const ChangeProducts = Body(
  {
    ids: Type.Array(Uuid('Id of a product.'), { minItems: 1, maxItems: 100 }),
    isActive: Type.Optional(Type.Boolean({ description: 'Whether they can be ordered.' })),
    categoryId: details.categoryId,
    price: Type.Optional(
      Body({
        percent: Type.Number({ minimum: -100, maximum: 1000, multipleOf: 0.01, description: 'Negative to reduce.' }),
        roundTo: Type.Enum([...priceSteps], { type: 'integer', description: 'In kopecks, half up.' }),
      }),
    ),
  },
  { minProperties: 2 },
);
export type ChangeProducts = Static<typeof ChangeProducts>;

/** Number of products by category, without subcategories; null if there are too many products to count. */
export const CategoryCounts = Type.Object({
  counts: OrNull(
    Type.Record(Type.String(), Type.Integer()),
    'By category id; categories without products are left out.',
  ),
});
export type CategoryCounts = Static<typeof CategoryCounts>;

export const CreateCategory = Body({
  name: Name('Name.'),
  externalId: Type.Optional(Text(255, 'Id in an external system.')),
  parentId: Type.Optional(Uuid('Parent category.')),
});
export type CreateCategory = Static<typeof CreateCategory>;

/** The external id cannot be changed: other systems may refer to it. */
export const ChangeCategory = Body(
  {
    name: Type.Optional(Name('Name.')),
    parentId: Type.Optional(Text(36, 'Id of the parent category; empty for none.')),
  },
  { minProperties: 1 },
);
export type ChangeCategory = Static<typeof ChangeCategory>;
